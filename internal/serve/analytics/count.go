package analytics

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Counter records events; eventcount.Counter implements it.
type Counter interface {
	Record(e audience.Event)
	Visitor(site string, from netip.Addr, agent string) [8]byte
	Refuse(n int) // counts events dropped because of a limit
}

// Options configure New.
type Options struct {
	Counter       Counter
	FeedbackStore FeedbackStore
	Proxies       auth.Proxies
	Now           func() time.Time
	Logger        *slog.Logger
	// Limits for one address: messages and requests by programs per minute, and feedback per hour; 0 = the default.
	PerMinute, ServedPerMinute, FeedbackPerHour int
}

// Default limits for one address. NetworkPerHour is for feedback from a whole network on one site, so that one network
// cannot use up the site's daily limit.
const (
	PerMinute       = 240
	ServedPerMinute = 600
	FeedbackPerHour = 60
	NetworkPerHour  = 80
)

const (
	maxBody   = 16 << 10 // bytes of one message
	maxEvents = 50       // per message
	maxTarget = 200      // bytes of an operation tried in the playground
	maxHits   = 1_000_000
)

// Beacon provides a process's analytics endpoints and records what its sites serve. It is safe for concurrent use.
type Beacon struct {
	Options
	readers  *audience.Classifier
	messages *auth.Rate
	served   *auth.Rate
	remarks  *auth.Rate
	networks *auth.Rate
}

// New returns a Beacon. Each process counts towards the limits separately, because they only protect its own memory.
func New(opt Options) *Beacon {
	if opt.PerMinute == 0 {
		opt.PerMinute = PerMinute
	}
	if opt.ServedPerMinute == 0 {
		opt.ServedPerMinute = ServedPerMinute
	}
	if opt.FeedbackPerHour == 0 {
		opt.FeedbackPerHour = FeedbackPerHour
	}
	return &Beacon{Options: opt, readers: audience.NewClassifier(), messages: auth.NewRate(opt.PerMinute, nil, opt.Now),
		served:   auth.NewRate(opt.ServedPerMinute, nil, opt.Now),
		remarks:  auth.NewHourly(opt.FeedbackPerHour, "each address", nil, opt.Now),
		networks: auth.NewHourly(NetworkPerHour, "each network", nil, opt.Now)}
}

// Count returns the endpoint to which pages send analytics events.
func (b *Beacon) Count() siteapi.Endpoint { return countEndpoint{b} }

type countEndpoint struct{ *Beacon }

// eventJSON is an event sent by a script.
type eventJSON struct {
	Kind     audience.Kind `json:"kind"`
	Path     string        `json:"path"`
	Referrer string        `json:"referrer"`
	Query    string        `json:"query"`
	Hits     int           `json:"hits"`
	Target   string        `json:"target"`
	Status   int           `json:"status"`
}

// ServeSite processes a message. It responds to every POST with 204: a page could not react to an error, and an
// anonymous caller should learn nothing.
func (d countEndpoint) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	if !post(w, r) {
		return
	}
	defer w.WriteHeader(http.StatusNoContent)
	from := d.Proxies.Caller(r)
	if !d.counts(r, s) {
		return
	}
	if d.messages.Take(r.Context(), siteapi.CallerKey(from), http.Header{}) != nil {
		d.Counter.Refuse(1) // the message counts as one event, whatever it contains
		return
	}
	agent := r.UserAgent()
	if d.readers.Find(agent).Class != audience.Human {
		return // a program that runs scripts; Served has already counted it
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return
	}
	var list []eventJSON
	if json.Unmarshal(raw, &list) != nil {
		return
	}
	now, visitor := d.Now(), d.Counter.Visitor(s.ProjectID, from, agent)
	for _, in := range list[:min(len(list), maxEvents)] {
		if e, ok := event(in, s); ok {
			e.ProjectID, e.At, e.Class, e.Visitor = s.ProjectID, now, audience.Human, visitor
			d.Counter.Record(e)
		}
	}
}

// event validates an event sent by a script, and limits the length and range of its values.
func event(in eventJSON, s siteapi.Site) (e audience.Event, ok bool) {
	e = audience.Event{Kind: in.Kind, Path: page(in.Path), Query: audience.Query(in.Query),
		Hits: min(max(in.Hits, 0), maxHits), Status: min(max(in.Status, 0), 999)}
	e.Path = known(e.Path, s)
	switch in.Kind {
	case audience.View:
		e.Referrer = audience.Referrer(in.Referrer, s.Host, host(s.Origin))
		return e, e.Path != ""
	case audience.Copy:
		return e, e.Path != ""
	case audience.Search:
		return e, e.Query != ""
	case audience.Click:
		e.Target = known(page(in.Target), s)
		return e, e.Query != "" && e.Target != ""
	case audience.Try:
		if e.Target = operation(in.Target); e.Target != "" && e.Path == audience.Other {
			e.Target = audience.Other // no page of the site has this operation
		}
		return e, e.Target != ""
	}
	return e, false // the server counts the other kinds itself
}

// known returns path if the site has that page. All other paths are counted together as audience.Other, because anyone
// can request any number of paths that do not exist. "" is returned unchanged.
func known(path string, s siteapi.Site) string {
	if path != "" && s.Library != nil && !s.Library.Has(path) {
		return audience.Other
	}
	return path
}

// page returns the form in which a path is counted: unescaped, like file names, and with a leading slash, which pages
// of a bundle omit.
func page(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Opaque == "" {
		raw = u.Path
	}
	if !strings.HasPrefix(raw, "/") && raw != "" {
		raw = "/" + raw
	}
	return audience.Path(raw)
}

// operation returns a method and path in the form that API descriptions use, or "" if raw is anything else.
func operation(raw string) string {
	method, path, ok := strings.Cut(strings.Join(strings.Fields(audience.Text(raw, maxTarget)), " "), " ")
	if !ok || !strings.HasPrefix(path, "/") || method == "" || len(method) > 10 ||
		strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return method + " " + path
}

// counts reports whether to count this reader's visits to this site.
func (b *Beacon) counts(r *http.Request, s siteapi.Site) bool {
	return s.ProjectID != "" && !s.Preview && !audience.Silent(r.Header.Get("DNT"), r.Header.Get("Sec-GPC"))
}

// post reports whether the request is a POST, and responds to all other requests itself. It allows every origin,
// because the pages of a site's bundles send from other origins and the data is not confidential.
func post(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		return true
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	default:
		h.Set("Allow", "POST, OPTIONS")
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "This path only supports POST.")
	}
	return false
}

func host(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
