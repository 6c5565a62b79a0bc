package adminapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/webhook"
	"github.com/lectern-docs/lectern/internal/store"
)

// api is the handler and the state shared by its routes.
type api struct {
	Options
	mux            *http.ServeMux
	problems       apierror.Writer
	guard          *auth.Guard
	rate           *auth.Rate
	discovery      *auth.Rate // per organization
	analyticsLimit *auth.Rate // likewise
	domainChecks   *auth.Rate // likewise
	hostCalls      *auth.Rate // likewise
	hasher         account.Hasher
	hooks          *webhook.Receiver
	polled         *store.Shared[response] // responses to polls of exports
	ownHost        string                  // host of PublicURL; "" if that is not set
}

// New returns the API's handler.
func New(o Options) http.Handler {
	o.setDefaults()
	a := &api{
		Options:  o,
		mux:      http.NewServeMux(),
		problems: apierror.Writer{Log: o.Log, IDs: o.IDs},
		guard: auth.New(auth.Options{Keys: o.Keys, Masters: o.Masters, Now: o.Now, Proxies: o.Proxies,
			Uses: o.Uses}),
		rate:           auth.NewRate(o.RateLimit, o.Counter, o.Now),
		discovery:      auth.NewHourly(o.DiscoveryLimit, "an organization", o.Counter, o.Now),
		analyticsLimit: auth.NewHourly(o.AnalyticsLimit, "an organization's analytics", o.Counter, o.Now),
		hostCalls:      auth.NewHourly(hostCallsAnHour, "an organization's requests to code hosts", o.Counter, o.Now),
		domainChecks:   auth.NewHourly(checksAnHour, "an organization's domain checks", o.Counter, o.Now),
		hasher:         account.NewHasher(o.Masters[0]),
		hooks:          webhook.New(o.Store, o.Masters, o.Now),
		polled:         store.ShareReads[response](o.Store),
	}
	a.PreviewDomain = hostname.Clean(o.PreviewDomain)
	if u, err := url.Parse(o.PublicURL); err == nil {
		a.ownHost = hostname.Clean(u.Hostname())
	}
	byPattern := map[string]methods{}
	for _, r := range Routes() {
		if byPattern[r.Pattern] == nil {
			byPattern[r.Pattern] = methods{}
		}
		byPattern[r.Pattern][r.Method] = r
	}
	for pattern, m := range byPattern {
		a.mux.Handle(pattern, o.Instrument(pattern,
			a.observe(func(w *recorder, r *http.Request) error { return a.serve(w, r, m) })))
	}
	a.mux.Handle("/", o.Instrument("unknown", http.HandlerFunc(a.unknown)))
	return a
}

// methods maps the methods of one path to routes.
type methods map[string]Route

// find returns the route for a method. HEAD requests are handled like GET; the server then omits the body.
func (m methods) find(method string) (Route, bool) {
	if method == http.MethodHead {
		r, ok := m[http.MethodGet]
		return r, ok && !r.stream
	}
	r, ok := m[method]
	return r, ok
}

// allow returns the methods for the Allow header.
func (m methods) allow() string {
	var list []string
	for method, r := range m {
		list = append(list, method)
		if method == http.MethodGet && !r.stream {
			list = append(list, http.MethodHead)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// ServeHTTP rejects paths that are not normalized, because the multiplexer would redirect them: each path of the API
// has exactly one form.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.EscapedPath(); !strings.HasPrefix(p, "/") || path.Clean(p) != p {
		a.unknown(w, r)
		return
	}
	a.mux.ServeHTTP(w, r)
}

func (a *api) unknown(w http.ResponseWriter, r *http.Request) {
	a.observe(func(*recorder, *http.Request) error {
		return unknownRoute()
	}).ServeHTTP(w, r)
}

func unknownRoute() error {
	return fault.New(fault.NotFound, "unknown_route", "Path not found.").WithHint("GET /openapi.json lists all paths.")
}

// observe assigns a request id, writes the response for an error that serve returns or panics with, and logs one line
// per request (A3).
func (a *api) observe(serve func(*recorder, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		name := a.problems.RequestID(rec, r)
		if err := caught(serve, rec, r); err != nil && rec.status == 0 {
			a.problems.Write(rec, r, err)
		} else if err != nil {
			a.Log.WarnContext(r.Context(), "response aborted", "requestId", name, "route", r.Pattern, "error", err)
		}
		// Checked first, because evaluating the arguments allocates memory even if the line is not logged.
		if level := levelOf(r, rec.status); a.Log.Enabled(r.Context(), level) {
			a.Log.Log(r.Context(), level, "request", "requestId", name, "method", r.Method, "route", r.Pattern,
				"status", rec.status, "actor", rec.actor, "ms", time.Since(start).Milliseconds())
		}
	})
}

// levelOf returns the log level for a request. The dashboard's live pages poll repeatedly, so their requests are
// logged as debug messages.
func levelOf(r *http.Request, status int) slog.Level {
	if auth.FromHere(r.Context()) && r.Method == http.MethodGet && status < 400 {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// caught turns a panic into an error, so that it is handled and logged like any other.
func caught(serve func(*recorder, *http.Request) error, w *recorder, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if cause, ok := p.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
				panic(p)
			}
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return serve(w, r)
}

// recorder records a response's status and the caller, for the log.
type recorder struct {
	http.ResponseWriter
	status int // 0 until the response headers are sent
	actor  string
}

// WriteHeader records the status.
func (w *recorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController set deadlines and flush.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
