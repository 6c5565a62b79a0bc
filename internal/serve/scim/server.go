package scim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// Folder is the path of the SCIM endpoints, without a trailing slash.
const Folder = "/scim/v2"

// Options configures the endpoints.
type Options struct {
	Store *store.Store
	Guard *auth.Guard
	Rate  *auth.Rate // per key
	Log   *slog.Logger
	Now   func() time.Time
	IDs   id.Source // for request ids
	// BaseURL returns this server's URL as seen by the caller, without a trailing slash.
	BaseURL func(r *http.Request) string
	// Roles returns the roles granted by an organization's groups.
	Roles func(ctx context.Context, organizationID string) (account.GroupRoles, error)
}

// longest is the time limit of a request.
const longest = 30 * time.Second

type server struct {
	Options
	problems apierror.Writer
}

// New returns the handler for everything below Folder.
func New(o Options) http.Handler {
	return &server{Options: o, problems: apierror.Writer{Log: o.Log, IDs: o.IDs}}
}

// call is the state of a request.
type call struct {
	r         *http.Request
	requestID string
	principal store.Principal
	base      string // URL of Folder
	id        string // id of the resource, from the path; "" = none
	query     query
	body      map[string]any // nil for methods without a body
}

func (c *call) ctx() context.Context { return c.r.Context() }
func (c *call) org() string          { return c.principal.Organization.ID }

// reply is the result of a handler.
type reply struct {
	status   int
	body     any
	location string // URL of a resource that was just created
	version  string // version of the resource; "" = it has none
}

type handler func(*server, *call) (reply, error)

// routes maps the first part of the path and the method to handlers; a name with a trailing slash is for single
// resources.
func routes() map[string]map[string]handler {
	readOnly := func(h handler) map[string]handler { return map[string]handler{http.MethodGet: h} }
	return map[string]map[string]handler{
		"ServiceProviderConfig": readOnly((*server).getConfig),
		"ResourceTypes":         readOnly((*server).listTypes), "ResourceTypes/": readOnly((*server).getType),
		"Schemas": readOnly((*server).listSchemas), "Schemas/": readOnly((*server).getSchema),
		"Users": {http.MethodGet: (*server).listUsers, http.MethodPost: (*server).createUser},
		"Users/": {http.MethodGet: (*server).getUser, http.MethodPut: (*server).replaceUser,
			http.MethodPatch: (*server).patchUser, http.MethodDelete: (*server).deleteUser},
		"Groups": {http.MethodGet: (*server).listGroups, http.MethodPost: (*server).createGroup},
		"Groups/": {http.MethodGet: (*server).getGroup, http.MethodPut: (*server).replaceGroup,
			http.MethodPatch: (*server).patchGroup, http.MethodDelete: (*server).deleteGroup},
		"Bulk": {http.MethodPost: (*server).refuse}, "Me": readOnly((*server).refuse),
		".search": {http.MethodPost: (*server).refuse},
	}
}

// refuse rejects operations that this server does not support, as listed in ServiceProviderConfig.
func (s *server) refuse(*call) (reply, error) {
	return reply{}, fault.New(fault.Unsupported, notSupported, "This server does not support this SCIM operation.")
}

// ServeHTTP assigns a request id, handles the request, and logs one line.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := s.Now()
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	c := &call{r: r.WithContext(ctx), requestID: s.problems.RequestID(w, r), base: s.BaseURL(r) + Folder}
	res, err := s.caught(w, c)
	status := res.status
	if err == nil {
		err = c.send(w, res)
	}
	if err != nil {
		status = s.sendProblem(w, r, err)
	}
	s.Log.InfoContext(ctx, "request", "requestId", c.requestID, "method", r.Method, "route", Folder+"/", "status", status,
		"actor", c.principal.Actor(), "ms", s.Now().Sub(start).Milliseconds())
}

// caught turns a panic into an error, so that it is handled and logged like any other.
func (s *server) caught(w http.ResponseWriter, c *call) (res reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			if cause, ok := p.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
				panic(p)
			}
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return s.answer(w, c)
}

// answer authenticates the caller before anything else, so that responses reveal nothing to strangers.
func (s *server) answer(w http.ResponseWriter, c *call) (res reply, err error) {
	if c.principal, err = s.Guard.Identify(c.r); err != nil {
		return res, err
	}
	if err := s.Rate.Take(c.ctx(), c.principal.Actor(), w.Header()); err != nil {
		return res, err
	}
	// Signed-in members are rejected: dashboard pages do not use SCIM.
	if c.principal.ByMember() {
		return res, auth.InvalidKey()
	}
	if err := s.Guard.Permit(c.principal, c.r, auth.Need{Scope: account.ScopeSCIM}); err != nil {
		return res, err
	}
	handle, err := c.route(w.Header())
	if err != nil {
		return res, err
	}
	if c.query, err = readQuery(c.r.URL.RawQuery); err != nil {
		return res, err
	}
	if m := c.r.Method; m == http.MethodPost || m == http.MethodPut || m == http.MethodPatch {
		if c.body, err = readBody(w, c.r); err != nil {
			return res, err
		}
	}
	return handle(s, c)
}

// route finds the handler for a path and a method.
func (c *call) route(h http.Header) (handler, error) {
	name, rest, one := strings.Cut(strings.TrimPrefix(c.r.URL.Path, Folder+"/"), "/")
	if one && rest != "" {
		name, c.id = name+"/", rest
	}
	methods, ok := routes()[name]
	if !ok || strings.Contains(c.id, "/") {
		return nil, fault.New(fault.NotFound, "unknown_route", "Path not found.")
	}
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if handle, ok := methods[method]; ok {
		return handle, nil
	}
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if methods[m] != nil {
			allowed = append(allowed, m)
		}
	}
	h.Set("Allow", strings.Join(allowed, ", "))
	return nil, fault.Newf(fault.NotAllowed, "method_not_allowed", "This path only supports %s.", strings.Join(allowed, ", "))
}

// hold locks the organization until the transaction ends, and checks that the key is still valid.
func (s *server) hold(c *call, tx *store.Tx) error {
	if err := tx.HoldOrganization(c.ctx(), c.org()); err != nil {
		return err
	}
	k, err := tx.FindKey(c.ctx(), c.org(), c.principal.Key.ID)
	if err == nil && !k.Live(s.Now()) || fault.Is(err, fault.NotFound) {
		return auth.InvalidKey()
	}
	return err
}

// record adds an action by the key to the organization's audit log.
func (s *server) record(c *call, tx *store.Tx, action, target string, data map[string]string) error {
	return tx.Record(c.ctx(), event.New(c.org(), c.principal.Actor(), action, target, c.requestID, s.Now(), data))
}

// withdraw withdraws the invitation links that which selects, as part of the caller's transaction.
func (s *server) withdraw(c *call, tx *store.Tx, which func(account.Invitation) bool) error {
	gone, err := tx.WithdrawLinks(c.ctx(), c.org(), which)
	for _, i := range gone {
		if err == nil {
			err = s.record(c, tx, "invitation.revoke", i.ID, map[string]string{"email": i.Email, "role": string(i.Role)})
		}
	}
	return err
}
