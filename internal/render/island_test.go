package render

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func text(s string) ast.Node { return &ast.Text{Value: s} }

func TestIslandsCarryHydrationData(t *testing.T) {
	island := &ast.Island{
		Unit: "snippets/a.jsx", Thunk: 3, Props: `{"a":"<\"&"}`, Slots: [][]ast.Node{{text("shown")}, {text("later")}},
		Children: ast.Children{&ast.Element{Name: "div",
			Children: ast.Children{&ast.Slot{Index: 0}, &ast.Slot{Index: 7}, &ast.Slot{Index: -1}}}},
	}
	page, _ := renderNodes(t, island, &ast.Slot{Index: 0})
	want := `<lectern-island data-unit="snippets/a.jsx" data-thunk="3" data-props="{&quot;a&quot;:&quot;&lt;\&quot;&amp;&quot;}"><div>` +
		`<lectern-slot data-n="0">shown</lectern-slot></div><template data-slot="1">later</template></lectern-island>`
	if string(page.HTML) != want || !page.Islands {
		t.Errorf("got  %s\nwant %s", page.HTML, want)
	}
}

func TestNestedIslandsHaveTheirOwnSlots(t *testing.T) {
	inner := &ast.Island{Unit: "b", Props: "{}", Slots: [][]ast.Node{{text("in")}},
		Children: ast.Children{&ast.Slot{Index: 0}}}
	outer := &ast.Island{Unit: "a", Props: "{}", Slots: [][]ast.Node{{inner}, {text("second")}},
		Children: ast.Children{&ast.Slot{Index: 0}, &ast.Slot{Index: 1}}}
	page, _ := renderNodes(t, outer)
	if html := string(page.HTML); strings.Contains(html, "template") || strings.Count(html, "in</lectern-slot>") != 1 ||
		!strings.Contains(html, `<lectern-slot data-n="1">second</lectern-slot></lectern-island>`) {
		t.Error(html)
	}
}

// Components that show their children twice double the output at each level. The output is bounded, and a finding
// reports that.
func TestRepeatedContentIsBounded(t *testing.T) {
	nodes := []ast.Node{text("x")}
	for range 40 {
		nodes = []ast.Node{&ast.Island{Unit: "d", Props: "{}", Slots: [][]ast.Node{nodes},
			Children: ast.Children{&ast.Slot{}, &ast.Slot{}}}}
	}
	page, list := renderNodes(t, nodes...)
	if len(page.HTML) > 256<<20 || !strings.Contains(places(list), "page-too-large") {
		t.Errorf("%d bytes, %s", len(page.HTML), places(list))
	}
}

func TestClientComponentsRenderOnServer(t *testing.T) {
	page, list := renderSource(t,
		"export const Counter = ({ start, children }) => {\n  const [n, set] = useState(start);\n"+
			"  return <button onClick={() => set(n + 1)}>{n} {children}</button>;\n};\n\n<Counter start={2}>*times*</Counter>")
	html := string(page.HTML)
	if !page.Islands || !strings.Contains(html, "<lectern-island") || !strings.Contains(html, "<em>times</em>") ||
		strings.Contains(html, "onClick") {
		t.Errorf("%s\n%s", html, places(list))
	}
}
