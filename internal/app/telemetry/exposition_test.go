package telemetry

import (
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// judge checks with Prometheus' own tool that the text is valid; tools/install-testservers installs the tool.
func judge(t *testing.T, text string) {
	t.Helper()
	tool := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	tool.Stdin = strings.NewReader(text)
	if out, err := tool.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s\n%s", err, out, text)
	}
}

func TestPrometheusParsesAnyLabelValue(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	count := m.Counts("lectern_odd_total", "Counts \\ with\nodd help.", "zone", "name")
	count("a\"b\\c\nd{}", "ü\xff,=")
	count("", "plain")
	m.Gauge("lectern_edge", "A bound.", func() float64 { return math.Inf(1) })
	m.Info("lectern_words_info", "Words.", []string{"b", "a"},
		func() map[string]string { return map[string]string{"a": "1", "b": "2"} })
	m.Info("lectern_silent_info", "None yet.", []string{"a"}, func() map[string]string { return nil })
	m.JobStarted("export")("done")
	text := scrape(t, m)
	wantLines(t, text, `lectern_odd_total{name="ü�,=",zone="a\"b\\c\nd{}"} 1`,
		`lectern_odd_total{name="plain",zone=""} 1`, "lectern_edge +Inf", `lectern_words_info{a="1",b="2"} 1`,
		`lectern_job_duration_seconds_bucket{kind="export",le="+Inf"} 1`,
		`lectern_job_duration_seconds_count{kind="export"} 1`)
	if strings.Contains(text, "lectern_silent_info") {
		t.Error("a metric without a value is listed")
	}
	judge(t, text)
}

func TestFailingMetricDoesNotHideOthers(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	m.Gauge("lectern_broken", "Fails.", func() float64 { panic("no") })
	m.Gauge("lectern_fine", "Works.", func() float64 { return 2 })
	text := scrape(t, m)
	wantLines(t, text, "lectern_fine 2")
	if strings.Contains(text, "lectern_broken") {
		t.Errorf("part of the broken metric is left: %s", text)
	}
	judge(t, text)
}

func TestDuplicateMetricNamePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two metrics have one name")
		}
	}()
	NewMetrics("v", (&clock{}).now).Gauge("lectern_build_info", "Again.", func() float64 { return 0 })
}

// Scrapers that request OpenMetrics get the same names: in that format, a counter whose name did not end in _total
// would be renamed.
func TestOpenMetricsHasTheSameNames(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	m.Counter("lectern_hits_total", "Hits.", func() float64 { return 8 })
	m.JobStarted("export")("done")
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, r)
	if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "application/openmetrics-text") {
		t.Errorf("content type %s", kind)
	}
	wantLines(t, w.Body.String(), "# TYPE lectern_hits counter", "lectern_hits_total 8.0",
		`lectern_jobs_ended_total{kind="export",outcome="done"} 1.0`,
		`lectern_job_duration_seconds_count{kind="export"} 1`, "# EOF")
}

func TestCompressedMetricsAreServed(t *testing.T) {
	server := httptest.NewServer(NewMetrics("v", (&clock{}).now).Handler(slog.New(slog.DiscardHandler)))
	defer server.Close()
	resp, err := http.Get(server.URL) // the client requests gzip and decompresses the response
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if !resp.Uncompressed {
		t.Error("the response is not compressed")
	}
}
