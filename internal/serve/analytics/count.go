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
	Refuse(n int) // events that a limit kept out
}

// Options configure New.
type Options struct {
	Counter       Counter
	FeedbackStore FeedbackStore
	Proxies       auth.Proxies
	Now           func() time.Time
	Logger        *slog.Logger
	// Messages and answers to programs a minute, and pieces of feedback an hour, of one address; 0 takes the default.
	PerMinute, ServedPerMinute, FeedbackPerHour int
}

// The limits for one address; the last is that of a whole network on one site, so that it cannot use up what the site
// takes in a day.
const (
	PerMinute       = 240
	ServedPerMinute = 600
	FeedbackPerHour = 60
	NetworkPerHour  = 80
)

const (
	maxBody   = 16 << 10 // bytes of one message
	maxEvents = 50       // of one message
	maxTarget = 200      // bytes of what was tried
	maxHits   = 1_000_000
)

// Beacon has the endpoints and the watcher of one process. It is safe for concurrent use.
type Beacon struct {
	Options
	readers  *audience.Classifier
	messages *auth.Rate
	served   *auth.Rate
	remarks  *auth.Rate
	networks *auth.Rate
}

// New makes them. Limits are counted by each process alone: they keep strangers from filling the memory, no more.
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

// Count returns the endpoint to which pages report what their readers do.
func (b *Beacon) Count() siteapi.Endpoint { return countEndpoint{b} }

type countEndpoint struct{ *Beacon }

// eventJSON is an event as a script sends it.
type eventJSON struct {
	Kind     audience.Kind `json:"kind"`
	Path     string        `json:"path"`
	Referrer string        `json:"referrer"`
	Query    string        `json:"query"`
	Hits     int           `json:"hits"`
	Target   string        `json:"target"`
	Status   int           `json:"status"`
}

// ServeSite takes a message. It answers 204 whatever it did with it: there is nothing that a page could do better, and
// nothing that an anonymous caller should learn.
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
		d.Counter.Refuse(1) // one message, whatever it holds
		return
	}
	agent := r.UserAgent()
	if d.readers.Find(agent).Class != audience.Human {
		return // a program that runs scripts; the watcher has counted it
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

// event limits and validates what a script sent.
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
			e.Target = audience.Other // no page of the site has it
		}
		return e, e.Target != ""
	}
	return e, false // others are counted by the server itself
}

// known returns the path of a page that the site has; others share one name, since strangers can make up any number of
// them. "" stays.
func known(path string, s siteapi.Site) string {
	if path != "" && s.Library != nil && !s.Library.Has(path) {
		return audience.Other
	}
	return path
}

// page returns a path as it is counted: not escaped, as files are named. Pages of a bundle know theirs without the
// slash before it.
func page(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Opaque == "" {
		raw = u.Path
	}
	if !strings.HasPrefix(raw, "/") && raw != "" {
		raw = "/" + raw
	}
	return audience.Path(raw)
}

// operation returns a method and a path as a description has them; "" for anything else.
func operation(raw string) string {
	method, path, ok := strings.Cut(strings.Join(strings.Fields(audience.Text(raw, maxTarget)), " "), " ")
	if !ok || !strings.HasPrefix(path, "/") || method == "" || len(method) > 10 ||
		strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return method + " " + path
}

// counts reports whether visits of a site, and of this reader, are counted at all.
func (b *Beacon) counts(r *http.Request, s siteapi.Site) bool {
	return s.ProjectID != "" && !s.Preview && !audience.Silent(r.Header.Get("DNT"), r.Header.Get("Sec-GPC"))
}

// post lets messages through and answers all else. Bundles of the site send from other origins; what they send is
// public.
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
