package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// warnedSite is smallSite with a broken link.
func warnedSite(t *testing.T) string {
	t.Helper()
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Welcome\n---\n\nSee [Nowhere](/nowhere).\n"
	return write(t, files)
}

func TestCheckStrictFailsOnWarnings(t *testing.T) {
	t.Parallel()
	dir := warnedSite(t)
	invoke(t, "check", dir).want(t, 0, "2 pages, 0 errors, 1 warning\n")
	invoke(t, "check", dir, "--strict").want(t, 1, "2 pages, 0 errors, 1 warning\n")
	invoke(t, "check", smallSite(t), "--strict").want(t, 0, "0 warnings")
}

func TestCheckIgnoresWarningsByCodeButNeverErrors(t *testing.T) {
	t.Parallel()
	if a := invoke(t, "check", warnedSite(t), "--strict", "--ignore", "broken-link").
		want(t, 0, "0 warnings (1 ignored)"); a.stdout != "" {
		t.Errorf("printed %q", a.stdout)
	}
	invoke(t, "check", brokenSite(t), "--ignore", "front-matter-syntax").want(t, 1, "1 error")
	invoke(t, "check", warnedSite(t), "--ignore", "nonsense").want(t, 2, `Unknown finding code "nonsense".`)
}

func TestCheckWritesSARIF(t *testing.T) {
	t.Parallel()
	dir := warnedSite(t)
	file := filepath.Join(t.TempDir(), "out.sarif")
	a := invoke(t, "check", dir, "--sarif", file).want(t, 0, "1 warning")
	if !strings.Contains(a.stdout, "[broken-link]") {
		t.Errorf("the findings are printed too: %q", a.stdout)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID, HelpURI string
						Help        struct{ Text string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct {
							StartLine int
							Snippet   struct{ Text string }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, file)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	place := run.Results[0].Locations[0].PhysicalLocation
	rule := run.Tool.Driver.Rules[run.Results[0].RuleIndex]
	if log.Version != "2.1.0" || run.Tool.Driver.Version != "0-test" || rule.ID != "broken-link" ||
		rule.Help.Text == "" ||
		!strings.HasSuffix(rule.HelpURI, "/findings.mdx#links") ||
		place.ArtifactLocation.URI != "index.mdx" || place.Region.StartLine != 5 ||
		place.Region.Snippet.Text != "See [Nowhere](/nowhere)." {
		t.Errorf("%s", read(t, file))
	}
	if a := invoke(t, "check", dir, "--sarif", "-").want(t, 0); !json.Valid([]byte(a.stdout)) || a.stderr != "" {
		t.Errorf("stdout %q stderr %q", a.stdout, a.stderr)
	}
	invoke(t, "check", dir, "--sarif", "-", "--json").want(t, 2, "both write to standard output")
	invoke(t, "check", dir, "--sarif", filepath.Join(dir, "none", "x.sarif")).want(t, 1, "Cannot open")
}

func TestSARIFPathsAreRelativeToTheWorkingDirectory(t *testing.T) {
	dir := warnedSite(t)
	t.Chdir(filepath.Dir(dir))
	name := filepath.Base(dir)
	for _, written := range []string{name, dir, "./" + name + "/"} {
		if a := invoke(t, "check", written, "--sarif", "-").
			want(t, 0); !strings.Contains(a.stdout, `"uri": "`+name+`/index.mdx"`) {
			t.Errorf("%s: %s", written, a.stdout)
		}
	}
	t.Chdir(dir)
	if a := invoke(t, "check", ".", "--sarif", "-").want(t, 0); !strings.Contains(a.stdout, `"uri": "index.mdx"`) {
		t.Error(a.stdout)
	}
}

func TestEveryRuleHasASeverityAMeaningAndHelp(t *testing.T) {
	t.Parallel()
	rules := findingRules()
	if len(rules) < 50 {
		t.Fatalf("%d rules", len(rules))
	}
	for code, r := range rules {
		if r.Severity != diag.Error && r.Severity != diag.Warning || r.Meaning == "" || r.Help == "" {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

func TestExcerptsShowLineAndPosition(t *testing.T) {
	t.Parallel()
	src := fstest.MapFS{
		"a.mdx": {Data: []byte("first\n\tsee é [x](/y)\r\n\n" + strings.Repeat("x", 300) + "<bad\n\x1b[31mred\n")},
	}
	var b bytes.Buffer
	printExcerpts(&b, newSourceLines(src), diag.List{
		{Severity: diag.Error, Code: "no-pages", Message: "Nothing."},
		{File: "a.mdx", Line: 2, Column: 8, Severity: diag.Warning, Code: "broken-link", Message: "Gone.",
			Hint: "Correct it."},
		{File: "a.mdx", Line: 3, Column: 1, Severity: diag.Warning, Code: "empty", Message: "Empty line."},
		{File: "a.mdx", Line: 4, Column: 301, Severity: diag.Error, Code: "long", Message: "Long line."},
		{File: "a.mdx", Line: 5, Column: 99, Severity: diag.Error, Code: "control",
			Message: "Control \x1b characters."},
		{File: "a.mdx", Line: 77, Column: 1, Severity: diag.Error, Code: "past", Message: "Past the end."},
		{File: "gone.mdx", Severity: diag.Error, Code: "gone", Message: "No file."},
	}, true)
	want := "  error: Nothing. [no-pages]\n" +
		"\na.mdx\n" +
		"  2:8  warning: Gone. [broken-link]\n    2 │ \tsee é [x](/y)\n      │ \t      ^\n    hint: Correct it.\n" +
		"  3:1  warning: Empty line. [empty]\n" +
		"  4:301  error: Long line. [long]\n    4 │ " + strings.Repeat("x", 50) + "<bad\n      │ " +
		strings.Repeat(" ", 50) + "^\n" +
		"  5:99  error: Control � characters. [control]\n    5 │ �[31mred\n      │         ^\n" +
		"  77:1  error: Past the end. [past]\n" +
		"\ngone.mdx\n  error: No file. [gone]\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestRepeatedFindingsAreMergedUnlessAllIsSet(t *testing.T) {
	t.Parallel()
	var list diag.List
	for i := range 5 {
		list.Warnf(diag.Pos{File: "a.mdx", Line: i + 1, Column: 1}, "missing-alt", "No alt text.")
		list.Hint("Write one.")
	}
	for i := range codeShown + 3 {
		list.Warnf(diag.Pos{File: "b.mdx", Line: i + 1}, "broken-link", "Not found: %d.", i)
		list.Errorf(diag.Pos{File: "c.mdx", Line: i + 1}, "mdx-syntax", "Wrong: %d.", i)
	}
	var b bytes.Buffer
	printDiagnostics(&b, list, "--all")
	out := b.String()
	for _, want := range []string{
		"a.mdx:1:1: warning: No alt text. [missing-alt]\n" +
			"    5 times: also a.mdx:2:1, a.mdx:3:1 and 2 other places (--all lists them)\n    hint: Write one.\n",
		"and 3 warnings more [broken-link] (--all lists them)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "error: Wrong"); n != codeShown+3 {
		t.Errorf("%d errors are listed, there are %d", n, codeShown+3)
	}
	b.Reset()
	findingsPrinter{w: &b, all: true, write: func(d diag.Diagnostic) { fmt.Fprintln(&b, d) }}.print(list)
	if n := strings.Count(b.String(), "[missing-alt]"); n != 5 || strings.Contains(b.String(), "times") {
		t.Errorf("with --all %d of 5 findings are listed:\n%s", n, b.String())
	}
}

func TestCheckRejectsPathThatIsNotAFolder(t *testing.T) {
	t.Parallel()
	invoke(t, "check", filepath.Join(t.TempDir(), "none")).want(t, 2, "does not exist")
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "check", file).want(t, 2, "is not a folder")
}

func TestStrictCheckAllowsKeysWithoutEffect(t *testing.T) {
	t.Parallel()
	files := siteFiles()
	site := `{"name": "x", "integrations": {"osano": "x"}, "navigation": ["index"]`
	files["docs.json"] = site + "}"
	a := invoke(t, "check", write(t, files), "--strict").want(t, 0, "0 errors, 1 warning")
	if !strings.Contains(a.stdout, `"integrations.osano" has no effect`) {
		t.Errorf("printed %s", a.stdout)
	}
	files["docs.json"] = site + `, "nmae": 1}`
	invoke(t, "check", write(t, files), "--strict").want(t, 1, "0 errors, 2 warnings")
}
