//go:build nightly

package e2e

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// The rules are valid, and each alert fires when it should and keeps quiet when it should.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", alertsFile)
	promtool(t, "test", "rules", "testdata/alerts.yaml")
	tried := content(t, "testdata/alerts.yaml")
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(content(t, alertsFile), -1) {
		if !regexp.MustCompile(`ALERTS\{alertname="` + m[1] + `"`).MatchString(tried) {
			t.Errorf("no test makes %s fire", m[1])
		}
	}
}

// Every metric that alerts and the dashboard use is exported by a running server or bundle server, and the guide
// describes each metric of ours.
func TestEveryQueriedMetricIsExposed(t *testing.T) {
	t.Parallel()
	metrics := freeAddress(t)
	p := serve(t, t.TempDir(), nil, "--metrics-listen", metrics)
	p.Await("the first key", func() bool { return keyShape.MatchString(p.Output()) })
	c := p.client(keyShape.FindString(p.Output()))
	p.Await("our own docs", func() bool { code, _ := page(t, p, "docs.localhost", "/"); return code == http.StatusOK })
	exportBundle(t, c, "docs.localhost")
	names, text := exportedSeries(t, metrics)
	for _, want := range []string{"lectern_ready 1", "lectern_tasks_lapsed 0",
		`lectern_blob_calls_total{operation="put",outcome="ok"}`, "lectern_last_backup_timestamp_seconds 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("the server does not tell %s", want)
		}
	}
	health := freeAddress(t)
	b := spawn(t, nil, "serve-bundle", "--source", bundleOf(t, c), "--data", t.TempDir(), "--listen", freeAddress(t),
		"--health-listen", health)
	b.Await("the bundle", func() bool { return status("http://"+health+"/readyz") == http.StatusOK })
	more, _ := exportedSeries(t, health)
	_, queries := readDashboard(t)
	asked := metricName.FindAllString(content(t, alertsFile)+strings.Join(queries, "\n"), -1)
	if len(asked) < 40 {
		t.Fatalf("only %d names were found", len(asked))
	}
	for _, name := range asked {
		if !names[name] && !more[name] {
			t.Errorf("no process exports %s", name)
		}
	}
	compareWithTable(t, text)
	guides := content(t, "../docs/guides/operations.mdx") + content(t, "../docs/guides/serve-bundle.mdx")
	for name := range names {
		name = familyOf(name)
		if strings.HasPrefix(name, "lectern_") && !strings.Contains(guides, "`"+name+"`") {
			t.Errorf("no guide mentions %s", name)
		}
	}
}
