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
	Guard   *outbound.Guard // which addresses origins of descriptions may have; nil = public ones
	Origins []string        // the operator's; they may be at any address
	Closed  bool            // only those, whatever descriptions name
	Proxies auth.Proxies
	Counter auth.Counter // counts over all processes; nil = this is the only one
	Now     func() time.Time
	Logger  *slog.Logger
	Count   func(outcome string) // called with the outcome of each request; may be nil
	// Audit notes that visitors of a site reached an origin at an address that is open to them by the operator's list
	// alone. It is called at most once an hour for a site and an origin; nil = the log has it only.
	Audit func(ctx context.Context, s siteapi.Site, origin string) error
	// Hosts reports whether visitors may use the relay under the host name that they used. A server that answers to
	// every name must set it: a name that an attacker points at it makes the attacker's pages pages of the site. nil =
	// the server of the site checks host names.
	Hosts    func(siteapi.Site) bool
	Previews bool // previews of branches may use it too; else only what is published
	// Requests an hour; 0 takes the default.
	PerVisitor, PerSite int
	Limits              Limits
}

// The limits of one hour.
const (
	PerVisitor = 600
	PerSite    = 20_000
)

// Limits bound one request. A zero field takes its default.
type Limits struct {
	Request int64 // bytes of its body; default 10 MiB
	Answer  int64 // bytes of the answer's body, unpacked; default 20 MiB, the rest is cut off
	// from dialing to the answer's last byte; default 60 s. A visitor who does not take the answer is left a quarter
	// later
	Time time.Duration
	Open int // requests at one time, of all visitors; default 200
	// The same of one visitor, default 10, and of the visitors of one site, default 100.
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

// How requests end.
const (
	Answered    = "answered"
	Cut         = "cut"     // answered, but not to the end
	Refused     = "refused" // by a rule
	Limited     = "limited" // there were too many
	Unreachable = "unreachable"
	TimedOut    = "timeout"
)

// Proxy serves every site. It keeps only counts between requests, and is safe for concurrent use.
type Proxy struct {
	opt      Options
	send     http.RoundTripper // follows no redirect
	origins  map[string]bool   // the operator's
	visitors *auth.Rate
	sites    *auth.Rate
	audited  *auth.Rate // one event an hour for a site and an origin
	owed     sync.Map   // of string: events that could not be written
	slots    *slots
}

// New creates the handler. An invalid origin of the operator's, which settings refuse, allows nothing.
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
	// What is too long is cut here, with the bytes that came before it; the client would drop them.
	d.send = opt.Guard.Trusting(places).Client(outbound.Limits{Bytes: 1 << 60, Time: opt.Limits.Time}).Transport
	return d
}

// ServeSite answers a request to a site's capability.ProxyPath.
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

// pass runs the exchange, and reports its outcome.
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
		// the page must not take what came so far for the whole; the server ends the connection
		panic(http.ErrAbortHandler)
	}
}

// open reports whether the proxy serves readers of this site: a preview shows unpublished content (F5), and a name
// that the operator does not know may be anybody's.
func (d *Proxy) open(s siteapi.Site) bool {
	return (d.opt.Previews || !s.Preview) && (d.opt.Hosts == nil || d.opt.Hosts(s))
}

// admit says whether a visitor may send one more request.
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

// siteKey identifies a site in counts and logs. Without projects there is one site.
func siteKey(s siteapi.Site) string {
	if s.ProjectID == "" {
		return "site"
	}
	return s.ProjectID
}
