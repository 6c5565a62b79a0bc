package adminapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// call is the state of a request.
type call struct {
	w         *recorder // for streams and headers; other handlers return a response
	r         *http.Request
	whole     *http.Request // r without its timeout
	route     Route
	requestID string
	principal store.Principal // zero if the route needs no key
	body      []byte          // nil if the route takes none or the request has none
	repeat    string          // Idempotency-Key; "" = none
}

func (c *call) ctx() context.Context { return c.r.Context() }

// unbound removes the timeout from a request whose response is streamed from now on.
func (c *call) unbound() {
	if c.route.stream {
		c.r = c.whole
	}
}

// org returns the id of the caller's organization.
func (c *call) org() string { return c.principal.Organization.ID }

// serve validates a request and calls its handler. The checks have the documented order: method 405, key 401, rate 429,
// address and scope 403, plan 403, content type 415, body 413 and 400.
func (a *api) serve(w *recorder, r *http.Request, m methods) error {
	route, ok := m.find(r.Method)
	if !ok {
		w.Header().Set("Allow", m.allow())
		return fault.Newf(fault.NotAllowed, "method_not_allowed", "This path only supports %s.", m.allow())
	}
	if d, ok := a.Deprecated[route.OperationID]; ok {
		d.announce(w.Header())
	}
	// Callers must not wait indefinitely for an unresponsive database.
	ctx, cancel := context.WithTimeout(r.Context(), a.Longest)
	defer cancel()
	c := &call{w: w, r: r.WithContext(ctx), whole: r, route: route, requestID: a.problems.RequestID(w, r)}
	if route.Scope != open {
		if err := a.admit(c); err != nil {
			return err
		}
	}
	if route.takes != noBody {
		if err := c.readBody(); err != nil {
			return err
		}
	}
	if route.Idempotent {
		if err := c.readRepeat(); err != nil {
			return err
		}
	}
	res, err := route.handle(a, c)
	if err != nil {
		return err
	}
	return c.send(res)
}

// admit identifies the caller and checks permissions and rate limits.
func (a *api) admit(c *call) error {
	var err error
	if c.principal, err = a.guard.Identify(c.r); err != nil {
		return err
	}
	c.w.actor = c.principal.Actor()
	if err := a.rate.Take(c.ctx(), c.principal.Actor(), c.w.Header()); err != nil {
		return err
	}
	if err := a.permit(c, c.principal, a.Store); err != nil {
		return err
	}
	return auth.RequirePlan(c.principal, c.route.Plan)
}

// holdCaller locks the caller's organization until the transaction ends, and checks again that the caller may act. If
// the key has been revoked or the member has lost the role since the request began, the request must not create keys or
// links, or change others' permissions. Afterwards the principal has the member's current role, for decisions in the
// handler.
func (a *api) holdCaller(c *call, tx *store.Tx) error {
	if err := tx.HoldOrganization(c.ctx(), c.org()); err != nil {
		return err
	}
	if !c.principal.ByMember() {
		k, err := tx.FindKey(c.ctx(), c.org(), c.principal.Key.ID)
		if err == nil && !k.Live(a.Now()) || fault.Is(err, fault.NotFound) {
			return auth.InvalidKey()
		}
		return err
	}
	m, err := tx.FindMember(c.ctx(), c.org(), c.principal.Member.ID)
	if fault.Is(err, fault.NotFound) {
		return account.NeedsRole(c.route.Role, m.Role)
	}
	if err != nil {
		return err
	}
	c.principal.Member = m
	return a.permit(c, c.principal, tx)
}

// pathID returns an id from the path. A malformed id is replaced by one that does not exist, so that the response is
// the same as for any unknown id and unexpected bytes never reach the database.
func (c *call) pathID(name, prefix string) string {
	return cleanID(c.r.PathValue(name), prefix)
}

func cleanID(v, prefix string) string {
	if id.Has(prefix, v) {
		return v
	}
	return prefix
}

const (
	defaultLimit = 20
	maxLimit     = 100
	maxCursor    = 512
)

// query parses the query string. An invalid one is rejected: if it were ignored, a list would start over instead of
// returning the next page.
func (c *call) query() (url.Values, error) {
	q, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid_query", "The query string cannot be parsed.").WithCause(err).
			WithHint("Percent-encode special characters in its values.")
	}
	return q, nil
}

// flag returns a boolean parameter; false if it is absent.
func (c *call) flag(name string) (bool, error) {
	q, err := c.query()
	if err != nil {
		return false, err
	}
	switch q.Get(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, fault.Newf(fault.Invalid, "invalid_field", "%s must be true or false.", name).WithField(name)
}

// page parses limit and cursor.
func (c *call) page() (store.Page, error) {
	q, err := c.query()
	if err != nil {
		return store.Page{}, err
	}
	p := store.Page{Limit: defaultLimit, Cursor: q.Get("cursor"), Projects: c.principal.Projects()}
	if v := q.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > maxLimit {
			return p, fault.Newf(fault.Invalid, "invalid_field", "limit must be an integer between 1 and %d.",
				maxLimit).WithField("limit")
		}
		p.Limit = n
	}
	if len(p.Cursor) > maxCursor {
		return p, fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").
			WithField("cursor")
	}
	return p, nil
}

// event returns the audit record of the caller's action on a target (D8).
func (a *api) event(c *call, action, target string, data map[string]string) event.Event {
	return event.New(c.org(), c.principal.Actor(), action, target, c.requestID, a.Now(), data)
}

// baseURL returns this server's URL as seen by the caller, without a trailing slash.
func (a *api) baseURL(c *call) string {
	if a.PublicURL != "" {
		return trimSlash(a.PublicURL)
	}
	return a.Proxies.BaseURL(c.r)
}

func trimSlash(s string) string {
	for len(s) > 0 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	return s
}
