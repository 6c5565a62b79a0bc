package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx"
)

var differ = flag.Bool("differ", false, "print the examples that differ")

// example is one case of a specification.
type example struct {
	Markdown string `json:"markdown"`
	HTML     string `json:"html"`
	Number   int    `json:"example"`
	Section  string `json:"section"`
}

// moduleDir returns the folder of a module of tools/specs in Go's module cache. It downloads the module if needed.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = filepath.Join("..", "tools", "specs")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("fetch %s: %v\n%s", module, err, out)
	}
	var answer struct{ Dir string }
	if err := json.Unmarshal(out, &answer); err != nil || answer.Dir == "" {
		t.Fatalf("fetch %s: %v: %s", module, err, out)
	}
	return answer.Dir
}

func TestCommonMarkExamplesRenderAsSpecified(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(moduleDir(t, "github.com/yuin/goldmark"), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	if err := json.Unmarshal(b, &examples); err != nil {
		t.Fatal(err)
	}
	check(t, "commonmark-0.31.2", examples, 652)
}

func TestGFMExamplesRenderAsSpecified(t *testing.T) {
	f, err := os.Open(filepath.Join(moduleDir(t, "github.com/github/cmark-gfm"), "test", "spec.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	check(t, "gfm-0.29", readSpec(t, f), 672)
}

// readSpec reads the examples of a specification's text: fences of 32 backticks, whose two sides are separated by a
// line with a dot.
func readSpec(t *testing.T, r io.Reader) []example {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	fence := strings.Repeat("`", 32)
	var out []example
	section, inside := "", false
	var body []string
	for _, line := range strings.Split(strings.ReplaceAll(string(b), "→", "\t"), "\n") {
		switch {
		case strings.HasPrefix(line, fence+" example"):
			inside, body = true, nil
		case inside && line == fence:
			inside = false
			text := strings.Join(body, "\n") + "\n"
			markdown, html, _ := strings.Cut("\n"+text, "\n.\n")
			out = append(out, example{Markdown: strings.TrimPrefix(markdown, "\n") + "\n", HTML: html,
				Number: len(out) + 1, Section: section})
		case inside:
			body = append(body, line)
		case strings.HasPrefix(line, "#"):
			section = strings.TrimSpace(strings.TrimLeft(line, "#"))
		}
	}
	return out
}

// known is the content of known_failures.json: for each suite, reasons and the examples that differ for each reason.
type known map[string][]struct {
	Reason   string `json:"reason"`
	Examples []int  `json:"examples"`
}

func readKnown(t *testing.T) known {
	t.Helper()
	b, err := os.ReadFile("known_failures.json")
	if err != nil {
		t.Fatal(err)
	}
	var k known
	if err := json.Unmarshal(b, &k); err != nil {
		t.Fatalf("read known_failures.json: %v", err)
	}
	return k
}

// check renders all examples. Listed examples must differ; if one does not, its entry must be removed.
func check(t *testing.T, suite string, examples []example, want int) {
	t.Helper()
	if len(examples) != want {
		t.Fatalf("%s has %d examples, want %d", suite, len(examples), want)
	}
	var excepted []int
	for _, group := range readKnown(t)[suite] {
		if len(group.Reason) < 10 {
			t.Errorf("%v lack a reason", group.Examples)
		}
		excepted = append(excepted, group.Examples...)
	}
	passed := 0
	for _, e := range examples {
		root, _ := mdx.ParseWith(mdx.Options{}, "example.mdx", []byte(e.Markdown), 1)
		got := strings.TrimSpace(printHTML(root, strings.HasPrefix(suite, "gfm")))
		same := got == strings.TrimSpace(e.HTML)
		switch listed := slices.Contains(excepted, e.Number); {
		case same && listed:
			t.Errorf("%s example %d (%s) passes: remove it from known_failures.json", suite, e.Number, e.Section)
		case !same && !listed:
			t.Errorf("%s example %d (%s)\n--- markdown\n%s--- want\n%s--- got\n%s", suite, e.Number, e.Section,
				e.Markdown, e.HTML, got)
		case same:
			passed++
		}
		if !same && *differ {
			fmt.Printf("%s %d (%s) %q\n  want %q\n  got  %q\n", suite, e.Number, e.Section, e.Markdown, e.HTML, got)
		}
	}
	t.Logf("%s: %d of %d examples pass, %d differ on purpose", suite, passed, len(examples), len(examples)-passed)
}
