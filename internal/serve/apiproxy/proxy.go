package apiproxy

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// Options configure New.
type Options struct {
	Guard   *outbound.Guard // decides which addresses origins in descriptions may have; nil = public ones
	Origins []string        // listed by the operator; they may have any address
	Closed  bool            // permit only Origins, regardless of descriptions
	Proxies auth.Proxies
	Counter auth.Counter // counts across all processes; nil = this is the only one
	Now     func() time.Time
	Logger  *slog.Logger
	Count   func(outcome string) // called with the outcome of each request; may be nil
	// Audit records that visitors of a site reached an origin at an address that only the operator's list permits. It
	// is called at most once an hour for each site and origin; nil = log only.
	Audit func(ctx context.Context, s siteapi.Site, origin string) error
	// Hosts reports whether the proxy may be used under the request's host name. A server that responds to any host
	// name must set it: otherwise attackers could point a name of their own at the server, and their pages would count
	// as pages of the site. nil = the site's server checks host names.
	Hosts    func(siteapi.Site) bool
	Previews bool // branch previews may use it too, not only published sites
	// Requests per hour; 0 = the default.
	PerVisitor, PerSite int
	Limits              Limits
}

// Limits per hour.
const (
	PerVisitor = 600
	PerSite    = 20_000
)

// Limits apply to one request. A zero field means the default.
type Limits struct {
	Request int64 // bytes of the request body; default 10 MiB
	Answer  int64 // bytes of the decompressed response body; default 20 MiB, the rest is truncated
	// from dialing to the last byte of the response; default 60 s. A visitor who does not read the response is
	// disconnected after another quarter of that time
	Time time.Duration
	Open int // concurrent requests by all visitors; default 200
	// Concurrent requests by one visitor, default 10, and by one site's visitors, default 100.
	OpenVisitor, OpenSite int
}

func (l Limits) orDefault() Limits {
	if l.Request <= 0 {
		l.Request = 10 << 20
	}
	if l.Answer <= 0 {
		l.Answer = 20 << 20
	}
	if l.Time <= 0 {
		l.Time = time.Minute
	}
	if l.Open <= 0 {
		l.Open = 200
	}
	if l.OpenVisitor <= 0 {
		l.OpenVisitor = 10
	}
	if l.OpenSite <= 0 {
		l.OpenSite = 100
	}
	return l
}

// Outcomes of requests.
const (
	Answered    = "answered"
	Cut         = "cut"     // the response was truncated
	Refused     = "refused" // forbidden by a rule
	Limited     = "limited" // rate limit exceeded
	Unreachable = "unreachable"
	TimedOut    = "timeout"
)

// Proxy serves every site. Between requests it keeps only counts. It is safe for concurrent use.
type Proxy struct {
	opt      Options
	send     http.RoundTripper // does not follow redirects
	origins  map[string]bool   // listed by the operator
	visitors *auth.Rate
	sites    *auth.Rate
	audited  *auth.Rate // one event per hour for each site and origin
	owed     sync.Map   // keys (string) of events that could not be recorded
	slots    *slots
}

// New creates the handler. It ignores invalid origins in opt.Origins, because the operator's settings are validated
// earlier.
func New(opt Options) *Proxy {
	opt.Limits = opt.Limits.orDefault()
	if opt.PerVisitor == 0 {
		opt.PerVisitor = PerVisitor
	}
	if opt.PerSite == 0 {
		opt.PerSite = PerSite
	}
	if opt.Guard == nil {
		opt.Guard = &outbound.Guard{}
	}
	if opt.Closed {
		opt.Guard = opt.Guard.Closed()
	}
	d := &Proxy{opt: opt, origins: map[string]bool{}, slots: newSlots(opt.Limits),
		visitors: auth.NewHourly(opt.PerVisitor, "each visitor", opt.Counter, opt.Now),
		sites:    auth.NewHourly(opt.PerSite, "all visitors of a site", opt.Counter, opt.Now),
		audited:  auth.NewHourly(1, "the playground's audit", opt.Counter, opt.Now)}
	var places []string
	for _, text := range opt.Origins {
		if o, err := parseOrigin(text); err == nil {
			d.origins[o.String()] = true
			places = append(places, o.place)
		}
	}
	// The proxy truncates long responses itself and keeps the bytes before the limit; the client would discard them.
	d.send = opt.Guard.Trusting(places).Client(outbound.Limits{Bytes: 1 << 60, Time: opt.Limits.Time}).Transport
	return d
}

// ServeSite handles requests to a site's capability.ProxyPath.
func (d *Proxy) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	switch {
	case !strings.HasSuffix(r.URL.Path, capability.ProxyPath):
		siteapi.Refuse(w, http.StatusNotFound, "not_found", "Page not found.")
	case !d.open(s):
		siteapi.Refuse(w, http.StatusForbidden, "no_proxy", "Requests are not forwarded for this host name.")
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		h.Set("Lectern-Proxy", "1")
		w.WriteHeader(http.StatusNoContent)
	case r.Method != http.MethodPost:
		h.Set("Allow", "GET, HEAD, POST")
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed",
			"This address only supports POST requests of the playground.")
	default:
		d.pass(w, r, s)
	}
}

// pass runs the exchange and logs its outcome.
func (d *Proxy) pass(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	e := &exchange{proxy: d, site: s, started: d.opt.Now()}
	outcome, err := e.run(w, r)
	if d.opt.Count != nil {
		d.opt.Count(outcome)
	}
	line := []any{"site", siteKey(s), "outcome", outcome, "origin", e.origin, "method", e.method, "status", e.status,
		"internal", e.internal.Load(),
		"ms", d.opt.Now().Sub(e.started).Milliseconds()}
	if err != nil {
		line = append(line, "error", err)
	}
	d.opt.Logger.Info("playground request", line...)
	if outcome == Cut && err != nil {
		// The page must not treat a partial body as complete; this closes the connection.
		panic(http.ErrAbortHandler)
	}
}

// open reports whether the proxy serves this site's readers. A preview shows unpublished content (F5), and an unknown
// host name may belong to anyone.
func (d *Proxy) open(s siteapi.Site) bool {
	return (d.opt.Previews || !s.Preview) && (d.opt.Hosts == nil || d.opt.Hosts(s))
}

// admit checks whether a visitor may send another request.
func (d *Proxy) admit(w http.ResponseWriter, r *http.Request, s siteapi.Site) error {
	if !siteapi.OwnPage(r) {
		return fault.New(fault.Forbidden, "foreign_page", "Only pages of this site may send requests through it.")
	}
	if err := d.visitors.Take(r.Context(), "playground "+d.caller(r), w.Header()); err != nil {
		return err
	}
	return d.sites.Take(r.Context(), "playground "+siteKey(s), http.Header{})
}

// caller returns the key that identifies a visitor.
func (d *Proxy) caller(r *http.Request) string {
	if a := d.opt.Proxies.Caller(r); a != (netip.Addr{}) {
		return siteapi.CallerKey(a)
	}
	return "nobody"
}

// siteKey identifies a site in counts and logs. Without projects there is only one site.
func siteKey(s siteapi.Site) string {
	if s.ProjectID == "" {
		return "site"
	}
	return s.ProjectID
}
