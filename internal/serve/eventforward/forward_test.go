package eventforward_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/serve/eventforward"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// tool is a local server that stands in for a tool's server.
type tool struct {
	*httptest.Server
	mu     sync.Mutex
	got    []string // path, authorization and body
	status []int    // of the next responses; afterwards 200
}

func newTool(t *testing.T, status ...int) *tool {
	x := &tool{status: status}
	x.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.mu.Lock()
		defer x.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("%s %v", r.Method, r.Header)
		}
		user, _, _ := r.BasicAuth()
		x.got = append(x.got, r.URL.RequestURI()+" "+user+" "+string(body))
		if len(x.status) > 0 {
			w.WriteHeader(x.status[0])
			x.status = x.status[1:]
		}
	}))
	t.Cleanup(x.Close)
	return x
}

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func events() []audience.Event {
	return []audience.Event{
		{ProjectID: "prj_a", At: at, Kind: audience.View, Class: audience.Human, Path: "/a", Visitor: [8]byte{1},
			Referrer: "news.example.com"},
		{ProjectID: "prj_a", At: at, Kind: audience.Search, Class: audience.Human, Path: "/", Visitor: [8]byte{1},
			Query: "install", Hits: 2},
		{ProjectID: "prj_a", At: at, Kind: audience.Missing, Path: "/gone"}, // not forwarded
	}
}

// run sends events to one tool and returns how many were sent and dropped.
func run(t *testing.T, x *tool, i deploy.Integration, change func(*eventforward.Options),
	list []audience.Event) map[string]int {
	t.Helper()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]int{}
	opt := eventforward.Options{Now: func() time.Time { return at }, Logger: slog.New(slog.DiscardHandler),
		Client: guard.Client(outbound.Limits{}), GA4Secret: "s3cret", Every: time.Hour, Pause: time.Millisecond,
		Hosts: map[string]string{i.Tool: x.URL}, Count: func(outcome string, n int) { counted[outcome] += n },
		Sites: func(context.Context, string) (eventforward.Site, error) {
			return eventforward.Site{Origin: "https://docs.example.com", Tools: []deploy.Integration{i}}, nil
		}}
	if change != nil {
		change(&opt)
	}
	f := eventforward.Open(opt)
	for _, e := range list {
		f.Tell(e)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return counted
}

// Each tool gets events in its documented format, with the visitor's number for the day and never an IP address.
func TestEventsAreSentInToolFormat(t *testing.T) {
	const who = "visitor-0100000000000000"
	const view = `{"class":"human","path":"/a","referrer":"news.example.com","url":"https://docs.example.com/a"}`
	const search = `{"class":"human","path":"/","results":2,"url":"https://docs.example.com/"}`
	for name, want := range map[string][]string{
		"plausible": {
			`/api/event  {"domain":"k","name":"pageview","props":{"class":"human"},"referrer":"https://news.example.com","url":"https://docs.example.com/a"}`,
			`/api/event  {"domain":"k","name":"search","props":{"class":"human"},"url":"https://docs.example.com/"}`},
		"segment": {`/v1/batch k {"batch":[{"anonymousId":"` + who +
			`","context":{"ip":"0.0.0.0"},"name":"/a","properties":` + view +
			`,"timestamp":"2026-03-04T05:06:07Z","type":"page"},` +
			`{"anonymousId":"` + who + `","context":{"ip":"0.0.0.0"},"event":"search","properties":` + search +
			`,"timestamp":"2026-03-04T05:06:07Z","type":"track"}]}`},
		"amplitude": {`/2/httpapi  {"api_key":"k","events":[{"device_id":"` + who + `","event_properties":` + view +
			`,"event_type":"page_view","time":1772600767000},` +
			`{"device_id":"` + who + `","event_properties":` + search +
			`,"event_type":"search","time":1772600767000}]}`},
		"heap": {`/api/track  {"app_id":"k","events":[{"event":"page_view","identity":"` + who + `","properties":` +
			view + `,"timestamp":"2026-03-04T05:06:07Z"},` +
			`{"event":"search","identity":"` + who + `","properties":` + search +
			`,"timestamp":"2026-03-04T05:06:07Z"}]}`},
	} {
		x := newTool(t)
		if counted := run(t, x, deploy.Integration{Tool: name, Key: "k"}, nil,
			events()); counted[eventforward.Sent] != 2 || counted[eventforward.Dropped] != 0 ||
			strings.Join(x.got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, counted, strings.Join(x.got, "\n"), strings.Join(want, "\n"))
		}
	}
	for name, check := range map[string]func(path string, body map[string]any) string{
		"posthog": func(path string, body map[string]any) string {
			first := body["batch"].([]any)[0].(map[string]any)
			p := first["properties"].(map[string]any)
			return fmt.Sprint(path, body["api_key"], first["event"], first["timestamp"], p["distinct_id"],
				p["$current_url"], p["$process_person_profile"], p["$geoip_disable"])
		},
		"ga4": func(path string, body map[string]any) string {
			list := body["events"].([]any)
			p := list[0].(map[string]any)
			return fmt.Sprint(path, body["client_id"], body["non_personalized_ads"], len(list), p["name"],
				p["params"].(map[string]any)["page_location"])
		},
	} {
		x := newTool(t)
		run(t, x, deploy.Integration{Tool: name, Key: "k"}, nil, events())
		path, raw, _ := strings.Cut(x.got[0], "  ")
		var body map[string]any
		if err := json.Unmarshal([]byte(raw), &body); err != nil || len(x.got) != 1 {
			t.Fatalf("%s: %q %v", name, x.got, err)
		}
		want := map[string]string{"posthog": "/batch/k$pageview2026-03-04T05:06:07Z" + who +
			"https://docs.example.com/afalse true",
			"ga4": "/mp/collect?api_secret=s3cret&measurement_id=k" + who +
				"true2page_viewhttps://docs.example.com/a"}[name]
		if got := strings.ReplaceAll(check(path, body), " ", ""); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	x := newTool(t)
	run(t, x, deploy.Integration{Tool: "mixpanel", Key: "k"}, nil, events())
	if len(x.got) != 1 || !strings.HasPrefix(x.got[0],
		`/track?ip=0  [{"event":"page_view","properties":{"class":"human","distinct_id":"`+who+`"`) ||
		!strings.Contains(x.got[0], `"time":1772600767,"token":"k"`) {
		t.Errorf("%q", x.got)
	}
}

func TestRejectedEventsAreDroppedAndCounted(t *testing.T) {
	segment := deploy.Integration{Tool: "segment", Key: "k"}
	x := newTool(t, 503, 429)
	if counted := run(t, x, segment, nil, events()); counted[eventforward.Sent] != 2 || len(x.got) != 3 {
		t.Errorf("busy: %v, %d requests", counted, len(x.got))
	}
	x = newTool(t, 500, 500, 500, 500)
	if counted := run(t, x, segment, nil, events()); counted[eventforward.Dropped] != 2 || len(x.got) != 3 {
		t.Errorf("broken: %v, %d requests", counted, len(x.got))
	}
	x = newTool(t, 401)
	if counted := run(t, x, segment, nil, events()); counted[eventforward.Dropped] != 2 || len(x.got) != 1 {
		t.Errorf("refused: %v, %d requests", counted, len(x.got))
	}
	x = newTool(t)
	if counted := run(t, x, segment, func(o *eventforward.Options) { o.Queue = 1 },
		events()); counted[eventforward.Sent] != 1 || counted[eventforward.Dropped] != 1 {
		t.Errorf("full: %v", counted)
	}
	x = newTool(t)
	if run(t, x, deploy.Integration{Tool: "ga4", Key: "k"}, func(o *eventforward.Options) { o.GA4Secret = "" },
		events()); len(x.got) != 0 {
		t.Errorf("without a secret: %q", x.got)
	}
}

// F1, F2: requests to an address chosen by an author go through the guard.
func TestToolOnInternalAddressIsNotCalled(t *testing.T) {
	guard, err := outbound.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	x := newTool(t)
	counted := run(t, x, deploy.Integration{Tool: "posthog", Key: "k", Host: strings.Replace(x.URL, "http:", "https:",
		1)}, func(o *eventforward.Options) { o.Client, o.Hosts = guard.Client(outbound.Limits{}), nil }, events())
	if counted[eventforward.Dropped] != 2 || len(x.got) != 0 {
		t.Errorf("%v %q", counted, x.got)
	}
}

// A tool's address may contain only a host: no path, no user, no plain HTTP.
func TestToolURLMustBeAHost(t *testing.T) {
	for _, host := range []string{"http://analytics.example.com", "https://analytics.example.com/path",
		"analytics.example.com?x=", "https://user:pw@analytics.example.com", "analytics.example.com#x",
		"ftp://analytics.example.com", "https://"} {
		x := newTool(t)
		client := &http.Client{Transport: redirected{x.URL}}
		counted := run(t, x, deploy.Integration{Tool: "plausible", Key: "k", Host: host},
			func(o *eventforward.Options) { o.Client, o.Hosts = client, nil }, events())
		if counted[eventforward.Dropped] != 2 || len(x.got) != 0 {
			t.Errorf("%s: %v %q", host, counted, x.got)
		}
		if counted = run(t, x, deploy.Integration{Tool: "plausible", Key: "k", Host: "analytics.example.com/"},
			func(o *eventforward.Options) { o.Client, o.Hosts = client, nil },
			events()); counted[eventforward.Sent] != 2 {
			t.Errorf("a host alone: %v", counted)
		}
	}
}

// redirected sends every request to one server.
type redirected struct{ to string }

func (d redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := url.Parse(d.to)
	if err != nil {
		return nil, err
	}
	r.URL.Scheme, r.URL.Host = u.Scheme, u.Host
	return http.DefaultTransport.RoundTrip(r)
}

// Events caused by programs are not sent, because such tools count readers.
func TestOnlyEventsFromPeopleAreForwarded(t *testing.T) {
	list := events()
	for i := range list {
		list[i].Class = audience.Indexer
	}
	x := newTool(t)
	if counted := run(t, x, deploy.Integration{Tool: "segment", Key: "k"}, nil, list); len(counted) != 0 ||
		len(x.got) != 0 {
		t.Errorf("%v %q", counted, x.got)
	}
}

// A tool that never responds neither delays other tools nor keeps the server from stopping.
func TestSlowToolDoesNotBlockOthers(t *testing.T) {
	asked, delivered := make(chan struct{}), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server notices when the client disconnects
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer slow.Close()
	quick := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { delivered <- struct{}{} }))
	defer quick.Close()
	f := eventforward.Open(eventforward.Options{Now: func() time.Time { return at },
		Logger: slog.New(slog.DiscardHandler), Client: &http.Client{}, Every: time.Millisecond, Grace: time.Millisecond,
		Hosts: map[string]string{"segment": slow.URL, "amplitude": quick.URL},
		Sites: func(_ context.Context, id string) (eventforward.Site, error) {
			return eventforward.Site{Origin: "https://docs.example.com",
				Tools: []deploy.Integration{{Tool: id, Key: "k"}}}, nil
		}})
	e := events()[0]
	e.ProjectID = "segment"
	f.Tell(e)
	<-asked
	e.ProjectID = "amplitude"
	f.Tell(e)
	<-delivered
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
