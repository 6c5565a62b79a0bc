package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

const (
	alertsFile    = "../chart/lectern/files/alerts.yaml"
	dashboardFile = "../chart/lectern/files/dashboard.json"
)

func content(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// promtool is Prometheus' own checker of rules; tools/install-testservers installs it.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput(); err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

// dashboard is what of a Grafana dashboard matters here.
type dashboard struct {
	Title  string
	Panels []struct {
		ID      int
		Type    string
		Title   string
		Targets []struct{ Expr string }
	}
}

func readDashboard(t *testing.T) (d dashboard, queries []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(content(t, dashboardFile)), &d); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range d.Panels {
		if seen[p.ID] || p.Title == "" || p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %+v", p)
		}
		seen[p.ID] = true
		for _, q := range p.Targets {
			queries = append(queries, strings.ReplaceAll(q.Expr, "$job", ".*"))
		}
	}
	return d, queries
}

// Each query of the dashboard is one that Prometheus understands.
func TestDashboardQueriesAreValid(t *testing.T) {
	t.Parallel()
	_, queries := readDashboard(t)
	if len(queries) < 20 {
		t.Fatalf("%d queries", len(queries))
	}
	rules := "groups:\n  - name: dashboard\n    rules:\n"
	for i, q := range queries {
		rules += fmt.Sprintf("      - record: q%d\n        expr: %q\n", i, q)
	}
	name := filepath.Join(t.TempDir(), "rules.yaml")
	write(t, name, rules)
	promtool(t, "check", "rules", name)
}

// Each alert leads to a part of the runbook that is there, and the runbook has no part for an alert that is not.
func TestEveryAlertHasARunbookSection(t *testing.T) {
	t.Parallel()
	parts := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (Lectern\w+)$`).
		FindAllStringSubmatch(content(t, "../docs/guides/runbook.mdx"), -1) {
		parts[strings.ToLower(m[1])] = true
	}
	alerts := content(t, alertsFile)
	names := regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(alerts, -1)
	links := regexp.MustCompile(`(?m)runbook_url: \S+/docs/guides/runbook\.mdx#(\S+)$`).
		FindAllStringSubmatch(alerts, -1)
	if len(names) == 0 || len(names) != len(links) {
		t.Fatalf("%d alerts, %d links", len(names), len(links))
	}
	for i, l := range links {
		if !parts[l[1]] || l[1] != strings.ToLower(names[i][1]) {
			t.Errorf("%s leads to #%s", names[i][1], l[1])
		}
		delete(parts, l[1])
	}
	for p := range parts {
		t.Errorf("the runbook mentions %s, but there is no such alert", p)
	}
}

var metricName = regexp.MustCompile(`\b(?:lectern|process|go)_[a-z0-9_]+\b`)

// exportedSeries returns the names of the series that a process exports.
func exportedSeries(t *testing.T, address string) (names map[string]bool, text string) {
	t.Helper()
	r, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	names = map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, "#") {
			names[metricName.FindString(line)] = true
		}
	}
	return names, string(raw)
}

var (
	tableRow   = regexp.MustCompile("(?m)^\\| (`lectern_[^|]*) \\| (counter|gauge|histogram) \\|([^|]*)\\|")
	quotedWord = regexp.MustCompile("`([a-z0-9_]+)`")
	sampleLine = regexp.MustCompile(`^([a-z0-9_]+)(?:\{(.*)\})? `)
	labelName  = regexp.MustCompile(`([a-z_]+)="(?:[^"\\]|\\.)*"`)
)

// compareWithTable compares kinds and labels of the metrics of ours with the table of the guide.
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

// familyOf returns the name of the metric that a series belongs to.
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
