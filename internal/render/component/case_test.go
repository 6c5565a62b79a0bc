package component

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/contract"
	"github.com/lectern-docs/lectern/web/theme"
)

// TestEveryComponentHasACase looks for each name of the catalogue in the conformance cases.
func TestEveryComponentHasACase(t *testing.T) {
	cases := string(readCases(t))
	for _, c := range List() {
		shows := func(after string) bool { return strings.Contains(cases, "<"+c.Name+after) }
		if !slices.ContainsFunc([]string{" ", ">", "\n"}, shows) {
			t.Errorf("no case in conformance/component shows <%s>", c.Name)
		}
	}
}

func readCases(t *testing.T) []byte {
	t.Helper()
	names, err := filepath.Glob("../../../conformance/component/*/in.mdx")
	if err != nil || len(names) == 0 {
		t.Fatalf("cases: %v, %d found", err, len(names))
	}
	var all bytes.Buffer
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.Bytes()
}

// TestEveryPlatformClassIsStyled checks that every class written by components is in a style sheet.
func TestEveryPlatformClassIsStyled(t *testing.T) {
	var css bytes.Buffer
	for _, name := range theme.Styles() {
		b, err := fs.ReadFile(theme.FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		css.Write(b)
	}
	unstyled := append(slices.Clone(contract.Classes), "palette", "code-title", "language-text")
	for class := range writtenClasses(t) {
		if slices.Contains(unstyled, class) {
			continue // used by authors and scripts, or on a wrapper around styled parts
		}
		if !regexp.MustCompile(`\.` + regexp.QuoteMeta(class) + `[^\w-]`).Match(css.Bytes()) {
			t.Errorf("no style sheet has .%s", class)
		}
	}
}

// writtenClasses renders every component with every prop and every allowed word of each prop, and returns all classes.
func writtenClasses(t *testing.T) map[string]bool {
	found := map[string]bool{}
	collect := func(e *ast.Element) {
		out, _ := draw(t, e)
		for _, m := range regexp.MustCompile(` class="([^"]*)"`).FindAllStringSubmatch(out, -1) {
			for class := range strings.FieldsSeq(m[1]) {
				found[class] = true
			}
		}
	}
	for _, c := range List() {
		var all props
		for _, p := range c.Props {
			switch p.Kind {
			case Flag:
				all = append(all, p.Name, true)
			case Number:
				all = append(all, p.Name, 2)
			case Word:
				for _, word := range p.Values {
					collect(tag(c.Name, append(slices.Clone(all), p.Name, word), say("x")))
				}
			default:
				all = append(all, p.Name, "a/b")
			}
		}
		collect(tag(c.Name, all, say("x"), tag("Tab", props{"title", "x", "icon", "x"}),
			tag("Step", props{"title", "x", "icon", "x"})))
		collect(tag(c.Name, props{"title", "x", "href", "https://x.y", "tip", "x", "cta", "x", "img", "x"}, say("x")))
	}
	return found
}
