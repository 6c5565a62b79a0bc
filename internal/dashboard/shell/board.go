package shell

import (
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	front "github.com/lectern-docs/lectern/web/dashboard"
)

// Paths of the dashboard. Proposals had pages below OldPath before, and links to them are stored.
const (
	Path      = "/dashboard/"
	FilesPath = Path + "files/"
	OldPath   = "/_dashboard/"
)

// policy permits only this server's own files and forms; scripts cannot write HTML except through the one policy in
// live.ts (C5).
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lectern"

// Options configures the dashboard.
type Options struct {
	Version   string
	DocsURL   string       // URL where our own docs are published; "" = not published
	PublicURL string       // address of this server; "" = the address that each caller uses
	Proxies   auth.Proxies // proxies trusted to report that address
	API       http.Handler // the admin API
	SignIn    *signin.Service
	Readers   *siteaccess.Service // signs members in to protected sites; nil = there are none
	// GitHubApps creates GitHub Apps; nil = users create them manually
	GitHubApps *githubapp.Flow
	Log        *slog.Logger
	Now        func() time.Time
	Mail       bool     // links are also sent by mail
	Models     []string // models available to agent jobs, default first
	SiteURL    func(domain string) string
	Stopping   <-chan struct{} // closed when the server begins to stop, which ends streams; nil = never
	LivePoll   time.Duration   // how often live pages poll for changes; 0 = 700 ms
}

// Board serves pages and files.
type Board struct {
	Options
	Mux     *http.ServeMux
	cross   *http.CrossOriginProtection
	pages   pages
	look    asset.Look
	files   func() files    // loaded on first use
	live    map[string]bool // patterns of the pages with live updates
	streams *streams
}

// New returns the handler for all routes, with the templates in the folder pages of each package.
func New(o Options, all []Route, packages ...fs.FS) http.Handler {
	if o.LivePoll == 0 {
		o.LivePoll = 700 * time.Millisecond
	}
	look := loadLook()
	b := &Board{Options: o, look: look, Mux: http.NewServeMux(), cross: http.NewCrossOriginProtection(),
		pages: loadPages(packages, o.Now), files: sync.OnceValue(func() files { return loadFiles(front.Files(), look) }),
		live: map[string]bool{}, streams: newStreams(mostStreams)}
	for _, r := range all {
		if r.FromOthers != nil && r.FromOthers(b) {
			b.cross.AddInsecureBypassPattern(r.Method + " " + r.Pattern)
		}
		b.Mux.Handle(r.Method+" "+r.Pattern, b.serve(r))
		b.live[r.Method+" "+r.Pattern] = r.Live
	}
	b.Mux.HandleFunc("GET "+FilesPath+"{name...}", b.serveFile)
	b.Mux.HandleFunc("/", b.serveUnknown)
	return b
}

// AllowFormTo permits forms of this page to be submitted to another origin, which must be trusted.
func (v *Visit) AllowFormTo(origin string) {
	v.W.Header().Set("Content-Security-Policy",
		strings.Replace(policy, "form-action 'self'", "form-action 'self' "+origin, 1))
}

// ServeHTTP handles a request.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // invitation links are secrets and must not be sent to other sites
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !b.home(r) {
		b.serveElsewhere(w, r)
		return
	}
	if err := b.cross.Check(r); err != nil {
		b.refuse(w, r, http.StatusForbidden, "The form was sent by another site.",
			"Open the dashboard and try again there.")
		return
	}
	if r.URL.Path == livePath || r.Header.Get(liveHeader) != "" {
		r = r.WithContext(signin.Unattended(r.Context()))
	}
	b.Mux.ServeHTTP(w, r)
}
