package sitehost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/route"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Options configures a Host.
type Options struct {
	Sites         Sites
	Blob          blob.Store
	PreviewDomain string
	// size of the cache of file contents; the caches of manifests and of search indexes have the same limit each
	CacheBytes int64
	Secure     func(*http.Request) bool    // whether the request used TLS; nil = use the connection's state
	Agents     Agents                      // handles /mcp; nil = not available
	Endpoints  map[string]siteapi.Endpoint // by path; other paths below capability.Path are not found
	Watch      siteapi.Watcher             // receives responses; may be nil
	Access     Access                      // identifies readers of protected sites; nil = such sites are not served
	External   bool                        // apply each site's list of sources that its pages may use on other hosts
	// Forwarded returns the requested host as reported by a trusted proxy, or "". It is used if the request's own
	// host has no site; may be nil.
	Forwarded func(*http.Request) string
	// Ask receives the views of live sites that readers request: about once a minute if the view is not built, once a
	// day if it is. It must not block; may be nil.
	Ask    func(s Site, v reader.View, built bool)
	Now    func() time.Time
	Logger *slog.Logger
}

// Agents serves programs on a site; package mcp implements it.
type Agents interface {
	ServeSite(w http.ResponseWriter, r *http.Request, site string, l *sitereader.Library)
}

// Host serves all published sites.
type Host struct {
	finder
	store    contents
	agents   Agents
	programs map[string]siteapi.Endpoint
	watch    siteapi.Watcher
	access   Access
	secure   func(*http.Request) bool
	external bool
	asked    asked
	reached  func(*http.Request) string // Options.Forwarded
	trees    *cache[*tree]
	bytes    *cache[[]byte]
	answers  *httpfile.Cache[wish, ready]
	shelves  *cache[*sitereader.Library]
	looks    *cache[siteapi.Look] // by manifest key
	loads    *flight[*tree]       // manifests being loaded
	reads    *flight[[]byte]      // files being read
	logger   *slog.Logger
}

// New returns a Host.
func New(opt Options) *Host {
	h := &Host{
		finder: finder{sites: opt.Sites, preview: strings.ToLower(opt.PreviewDomain), now: opt.Now,
			known: map[string]found{}, absent: map[string]found{}},
		store: stored{opt.Blob}, agents: opt.Agents, programs: opt.Endpoints, watch: opt.Watch, secure: opt.Secure,
		external: opt.External, access: opt.Access, reached: opt.Forwarded,
		asked: asked{ask: opt.Ask, now: opt.Now, at: map[string]time.Time{}},
		trees: newCache[*tree](opt.CacheBytes), bytes: newCache[[]byte](opt.CacheBytes),
		answers: httpfile.NewCache[wish, ready](opt.CacheBytes / readyShare),
		shelves: newCache[*sitereader.Library](opt.CacheBytes), looks: newCache[siteapi.Look](lookBytes),
		loads: newFlight[*tree](), reads: newFlight[[]byte](),
		logger: opt.Logger,
	}
	if h.secure == nil {
		h.secure = func(r *http.Request) bool { return r.TLS != nil }
	}
	return h
}

// Route serves requests for sites and passes all others to the given handler. observe wraps the handler for sites, in
// order to count and time requests.
func (h *Host) Route(others http.Handler, observe func(http.Handler) http.Handler) http.Handler {
	sites := observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.serve(w, r, r.Context().Value(siteKey{}).(Site))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, found, err := h.findSites(r)
		s, rest, ok := choose(found, r.URL)
		switch {
		case err != nil:
			route.SetHeaders(w.Header())
			h.broken(w, r, fmt.Errorf("find site: %w", err))
		case ok:
			r = siteapi.Inside(r, s.Base, rest)
			sites.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, s)))
		case len(found) > 0: // the other paths belong to another server, under whose host name authors' scripts run
			route.SetHeaders(w.Header())
			plain(w, http.StatusNotFound, "Page not found.")
		// Authors' scripts may have run under such names, so nothing else may respond there (C9).
		case h.previewHost(hostname.Clean(r.Host)):
			route.SetHeaders(w.Header())
			plain(w, http.StatusNotFound, "Preview not found.")
		default:
			others.ServeHTTP(w, r)
		}
	})
}

// findSites returns the sites of the requested host, and the request with that host.
func (h *Host) findSites(r *http.Request) (*http.Request, []Site, error) {
	found, err := h.find(r.Context(), hostname.Clean(r.Host))
	if err != nil || len(found) > 0 || h.reached == nil {
		return r, found, err
	}
	host := h.reached(r)
	if host == "" {
		return r, nil, nil
	}
	if found, err = h.find(r.Context(), hostname.Clean(host)); len(found) > 0 {
		out := *r
		out.Host = host
		r = &out
	}
	return r, found, err
}

// siteKey is the context key under which Route passes a request's Site through the observer.
type siteKey struct{}

// serve handles a request for a site. The request's path is relative to the site's base.
func (h *Host) serve(w http.ResponseWriter, r *http.Request, s Site) {
	if r.URL.Path == "" && s.Base != "" { // the base itself; pages are below it
		route.SetHeaders(w.Header())
		redirect(w, r, resolution{location: s.Base + "/", permanent: true})
		return
	}
	w, r, ok := h.admit(w, r, s)
	if !ok {
		return
	}
	// A cached response needs no manifest; on protected sites, the reader determines the manifest.
	if !s.Access.Protected() {
		if want, usual := h.wishOf(w, r, s); usual && h.quick(w, r, s, want) {
			return
		}
	}
	if s, r, ok = h.enterVersion(w, r, s); !ok {
		return
	}
	s, err := h.forReader(r, s)
	if err != nil {
		route.SetHeaders(w.Header())
		h.broken(w, r, err)
		return
	}
	want, usual := h.wishOf(w, r, s)
	if usual && h.quick(w, r, s, want) {
		return
	}
	header := w.Header()
	route.SetHeaders(header)
	if !s.Access.Protected() || !siteapi.ReaderOf(r).Anonymous {
		siteapi.SetOffers(header, h.programs)
	}
	if h.secure(r) && s.Base == "" { // on a shared host, we must not set a policy for the other paths
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if s.Preview {
		header.Set("X-Robots-Tag", "noindex")
	}
	// A site's content must not prove that its author controls the domain.
	if strings.HasPrefix(r.URL.Path, project.ChallengePath) {
		plain(w, http.StatusNotFound, "Page not found.")
		return
	}
	agent := h.agents != nil && r.URL.Path == deploy.AgentPath
	program := h.program(r.URL.Path)
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !agent && program == nil {
		header.Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "Pages only support GET and HEAD.")
		return
	}
	if s.closed {
		plain(w, http.StatusNotFound, "Page not found.")
		return
	}
	if s.ManifestKey == "" {
		header.Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "This site has not been published yet. Try again in a moment.")
		return
	}
	t, err := h.treeOf(r.Context(), s)
	if err == nil {
		route.SetPolicy(header, t.policy)
	}
	switch {
	case err != nil:
		h.broken(w, r, err)
	case t.manifest.Base != s.Base:
		h.sendToAddress(w, r, s, t)
	case program != nil:
		program.ServeSite(w, r, h.endpointSite(r, s, t))
	case agent && !t.page(r):
		h.agents.ServeSite(w, r, agentSite(s), h.libraryOf(s, t))
	default:
		if !usual {
			want = wish{}
		}
		h.answer(w, r, s, t, want)
	}
}

// page reports whether a request for the MCP path comes from a browser that wants an author's page at that path.
func (t *tree) page(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && t.has(deploy.AgentPath[1:]+".html") &&
		!strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// answer responds with the site's content. It caches the response with a file under want, unless that is zero.
func (h *Host) answer(w http.ResponseWriter, r *http.Request, s Site, t *tree, want wish) {
	if t.speaks(r) {
		if page := t.languages.Page(r); page != "" && t.has(link.File(page)) {
			route.SendToLanguage(w, r, s.Base+route.Clean(page))
			return
		}
		route.SetLanguageHeaders(w.Header())
		want = wish{} // a cached response would be used for all languages
	}
	a := t.resolve(r)
	if a.location != "" {
		if strings.HasPrefix(a.location, "/") && !strings.HasPrefix(a.location, "//") {
			a.location = s.Base + a.location
		}
		redirect(w, r, a)
		return
	}
	status := http.StatusOK
	if a.name == "" {
		h.served(r, s, t, "", http.StatusNotFound)
		// The page links to the site's start. The status is still 404, for programs and search engines.
		if a.name, status = "404.html", http.StatusNotFound; !t.has(a.name) ||
			route.PrefersMarkdown(r.Header.Values("Accept")) {
			missing(w, r, s, t)
			return
		}
		w.Header().Add("Vary", "Accept") // other readers of this URL get Markdown
	}
	if a.chosen {
		w.Header().Set("Content-Location", s.Base+route.FilePath(a.name))
		w.Header().Add("Vary", "Accept")
	}
	if status == http.StatusOK {
		h.served(r, s, t, a.name, status)
	}
	route.SetPageHeaders(w.Header(), a.name, t.canonicalOrigin(a.name), t.has)
	route.Rebase(w.Header(), s.Base)
	if t.manifest.TrailingSlash {
		route.SlashCanonical(w.Header())
	}
	if err := h.file(w, r, t, a.name, status, want); err != nil {
		h.broken(w, r, err)
	}
}

// missing responds to a request for a missing path with Markdown.
func missing(w http.ResponseWriter, r *http.Request, s Site, t *tree) {
	w.Header().Add("Vary", "Accept")
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, route.Missing(s.Base, t.has)) // fails only if the client has disconnected
	}
}

func redirect(w http.ResponseWriter, r *http.Request, a resolution) {
	code := http.StatusTemporaryRedirect
	if a.permanent {
		code = http.StatusPermanentRedirect
	}
	w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	http.Redirect(w, r, route.WithQuery(a.location, r.URL.RawQuery), code)
}

// tree loads a manifest. Manifests never change, so cache entries do not expire.
func (h *Host) tree(ctx context.Context, key string) (*tree, error) {
	if t, ok := h.trees.get(key); ok {
		return t, nil
	}
	return h.loads.do(ctx, key, func(ctx context.Context) (*tree, error) {
		m, err := h.store.manifest(ctx, key)
		if err != nil {
			return nil, err
		}
		t := newTree(m)
		if err := h.loadLists(ctx, t); err != nil {
			return nil, err
		}
		h.trees.put(key, t, int64(len(m.Files)+1)*300) // about 300 bytes of memory per entry
		return t, nil
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

func (h *Host) broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the client has disconnected
	}
	h.logger.Error("failed to serve site", "host", r.Host, "path", r.URL.Path, "error", err)
	if !fault.IsOutage(err) && !fault.Is(err, fault.Unavailable) && !errors.Is(err, context.DeadlineExceeded) {
		plain(w, http.StatusInternalServerError, "An internal error occurred.")
		return
	}
	w.Header().Set("Retry-After", "2") // the page exists, but its storage is unavailable
	plain(w, http.StatusServiceUnavailable, "This site cannot be shown at the moment. Try again in a few seconds.")
}
