package analytics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/analytics"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// ledger records the events received by the endpoints.
type ledger struct {
	mu     sync.Mutex
	events []audience.Event
	said   []audience.Feedback
	err    error
	refuse int
}

func (l *ledger) Refuse(n int) { l.refuse += n }

func (l *ledger) Record(e audience.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

func (l *ledger) Visitor(site string, from netip.Addr, agent string) [8]byte {
	return audience.Visitor([]byte("salt"), site, from, agent)
}

func (l *ledger) AddFeedback(_ context.Context, f audience.Feedback) (bool, error) {
	l.said = append(l.said, f)
	return true, l.err
}

func (l *ledger) lines() (out []string) {
	for _, e := range l.events {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Kind, e.Class,
			strings.TrimSpace(e.Path+" "+e.Query+" "+e.Target), e.Referrer)))
	}
	return out
}

func newBeacon(l *ledger, change func(*analytics.Options)) *analytics.Beacon {
	opt := analytics.Options{Counter: l, FeedbackStore: l, Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&opt)
	}
	return analytics.New(opt)
}

var site = siteapi.Site{ProjectID: "prj_a", Host: "docs.example.com", Origin: "https://docs.example.com"}

func request(method, target, agent, body string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("User-Agent", agent)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func TestPagesReportReaderEvents(t *testing.T) {
	l := &ledger{}
	d := newBeacon(l, nil).Count()
	w := httptest.NewRecorder()
	d.ServeSite(w, request("POST", "/_lectern/api/event", browser, `[
		{"kind":"view","path":"/guides/start.html","referrer":"https://news.example.com/x?secret"},
		{"kind":"view","path":"guides/start","referrer":"https://docs.example.com/"},
		{"kind":"search","path":"/","query":"  How TO ","hits":3},
		{"kind":"click","query":"how to","target":"https://docs.example.com/guides/start#x"},
		{"kind":"try","path":"/api","target":"GET /plants/{id}","status":404},
		{"kind":"copy","path":"/"},
		{"kind":"ask","path":"/"}, {"kind":"missing","path":"/x"}, {"kind":"view","path":""}, {"kind":"try","target":"<script>"}, {"kind":"search","query":" "}]`, "Content-Type", "text/plain"), site)
	want := []string{"view human /guides/start news.example.com", "view human /guides/start", "search human / how to",
		"click human how to /guides/start", "try human /api  GET /plants/{id}", "copy human /"}
	if got := l.lines(); w.Code != 204 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d %q", w.Code, got)
	}
	if len(w.Result().Cookies()) != 0 || l.events[0].Visitor == ([8]byte{}) ||
		l.events[0].Visitor != l.events[1].Visitor {
		t.Errorf("%v %+v", w.Result().Cookies(), l.events[0])
	}
}

// Readers who opt out and readers of a preview are not counted; invalid input gets the same response and is not
// stored.
func TestOptOutsPreviewsAndCrawlersAreNotCounted(t *testing.T) {
	const one = `[{"kind":"view","path":"/"}]`
	preview, bundle := site, site
	preview.Preview, bundle.ProjectID = true, ""
	for name, c := range map[string]struct {
		r    *http.Request
		site siteapi.Site
	}{
		"do not track":   {request("POST", "/", browser, one, "DNT", "1"), site},
		"privacy signal": {request("POST", "/", browser, one, "Sec-GPC", "1"), site},
		"a preview":      {request("POST", "/", browser, one), preview},
		"no project":     {request("POST", "/", browser, one), bundle},
		"a crawler":      {request("POST", "/", "Mozilla/5.0 (compatible; Googlebot/2.1)", one), site},
		"no JSON":        {request("POST", "/", browser, `{"kind"`), site},
		"another JSON":   {request("POST", "/", browser, `{"kind":"view","path":"/"}`), site},
		"too long": {request("POST", "/", browser, `[{"kind":"view","path":"/`+strings.Repeat("x", 17<<10)+`"}]`),
			site},
	} {
		l := &ledger{}
		w := httptest.NewRecorder()
		newBeacon(l, nil).Count().ServeSite(w, c.r, c.site)
		if w.Code != 204 || len(l.events) != 0 || w.Body.Len() != 0 {
			t.Errorf("%s: %d %q", name, w.Code, l.lines())
		}
	}
	for method, status := range map[string]int{"GET": 405, "OPTIONS": 204, "DELETE": 405} {
		w := httptest.NewRecorder()
		newBeacon(&ledger{}, nil).Count().ServeSite(w, request(method, "/", browser, ""), site)
		if w.Code != status {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestEventsAreRateLimitedPerAddress(t *testing.T) {
	l := &ledger{}
	d := newBeacon(l, func(o *analytics.Options) { o.PerMinute = 3 }).Count()
	many := strings.Repeat(`{"kind":"view","path":"/"},`, 80)
	for range 5 {
		w := httptest.NewRecorder()
		d.ServeSite(w, request("POST", "/", browser, "["+many[:len(many)-1]+"]"), site)
		if w.Code != 204 {
			t.Errorf("%d", w.Code)
		}
	}
	if len(l.events) != 3*50 || l.refuse != 2 {
		t.Errorf("%d events, %d messages refused", len(l.events), l.refuse)
	}
}

// Programs are counted when they read a file, people by the page's script, and both when a page is missing.
func TestWatcherCountsProgramsAndMissingPages(t *testing.T) {
	preview := site
	preview.Preview = true
	for name, c := range map[string]struct {
		r    *http.Request
		site siteapi.Site
		file string
		want string
	}{
		"a person's page": {request("GET", "/a", browser, ""), site, "a.html", ""},
		"a person's text": {request("GET", "/a.md", browser, "", "Sec-Fetch-Dest", "document"), site, "a.md",
			"view human /a"},
		"a text in a page": {request("GET", "/a.md", browser, "", "Sec-Fetch-Dest", "empty"), site, "a.md", ""},
		"an agent":         {request("GET", "/a.md", "ChatGPT-User/1.0", ""), site, "a.md", "view ai /a"},
		"a list for agents": {request("GET", "/llms.txt", "Claude-User", ""), site, "llms.txt",
			"view ai /llms.txt"},
		"a search engine": {request("GET", "/", "Googlebot/2.1", ""), site, "index.html", "view searchIndex /"},
		"a collector": {request("GET", "/a/b", "GPTBot/1.1", ""), site, "a/b/index.html",
			"view training /a/b"},
		"a library's text": {request("GET", "/a.md", "axios/1", ""), site, "a.md", "view ai /a"},
		"a library's page": {request("GET", "/a", "curl/8", ""), site, "a.html", "view otherAi /a"},
		"robots.txt":       {request("GET", "/robots.txt", "GPTBot/1.1", ""), site, "robots.txt", ""},
		"a probe":          {request("GET", "/", "kube-probe/1.30", ""), site, "index.html", ""},
		"a head":           {request("HEAD", "/", "GPTBot/1.1", ""), site, "index.html", ""},
		"a silent agent":   {request("GET", "/", "GPTBot/1.1", "", "DNT", "1"), site, "index.html", ""},
		"a preview":        {request("GET", "/", "GPTBot/1.1", ""), preview, "index.html", ""},
		"a broken inbound link": {request("GET", "/old/", browser, "", "Referer", "https://blog.example.com/post"),
			site, "", "missing human /old blog.example.com"},
		"a broken own link": {request("GET", "/old", browser, "", "Referer", "https://docs.example.com/"), site, "",
			"missing human /old"},
		"what a script tried": {request("GET", "/old", browser, "", "Sec-Fetch-Dest", "empty"), site, "", ""},
		"a missing picture":   {request("GET", "/favicon.ico", browser, ""), site, "", ""},
		"somebody who probes": {request("GET", "/wp-login.php", "Mozilla/5.0", ""), site, "", ""},
		"a silent reader":     {request("GET", "/old", browser, "", "Sec-GPC", "1"), site, "", ""},
	} {
		l := &ledger{}
		newBeacon(l, nil).Served(c.r, c.site, c.file, 200)
		if got := strings.Join(l.lines(), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestReaderFeedbackIsStored(t *testing.T) {
	l := &ledger{}
	d := newBeacon(l, func(o *analytics.Options) { o.FeedbackPerHour = 6 }).Feedback()
	send := func(r *http.Request, s siteapi.Site) (int, string) {
		w := httptest.NewRecorder()
		d.ServeSite(w, r, s)
		var body struct{ Code string }
		_ = json.Unmarshal(w.Body.Bytes(), &body) // a 204 has no body
		return w.Code, body.Code
	}
	if status, _ := send(request("POST", "/", browser,
		`{"path":"guides/start","helpful":false,"comment":"Wrong.","contact":"a@example.com","once":"0123456789abcdef"}`), site); status != 204 || len(l.said) != 1 ||
		l.said[0].Path != "/guides/start" || l.said[0].Source != audience.ByComment || l.said[0].Mark == 0 ||
		*l.said[0].Helpful || l.said[0].Contact != "a@example.com" {
		t.Fatalf("%d %+v", status, l.said)
	}
	if status, _ := send(request("POST", "/", browser, `{"path":"/a","helpful":true}`, "Sec-GPC", "1"),
		site); status != 204 || l.said[1].Mark != 0 {
		t.Errorf("%d %+v", status, l.said)
	}
	for body, want := range map[string]string{`{"path":"/a"}`: "invalid_field", `{`: "invalid_json",
		`{"path":"/a","comment":"` + strings.Repeat("x", 17<<10) + `"}`: "body_too_large"} {
		if status, code := send(request("POST", "/", browser, body), site); status < 400 || code != want {
			t.Errorf("%d %s", status, code)
		}
	}
	preview := site
	preview.Preview = true
	if status, _ := send(request("POST", "/", browser, `{"path":"/a","helpful":true}`), preview); status != 204 ||
		len(l.said) != 2 {
		t.Errorf("%d, %d were stored", status, len(l.said))
	}
	if status, code := send(request("POST", "/", browser, `{"path":"/a","helpful":true}`), site); status != 429 ||
		code != "rate_limited" {
		t.Errorf("%d %s", status, code)
	}
	if n := len(l.events); n != 2 || l.events[0].Kind != audience.Suggestion {
		t.Errorf("%q", l.lines())
	}
	broken := &ledger{err: fmt.Errorf("away: %w", fault.ErrUnavailable)}
	w := httptest.NewRecorder()
	newBeacon(broken, nil).Feedback().ServeSite(w, request("POST", "/", browser, `{"path":"/a","helpful":true}`), site)
	if w.Code != 500 || strings.Contains(w.Body.String(), "away") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
