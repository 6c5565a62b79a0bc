package bundlehost

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// Options configures a Host.
type Options struct {
	BasePath string                   // path below which the site is served, such as "/docs"; "" = the root
	Secure   func(*http.Request) bool // whether the request used TLS; nil = use the connection's state
	// returns the reason that /readyz, which is public, gives if the host is not ready; "" = ready. If Waiting is nil,
	// the host is ready once it has a version
	Waiting   func() string
	Endpoints map[string]siteapi.Endpoint // endpoints of the site, by path below the base
	External  bool                        // apply the bundle's list of sources that pages may use on other hosts
	Access    Access                      // identifies readers; nil = the site is public
	Mode      access.Mode                 // how readers sign in, if Access is set
	Logger    *slog.Logger
}

// Access decides who may read the site; *siteaccess.Service implements it.
type Access interface {
	// Admit returns the reader of a request. If the sender may not read the site, or the request is part of signing
	// in, Admit responds itself and ok is false.
	Admit(w http.ResponseWriter, r *http.Request, s siteapi.Protected) (who access.Reader, ok bool)
}

// Host serves the version most recently passed to Show.
type Host struct {
	opt Options
	mu  sync.RWMutex
	now *shown // guarded by mu; nil until the first version
}

// New returns a Host without a version.
func New(opt Options) (*Host, error) {
	base, err := cleanBase(opt.BasePath)
	if err != nil {
		return nil, err
	}
	opt.BasePath = base
	if opt.Secure == nil {
		opt.Secure = func(r *http.Request) bool { return r.TLS != nil }
	}
	h := &Host{opt: opt}
	if h.opt.Waiting == nil {
		h.opt.Waiting = h.waiting
	}
	return h, nil
}

// cleanBase returns a base path with a leading and without a trailing slash, "" for the root.
func cleanBase(base string) (string, error) {
	base = strings.TrimSuffix(base, "/")
	if base == "" {
		return "", nil
	}
	for piece := range strings.SplitSeq(strings.TrimPrefix(base, "/"), "/") {
		if piece == "" || piece == "." || piece == ".." || strings.ContainsAny(piece, "?#%\\ \"<>") ||
			!strings.HasPrefix(base, "/") {
			return "", fault.Newf(fault.Invalid, "bad_setting", "base-path: %q is not a path such as /docs.", base).
				WithField("base-path")
		}
	}
	return base, nil
}

func (h *Host) waiting() string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.now == nil {
		return "no bundle yet"
	}
	return ""
}

// Health responds to /healthz and /readyz, and passes all other requests to next.
func (h *Host) Health(next http.Handler) http.Handler { return health(next, h.opt.Waiting) }

// OperatorHealth is like Health, for a listener that readers cannot reach: waiting may return details that are not
// public.
func (h *Host) OperatorHealth(next http.Handler, waiting func() string) http.Handler {
	return health(next, waiting)
}

func health(next http.Handler, waiting func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz":
			plain(w, http.StatusOK, "ok")
		case "/readyz":
			if reason := waiting(); reason != "" {
				plain(w, http.StatusServiceUnavailable, "not ready: "+reason)
				return
			}
			plain(w, http.StatusOK, "ready")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ServeHTTP serves the site.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure := h.opt.Secure(r)
	path, below := route.Below(r.URL.Path, h.opt.BasePath)
	if h.opt.Access != nil && below {
		private := siteapi.NewPrivateWriter(w, secure)
		who, ok := h.opt.Access.Admit(private, siteapi.Inside(r, h.opt.BasePath, path), siteapi.Protected{ProjectID: ProjectID,
			Host: hostname.Clean(r.Host), Base: h.opt.BasePath, Mode: h.opt.Mode,
			Look: func(context.Context) siteapi.Look { return siteapi.Look{} }})
		if !ok {
			return
		}
		private.Named = who.Named
		w, r = private, siteapi.WithReader(r, who)
	}
	want, usual := h.wishOf(w, r, path, secure)
	now, before := h.take()
	if now != nil {
		defer now.leave()
		if before != nil {
			defer before.leave()
		}
		if usual && below && now.quick(w, r, want) {
			return
		}
	}
	header := w.Header()
	route.SetHeaders(header)
	siteapi.SetOffers(header, h.opt.Endpoints)
	if now != nil {
		route.SetPolicy(header, csp.Page{Allow: now.sources()}.Policy())
	}
	if secure {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if program := h.program(path); program != nil && below && now != nil {
		program.ServeSite(w, r, now.site(r))
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "Pages only support GET and HEAD.")
		return
	}
	switch {
	case now == nil:
		header.Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "The site is not available yet. Try again in a moment.")
	case !below:
		plain(w, http.StatusNotFound, "Page not found.")
	case path == "": // the base path without its slash: relative links on the first page need the slash
		h.redirect(w, r, "/", true)
	default:
		a := &reply{host: h, w: w, r: r, path: path, version: now.Version, now: now}
		if usual {
			a.want = &want
		}
		if before != nil {
			a.before = before.Version
		}
		a.answer()
	}
}

// ProjectID is used as the project id on a bundle server, which has only one site.
const ProjectID = "bundle"

// redirect redirects the reader to a path of the site, or to another URL.
func (h *Host) redirect(w http.ResponseWriter, r *http.Request, to string, permanent bool) {
	code := http.StatusTemporaryRedirect
	if permanent {
		code = http.StatusPermanentRedirect
	}
	if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		to = h.opt.BasePath + to
	}
	h.send(w, r, to, code)
}

// send redirects the reader to a complete URL.
func (h *Host) send(w http.ResponseWriter, r *http.Request, to string, code int) {
	w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	http.Redirect(w, r, route.WithQuery(to, r.URL.RawQuery), code)
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}
