package telemetry

import (
	"math"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// judge asks Prometheus' own tool whether it can read the text; tools/install-testservers installs it.
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
	m.Info("lectern_words_info", "Words.", []string{"b", "a"}, func() map[string]string { return map[string]string{"a": "1", "b": "2"} })
	m.Info("lectern_silent_info", "None yet.", []string{"a"}, func() map[string]string { return nil })
	m.JobStarted("export")("done")
	text := scrape(t, m)
	wantLines(t, text, `lectern_odd_total{name="plain",zone=""} 1`, "lectern_edge +Inf", `lectern_words_info{a="1",b="2"} 1`,
		`lectern_job_duration_seconds_bucket{kind="export",le="+Inf"} 1`, `lectern_job_duration_seconds_count{kind="export"} 1`)
	if strings.Contains(text, "lectern_silent_info") {
		t.Error("a metric without a value is named")
	}
	judge(t, strings.ReplaceAll(text, "\xff", "?")) // the tool takes UTF-8 only
}

func TestFailingMetricDoesNotHideOthers(t *testing.T) {
	m := NewMetrics("v", (&clock{}).now)
	m.Gauge("lectern_broken", "Fails.", func() float64 { panic("no") })
	m.Gauge("lectern_fine", "Works.", func() float64 { return 2 })
	text := scrape(t, m)
	wantLines(t, text, "lectern_fine 2")
	if strings.Contains(text, "lectern_broken") {
		t.Errorf("a part of the broken one is left: %s", text)
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

func TestHistogramIsConsistentUnderConcurrentUse(t *testing.T) {
	f := &family{name: "h", help: "h", kind: "histogram", buckets: []float64{1, 2, 4}}
	s := f.with()
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for i := range 2000 {
				s.observe(f.buckets, float64(i%6))
			}
		})
	}
	work.Wait()
	var within int64
	for i := range s.within {
		within += s.within[i].Load()
	}
	// Of each six values five are at most 4: 0 and 1, 2, 3 and 4. The sum is exact: all are whole.
	if s.n.Load() != 8000 || within != 4*(2000-2000/6) || math.Float64frombits(s.sum.Load()) != 4*sumOf(2000) {
		t.Errorf("%d observed, %d in buckets, sum %v", s.n.Load(), within, math.Float64frombits(s.sum.Load()))
	}
}

func sumOf(n int) (sum float64) {
	for i := range n {
		sum += float64(i % 6)
	}
	return sum
}
