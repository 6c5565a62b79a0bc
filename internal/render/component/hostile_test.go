package component

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func object(pairs ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// everywhere renders nodes and returns the body followed by the side panel.
func everywhere(t *testing.T, nodes ...ast.Node) string {
	t.Helper()
	html, s := draw(t, nodes...)
	if s.w.Side != nil {
		html += string(s.w.Side.Bytes())
	}
	return html
}

// TestHostilePropsAreEscaped gives every prop of every component a value that tries to break out, and parses the HTML.
func TestHostilePropsAreEscaped(t *testing.T) {
	const evil = `x"><script>alert(1)</script><img src=x onerror=alert(1)> ' onclick='y`
	for _, c := range List() {
		p := props{"className", evil, "id", evil, "style", "color: red\"><script>", "data-x", evil, "aria-label", evil,
			"data-x onload", evil, "onClick", evil}
		for _, prop := range c.Props {
			if prop.Name != "img" && prop.Name != "src" {
				p = append(p, prop.Name, evil)
			}
		}
		out := everywhere(t, tag(c.Name, p, say(evil)))
		doc, err := html.Parse(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if n.Data == "script" || n.Data == "img" && c.Name != "Image" {
				t.Errorf("%s: <%s> came out of a prop:\n%s", c.Name, n.Data, out)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: attribute %s came out of a prop:\n%s", c.Name, a.Key, out)
				}
			}
		}
	}
}

func TestScriptURLsAreNeverWritten(t *testing.T) {
	for _, c := range List() {
		if c.Name == "Link" || c.Name == "Image" { // these become Markdown and HTML, whose URLs the page resolves
			continue
		}
		out := everywhere(t, tag(c.Name, props{"title", "t", "href", "JavaScript:alert(1)", "img",
			"javascript:alert(1)", "tip", "x", "cta", "y"}, say("z")))
		if regexp.MustCompile(`(?i)(href|src)="javascript:`).MatchString(out) {
			t.Errorf("%s writes the address:\n%s", c.Name, out)
		}
	}
}

// TestOddValuesNeverPanic passes values of every kind to every prop.
func TestOddValuesNeverPanic(t *testing.T) {
	values := []ast.Value{nil, ast.Undefined{}, true, false, 0.0, -1e300, "", "NaN",
		[]ast.Value{nil, object(), []ast.Value{}}, object("a", nil),
		ast.Nodes{}, ast.Nodes(nil), ast.Nodes{say("jsx")}, ast.Opaque{Type: "function"}, strings.Repeat("x", 1<<16)}
	for _, c := range List() {
		for _, v := range values {
			p := props{"className", v, "id", v, "style", v, "data-x", v}
			for _, prop := range c.Props {
				p = append(p, prop.Name, v)
			}
			out := everywhere(t, tag(c.Name, p, say("kept")))
			if c.Name != "Image" && c.Name != "Icon" && !strings.Contains(out, "kept") {
				t.Errorf("%s with %T loses its content:\n%.300s", c.Name, v, out)
			}
		}
	}
}

func TestNestedTabsGrowLinearly(t *testing.T) {
	size := func(depth int) int {
		n := ast.Node(say("x"))
		for range depth {
			n = tag("Tabs", nil, tag("Tab", props{"title", "T"}, n))
		}
		out, _ := draw(t, n)
		return len(out)
	}
	if a, b := size(100), size(200); b > 3*a {
		t.Errorf("twice the depth gives %d bytes instead of %d", b, a)
	}
}

func TestTabsNestedInTitlesGrowLinearly(t *testing.T) {
	size := func(depth int) int {
		n := ast.Node(say("x"))
		for range depth {
			n = tag("Tabs", nil, tag("Tab", props{"title", ast.Nodes{n}}, say("y")))
		}
		out, _ := draw(t, n)
		return len(out)
	}
	if a, b := size(20), size(40); b > 3*max(a, 4*maxLabel) {
		t.Errorf("twice the depth gives %d bytes instead of %d", b, a)
	}
}
