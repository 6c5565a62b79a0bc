package sarif

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sample() Input {
	return Input{
		Version: "v1.2.3", Prefix: "docs", Home: "https://lectern.example", Guide: "https://lectern.example/findings",
		Findings: diag.List{
			{Severity: diag.Error, Code: "no-pages", Message: "The site has no page."},
			{File: "a b.mdx", Line: 5, Column: 3, Severity: diag.Warning, Code: "broken-link",
				Message: `There is no page "/<x>".`, Hint: "Correct it."},
			{File: "a b.mdx", Line: 9, Column: 3, Severity: diag.Warning, Code: "broken-link",
				Message: `There is no page "/<x>".`, Hint: "Correct it."},
			{File: "c:d.mdx", Severity: diag.Error, Code: "page-size", Message: "Too large."},
		},
		Rules: map[string]Rule{"broken-link": {diag.Warning, "Links", "A link leads nowhere.", "Write `[x](/y)`."},
			"page-size": {diag.Error, "Files", "Too large.", "Split it."}},
		Line: func(file string, n int) (string, bool) {
			return "  see [x](/<x>)", file == "a b.mdx" && n > 0 && n < 10
		},
	}
}

func write(t *testing.T, in Input) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLogMatchesGolden(t *testing.T) {
	got := write(t, sample())
	if *update {
		if err := os.WriteFile("testdata/log.sarif", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/log.sarif")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from testdata/log.sarif:\n%s", got)
	}
}

// dig returns a value in decoded JSON by names and indexes.
func dig(t *testing.T, v any, way ...any) any {
	t.Helper()
	for _, step := range way {
		switch step := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok || m[step] == nil {
				t.Fatalf("no %v at %v in %v", step, way, v)
			}
			v = m[step]
		case int:
			l, ok := v.([]any)
			if !ok || step >= len(l) {
				t.Fatalf("no %v at %v in %v", step, way, v)
			}
			v = l[step]
		}
	}
	return v
}

// The log follows those rules of the standard that programs enforce when they read it.
func TestLogFollowsTheSARIFRules(t *testing.T) {
	for _, prefix := range []string{"", "docs"} {
		in := sample()
		in.Prefix = prefix
		var log any
		if err := json.Unmarshal(write(t, in), &log); err != nil {
			t.Fatal(err)
		}
		if dig(t, log, "version") != "2.1.0" || !strings.Contains(dig(t, log, "$schema").(string), "sarif-2.1.0") {
			t.Error("version or schema")
		}
		run := dig(t, log, "runs", 0)
		rules := dig(t, run, "tool", "driver", "rules").([]any)
		seen, prints := map[string]bool{}, map[string]bool{}
		for i := range rules {
			id := dig(t, rules, i, "id").(string)
			if seen[id] || dig(t, rules, i, "defaultConfiguration", "level") == "" {
				t.Errorf("rule %s", id)
			}
			seen[id] = true
		}
		results := dig(t, run, "results").([]any)
		if len(results) != 4 {
			t.Fatalf("%d results", len(results))
		}
		for i, r := range results {
			at := int(dig(t, r, "ruleIndex").(float64))
			if dig(t, rules, at, "id") != dig(t, r, "ruleId") || dig(t, r, "message", "text") == "" {
				t.Errorf("result %d: %v", i, r)
			}
			if level := dig(t, r, "level"); level != "error" && level != "warning" {
				t.Errorf("level %v", level)
			}
			print := dig(t, r, "partialFingerprints", "lecternFinding/v1").(string)
			if prints[print] {
				t.Errorf("the fingerprint of result %d is not unique", i)
			}
			prints[print] = true
			uri := dig(t, r, "locations", 0, "physicalLocation", "artifactLocation", "uri").(string)
			if !regexp.MustCompile(`^(\./|docs/)?[\w%.-]+(:d\.mdx)?$`).MatchString(uri) ||
				regexp.MustCompile(`^[a-z]+:`).MatchString(uri) {
				t.Errorf("uri %q", uri)
			}
			if dig(t, r, "locations", 0, "physicalLocation", "region", "startLine").(float64) < 1 {
				t.Errorf("result %d has no line", i)
			}
		}
	}
}

func TestContextLinesStopAtEndOfFile(t *testing.T) {
	physical := func(i int) any {
		var log any
		if err := json.Unmarshal(write(t, sample()), &log); err != nil {
			t.Fatal(err)
		}
		return dig(t, log, "runs", 0, "results", i, "locations", 0, "physicalLocation")
	}
	for i, want := range map[int][2]float64{1: {4, 6}, 2: {8, 9}} {
		context := dig(t, physical(i), "contextRegion")
		got := [2]float64{dig(t, context, "startLine").(float64), dig(t, context, "endLine").(float64)}
		if got != want {
			t.Errorf("result %d: lines %v, want %v", i, got, want)
		}
	}
	if _, ok := physical(0).(map[string]any)["contextRegion"]; ok {
		t.Error("a file that cannot be read has a context")
	}
}

func TestVersionStartsWithADigit(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3-rc.1", "devel": "0.0.0-devel", "": "0.0.0-devel", "a b": "0.0.0-a-b",
	} {
		if got := numeric(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

func TestNoFindingsIsARunWithoutResults(t *testing.T) {
	if got := string(write(t, Input{})); !strings.Contains(got, `"results": []`) ||
		!strings.Contains(got, `"rules": []`) {
		t.Error(got)
	}
}

func TestMovedFindingKeepsItsFingerprint(t *testing.T) {
	prints := func(in Input) []string {
		return regexp.MustCompile(`"lecternFinding/v1": "\w+"`).FindAllString(string(write(t, in)), -1)
	}
	in := sample()
	before := prints(in)
	in.Findings = append(diag.List{}, in.Findings...)
	in.Findings[1].Line += 10
	if after := prints(in); len(before) != 4 || before[1] != after[1] || before[1] == before[2] {
		t.Errorf("%v, then %v", before, after)
	}
	in.Findings[1].Message = "Another."
	if after := prints(in); before[1] == after[1] {
		t.Error("another finding has the same fingerprint")
	}
}
