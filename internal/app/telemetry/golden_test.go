package telemetry

import (
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata/metrics.txt anew")

// Alerts, dashboards and recorded series depend on names, types, labels, help texts and buckets, so the text must not
// change, whichever library writes it.
func TestMetricsTextIsUnchanged(t *testing.T) {
	c := &clock{}
	m := NewMetrics("1.2.3", c.now)
	h := m.Instrument("GET /v1/things/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.advance(30 * time.Millisecond)
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, "ok")
	}))
	for _, method := range []string{http.MethodGet, http.MethodGet, http.MethodHead, http.MethodPost, "BREW"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "/v1/things/1", nil))
	}
	ended := m.JobStarted("export")
	m.JobStarted("deploy")
	c.advance(7500 * time.Millisecond)
	ended("done")
	m.Gauge("lectern_room_bytes", "Bytes that are left.", func() float64 { return 2.5e9 })
	m.Counter("lectern_hits_total", "Hits.", func() float64 { return 8 })
	count := m.Counts("lectern_calls_total", "Calls \"quoted\" \\ of\nstores.", "operation", "outcome")
	count("put", "ok")
	count("open", `a "b" \c`+"\n")
	m.Info("lectern_words_info", "Words.", []string{"b", "a"}, func() map[string]string {
		return map[string]string{"a": "1", "b": "2"}
	})

	var lines []string
	for line := range strings.Lines(scrape(t, m)) {
		if strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "# HELP "), "# TYPE "), "lectern_") {
			lines = append(lines, strings.ReplaceAll(line, runtime.Version(), "GO"))
		}
	}
	slices.Sort(lines)
	got := strings.Join(lines, "")
	const golden = "testdata/metrics.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
