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

// Where the dashboard answers. Proposals had pages below OldPath once, and links to them are stored.
const (
	Path      = "/dashboard/"
	FilesPath = Path + "files/"
	OldPath   = "/_dashboard/"
)

// policy lets pages use this server's files and forms and nothing else; scripts cannot write HTML except by the one
// policy of live.ts (C5).
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lectern"

// Options are what the dashboard works with.
type Options struct {
	Version   string
	DocsURL   string       // where our own docs are published; "" = nowhere
	PublicURL string       // address of this server; "" = the one each caller uses
	Proxies   auth.Proxies // believed about that address
	API       http.Handler // the admin API
	SignIn    *signin.Service
	Readers   *siteaccess.Service // hands members over to protected sites; nil = there are none
	// GitHubApps creates GitHub Apps; nil = people create them by hand
	GitHubApps *githubapp.Flow
	Log        *slog.Logger
	Now        func() time.Time
	Mail       bool     // links are sent by mail too
	Models     []string // that agent jobs may run with, the default first
	SiteURL    func(domain string) string
	Stopping   <-chan struct{} // closed when the server begins to stop: streams end; nil = never
	LivePoll   time.Duration   // how often live pages look for news; 0 = 700 ms
}

// Board answers for pages and files.
type Board struct {
	Options
	Mux     *http.ServeMux
	cross   *http.CrossOriginProtection
	pages   pages
	look    asset.Look
	files   func() files    // read when the first is asked for
	live    map[string]bool // patterns of the pages that can be followed
	streams *streams
}

// New creates the handler of all routes, with the templates of the packages that have them in a folder pages.
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

// AllowFormTo lets forms of this page also be sent to another origin, which must be trusted text.
func (v *Visit) AllowFormTo(origin string) {
	v.W.Header().Set("Content-Security-Policy",
		strings.Replace(policy, "form-action 'self'", "form-action 'self' "+origin, 1))
}

// ServeHTTP answers a request.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // links of invitation are secrets; no other site learns them
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
