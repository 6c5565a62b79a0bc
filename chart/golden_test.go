package chart

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every set of values renders the objects in its golden file; git diff shows the effect of a change to the chart.
func TestRenderingsMatchGoldenFiles(t *testing.T) {
	for _, name := range sets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := rendering{files: []string{name}, more: apiVersions(name)}.render(t)
			for _, file := range []string{"alerts.yaml", "dashboard.json"} { // other tests check these
				content, err := os.ReadFile(filepath.Join(chartFolder, "files", file))
				if err != nil {
					t.Fatal(err)
				}
				got = leaveOut(got, string(content), "# files/"+file)
			}
			file := filepath.Join("testdata", "golden", name+".yaml")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; look at it with -update and git diff:\n%s", file,
					firstDifference(got, string(want)))
			}
		})
	}
}

// apiVersions returns the API versions of the cluster for a set of values, as helm arguments.
func apiVersions(name string) []string {
	if strings.Contains(name, "openshift") {
		return []string{"--api-versions", "security.openshift.io/v1"}
	}
	return nil
}

// leaveOut replaces an indented copy of a file in a rendering with a remark.
func leaveOut(rendered, file, remark string) string {
	for _, indent := range []string{"  ", "    "} {
		block := indent + strings.ReplaceAll(file, "\n", "\n"+indent)
		rendered = strings.ReplaceAll(rendered, "\n"+strings.TrimRight(block, " \n")+"\n", "\n"+indent+remark+"\n")
	}
	return rendered
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}

func TestChartPassesLint(t *testing.T) {
	names := []string{"everything", "static"} // one enables everything in the chart, the other very little
	if tier.Nightly {
		names = sets(t)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, errs, err := helm(t, rendering{files: []string{name}}.args("lint", "--strict", chartFolder)...)
			if err != nil || strings.Contains(out, "[WARNING]") || strings.Contains(out, "[ERROR]") {
				t.Errorf("%v\n%s%s", err, out, errs)
			}
		})
	}
}

// Two renderings are identical: nothing in the chart is random, so an upgrade without a change restarts nothing.
func TestRenderingIsRepeatable(t *testing.T) {
	r := rendering{files: []string{"everything"}}
	second, errs, err := helm(t, r.args("template", release, chartFolder)...) // not from the cache of renderings
	if err != nil || second != r.render(t) {
		t.Errorf("two renderings differ: %v\n%s", err, errs)
	}
}
