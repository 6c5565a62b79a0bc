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
	"strings"
	"testing"
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

// promtool runs Prometheus' own rule checker, which tools/install-testservers installs.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput(); err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

// dashboard has the relevant parts of a Grafana dashboard.
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

// Prometheus can parse each query of the dashboard.
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

// Each alert links to an existing runbook section, and every section about an alert has one.
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
			t.Errorf("%s links to #%s", names[i][1], l[1])
		}
		delete(parts, l[1])
	}
	for p := range parts {
		t.Errorf("the runbook mentions %s, which is not an alert", p)
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
