//go:build nightly

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// The rules are valid, and each alert fires when it should and does not when it should not.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", alertsFile)
	promtool(t, "test", "rules", "testdata/alerts.yaml")
	tried := content(t, "testdata/alerts.yaml")
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(content(t, alertsFile), -1) {
		if !regexp.MustCompile(`ALERTS\{alertname="` + m[1] + `"`).MatchString(tried) {
			t.Errorf("no test triggers %s", m[1])
		}
	}
}

// A running server or bundle server exports every metric that alerts and the dashboard use, and the guide describes
// each of our metrics.
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
			t.Errorf("the server does not export %s", want)
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

// compareWithTable compares the kinds and labels of our metrics with the guide's table.
func compareWithTable(t *testing.T, text string) {
	t.Helper()
	kinds, labels := map[string]string{}, map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 4 && f[1] == "TYPE" {
			kinds[f[2]] = f[3]
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var names []string
		for _, l := range labelName.FindAllStringSubmatch(m[2], -1) {
			if l[1] != "le" {
				names = append(names, l[1])
			}
		}
		slices.Sort(names)
		labels[familyOf(m[1])] = strings.Join(names, " ")
	}
	rows := tableRow.FindAllStringSubmatch(content(t, "../docs/guides/operations.mdx"), -1)
	if len(rows) < 25 {
		t.Fatalf("%d rows in the table", len(rows))
	}
	compared := 0
	for _, row := range rows {
		var want []string
		for _, l := range quotedWord.FindAllStringSubmatch(row[3], -1) {
			want = append(want, l[1])
		}
		slices.Sort(want)
		for _, name := range quotedWord.FindAllStringSubmatch(row[1], -1) {
			kind, counted := kinds[name[1]]
			if !counted { // a labelled counter has no series before its first event
				continue
			}
			compared++
			if kind != row[2] || labels[name[1]] != strings.Join(want, " ") {
				t.Errorf("%s: %s with the labels %q, documented as %s with %q", name[1], kind, labels[name[1]], row[2],
					want)
			}
		}
	}
	if compared < 25 {
		t.Errorf("only %d metrics were compared", compared)
	}
}

// familyOf returns the name of the metric to which a series belongs.
func familyOf(series string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		series = strings.TrimSuffix(series, suffix)
	}
	return series
}

// bundleOf downloads the bundle of our own docs.
func bundleOf(t *testing.T, c *client.Client) string {
	t.Helper()
	job := exportBundle(t, c, "docs.localhost")
	name := filepath.Join(t.TempDir(), "site.tar.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	link, err := c.CreateExportBundle(background(), job,
		client.CreateExportBundleParams{Format: client.BundleFormatTarGz})
	if err == nil {
		err = c.Download(background(), link, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

var (
	tableRow   = regexp.MustCompile("(?m)^\\| (`lectern_[^|]*) \\| (counter|gauge|histogram) \\|([^|]*)\\|")
	quotedWord = regexp.MustCompile("`([a-z0-9_]+)`")
	sampleLine = regexp.MustCompile(`^([a-z0-9_]+)(?:\{(.*)\})? `)
	labelName  = regexp.MustCompile(`([a-z_]+)="(?:[^"\\]|\\.)*"`)
)
