package telemetry

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock advances only when the test advances it.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("metrics answer %d", w.Code)
	}
	return w.Body.String()
}

func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("the metrics lack %q", line)
		}
	}
}

func TestRequestsAreCountedAndTimedByRoute(t *testing.T) {
	c := &clock{}
	m := NewMetrics("1.2.3", c.now)
	inFlight := ""
	h := m.Instrument("GET /v1/things/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inFlight = scrape(t, m)
		c.advance(30 * time.Millisecond)
		switch r.URL.Path {
		case "/v1/things/missing":
			w.WriteHeader(http.StatusNotFound)
		case "/v1/things/hint":
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusAccepted)
		case "/v1/things/silent":
		default:
			io.WriteString(w, "ok")
		}
	}))
	for _, path := range []string{"a", "b", "missing", "hint", "silent"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v1/things/"+path, nil))
	}
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("BREW", "/v1/things/a", nil))

	wantLines(t, inFlight, "lectern_http_requests_in_flight 1")
	text := scrape(t, m)
	wantLines(t, text,
		"lectern_http_requests_in_flight 0",
		`lectern_http_requests_total{method="GET",route="GET /v1/things/{id}",status="200"} 3`,
		`lectern_http_requests_total{method="GET",route="GET /v1/things/{id}",status="404"} 1`,
		`lectern_http_requests_total{method="GET",route="GET /v1/things/{id}",status="202"} 1`,
		`lectern_http_requests_total{method="other",route="GET /v1/things/{id}",status="200"} 1`,
		`lectern_http_request_duration_seconds_bucket{route="GET /v1/things/{id}",le="0.025"} 0`,
		`lectern_http_request_duration_seconds_bucket{route="GET /v1/things/{id}",le="0.05"} 6`,
	)
	for _, part := range []string{`lectern_build_info{`, `version="1.2.3"`, "go_goroutines ",
		"process_resident_memory_bytes "} {
		if !strings.Contains(text, part) {
			t.Errorf("the metrics lack %s", part)
		}
	}
	if strings.Contains(text, "missing") || strings.Contains(text, "BREW") {
		t.Error("a request's own words became a label")
	}
}

func TestPanicCountsAsA500AndPropagates(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	h := m.Instrument("GET /boom", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") }))
	func() {
		defer func() {
			if recover() != "boom" {
				t.Error("the panic was swallowed")
			}
		}()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/boom", nil))
	}()
	wantLines(t, scrape(t, m), `lectern_http_requests_total{method="GET",route="GET /boom",status="500"} 1`,
		"lectern_http_requests_in_flight 0")
}

func TestInstrumentedHandlerCanStillStream(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	tracing := newTracing(nil, Redactor{})
	read := make(chan struct{})
	server := httptest.NewServer(m.Instrument("GET /s",
		tracing.Instrument("GET /s", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rc := http.NewResponseController(w)
			if err := rc.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
				t.Errorf("deadlines cannot be set: %v", err)
			}
			io.WriteString(w, "first\n")
			if err := rc.Flush(); err != nil {
				t.Errorf("flushing is not possible: %v", err)
			}
			<-read // the second line is sent only after the first was read
			io.WriteString(w, "second\n")
			w.(http.Flusher).Flush()
			io.Copy(w, strings.NewReader("third\n"))
		}))))
	defer server.Close()
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	var have []string
	for lines.Scan() {
		if have = append(have, lines.Text()); len(have) == 1 {
			close(read)
		}
	}
	if strings.Join(have, " ") != "first second third" {
		t.Errorf("read %q", have)
	}
}

func TestJobsAreCountedByKindAndOutcome(t *testing.T) {
	c := &clock{}
	m := NewMetrics("v", c.now)
	m.Gauge("lectern_queue_depth", "Jobs that wait.", func() float64 { return 7 })
	m.Counter("lectern_hits_total", "Hits.", func() float64 { return 8 })
	first, second := m.JobStarted("export"), m.JobStarted("export")
	m.JobStarted("publish")
	c.advance(2 * time.Second)
	first("completed")
	wantLines(t, scrape(t, m),
		`lectern_jobs_started_total{kind="export"} 2`, `lectern_jobs_started_total{kind="publish"} 1`,
		`lectern_jobs_running{kind="export"} 1`, `lectern_jobs_ended_total{kind="export",outcome="completed"} 1`,
		`lectern_job_duration_seconds_sum{kind="export"} 2`, "lectern_queue_depth 7",
		"# TYPE lectern_hits_total counter", "lectern_hits_total 8")
	second("failed")
	wantLines(t, scrape(t, m), `lectern_jobs_running{kind="export"} 0`,
		`lectern_jobs_ended_total{kind="export",outcome="failed"} 1`)
}

// BenchmarkInstrument measures the overhead of counting a request.
func BenchmarkInstrument(b *testing.B) {
	m := NewMetrics("test", time.Now)
	h := m.Instrument("GET /", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(w, r)
	}
}
