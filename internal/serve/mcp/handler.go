package mcp

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Options configures New.
type Options struct {
	Version string // version of this program
	Proxies auth.Proxies
	Local   bool         // the handler serves programs on this machine only: it rejects other host names
	Counter auth.Counter // counts across all processes; nil = this is the only one
	Now     func() time.Time
	Logger  *slog.Logger
	// Recorder receives searches and page reads by programs on published sites; may be nil.
	Recorder audience.Recorder
	// Requests per hour; 0 = the default.
	PerAddress, PerTool int
}

// Limits per hour.
const (
	PerAddress = 5_000  // requests from one address
	PerTool    = 10_000 // calls of one tool on one site
)

const (
	maxBody = 256 << 10        // bytes; arguments are short
	longest = 30 * time.Second // time limit of a response
)

// Handler serves every site. Between requests it keeps only counts. It is safe for concurrent use.
type Handler struct {
	version string
	proxies auth.Proxies
	schemas *sdk.SchemaCache
	callers *auth.Rate
	calls   *auth.Rate
	log     *slog.Logger
	record  audience.Recorder
	now     func() time.Time
	handler http.Handler
}

// New creates the handler.
func New(opt Options) *Handler {
	if opt.PerAddress == 0 {
		opt.PerAddress = PerAddress
	}
	if opt.PerTool == 0 {
		opt.PerTool = PerTool
	}
	d := &Handler{version: opt.Version, proxies: opt.Proxies, log: opt.Logger, record: opt.Recorder, now: opt.Now,
		schemas: sdk.NewSchemaCache(),
		callers: auth.NewHourly(opt.PerAddress, "each address", opt.Counter, opt.Now),
		calls:   auth.NewHourly(opt.PerTool, "this site", opt.Counter, opt.Now)}
	d.handler = sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		s, _ := r.Context().Value(serverKey{}).(*sdk.Server)
		return s
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		// On a server, the host name has already been matched to a site.
		DisableLocalhostProtection: !opt.Local,
	})
	return d
}

// serverKey is the context key of a request's MCP server.
type serverKey struct{}

// ServeSite handles a request to a site's /mcp. site is a unique id of the site.
func (d *Handler) ServeSite(w http.ResponseWriter, r *http.Request, site string, l *sitereader.Library) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
	if !d.admitOrigin(w, r) {
		refuse(w, http.StatusForbidden, "Pages of this origin may not call this site.")
		return
	}
	switch r.Method {
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodPost:
	default: // there are no sessions to listen to or to end
		h.Set("Allow", "POST, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed,
			"This is the site's MCP server (streamable HTTP, without sessions): add this address to an MCP client.")
		return
	}
	if err := d.callers.Take(r.Context(), siteapi.CallerKey(d.proxies.Caller(r)), h); err != nil {
		if f, ok := fault.As(err); ok {
			h.Set("Retry-After", strconv.Itoa(int(f.RetryAfter/time.Second)+1))
		}
		refuse(w, http.StatusTooManyRequests, fault.Public(err))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	server := newServer(l, d.version, d.schemas,
		func(tool string) error { return d.calls.Take(ctx, site+" "+tool, http.Header{}) }, d.noteFor(r, site), d.log)
	d.handler.ServeHTTP(w, r.WithContext(context.WithValue(ctx, serverKey{}, server)))
}

// admitOrigin lets programs in browsers read the response: a site's content is public and no cookie is used. A site
// on the reader's own machine is not public, so only pages from that machine may request it (DNS rebinding).
func (d *Handler) admitOrigin(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	if hostname.IsLocal(r.Host) && !hostname.IsLocal(u.Host) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
	h.Set("Access-Control-Allow-Headers",
		"Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers",
		"Mcp-Session-Id, Mcp-Protocol-Version, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After")
	h.Set("Access-Control-Max-Age", "86400")
	return true
}

func refuse(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(sentence + "\n")) // fails only if the caller has disconnected
}
