package component

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// findings returns findings in the form "code message | hint".
func findings(e *ast.Element) []string {
	var list []string
	c, _ := Find(e.Name)
	Check(c, e, func(_ ast.Span, code, message, hint string) { list = append(list, code+" "+message+" | "+hint) })
	return list
}

func TestCheckReportsInvalidProps(t *testing.T) {
	for _, c := range []struct {
		name string
		p    props
		want []string
	}{
		{"Card", props{"titel", "x"}, []string{`unknown-prop <Card> has no prop "titel". | Did you mean title?`}},
		{"Badge", props{"zzzzzzzzzzzz", "x"},
			[]string{
				`unknown-prop <Badge> has no prop "zzzzzzzzzzzz". | Write one of color, size, shape, icon, iconType, stroke, disabled.`}},
		{"Accordion", nil, []string{`missing-prop <Accordion> needs title. | Add title="…".`}},
		{"Badge", props{"color", "pink"},
			[]string{
				`bad-prop The prop color of <Badge> cannot be "pink". | Write one of gray, blue, green, yellow, orange, red, purple, white, surface, white-destructive, surface-destructive.`}},
		{"Columns", props{"cols", "two"},
			[]string{`bad-prop The prop cols of <Columns> cannot be "two". | Write a number: cols={2}.`}},
		{"Columns", props{"cols", "2"}, nil},
		{"Card", props{"horizontal", "yes"},
			[]string{
				`bad-prop The prop horizontal of <Card> cannot be "yes". | Write horizontal or horizontal={false}.`}},
		{"Card", props{"href", object()},
			[]string{`bad-prop The prop href of <Card> cannot be an object. | Write text: href="…".`}},
		{"Card", props{"key", 1, "className", "x", "style", object(), "id", "x", "aria-label", "x", "data-foo", "x",
			"onClick", ast.Opaque{}}, nil},
		{"Tabs", props{"items", []ast.Value{}, "group", 3, "defaultValue", "x"}, nil},
		{"Card", props{"title", ast.Undefined{}, "cols", nil},
			[]string{`unknown-prop <Card> has no prop "cols". | Did you mean color?`}},
	} {
		if got := findings(tag(c.name, c.p)); !slices.Equal(got, c.want) {
			t.Errorf("<%s %v>:\n got %q\nwant %q", c.name, c.p, got, c.want)
		}
	}
}

func TestCatalogueNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range List() {
		if seen[c.Name] || c.Render == nil {
			t.Errorf("%s is listed twice or has no Render function", c.Name)
		}
		seen[c.Name] = true
		if c.Instead != "" && c.Instead != "img" {
			if other, ok := Find(c.Instead); !ok || other.Instead != "" {
				t.Errorf("%s stands for %s, which is not in the catalogue", c.Name, c.Instead)
			}
		}
	}
}

func TestElementsLooksThroughWrappersOnly(t *testing.T) {
	a, b, c := tag("Tab", nil), tag("Tab", nil), tag("Tab", nil)
	nodes := []ast.Node{say(" "), tag("", nil, a), &ast.Included{Children: ast.Children{b}}, para(say("\n"), c),
		tag("Card", nil, tag("Tab", nil)), para(say("x"), tag("Tab", nil))}
	if got := elements(nodes, "Tab"); !slices.Equal(got, []*ast.Element{a, b, c}) {
		t.Errorf("found %d elements", len(got))
	}
}

func TestPlainComponentsBecomeMarkdownAndHTML(t *testing.T) {
	for _, c := range []struct {
		e    *ast.Element
		want string
	}{
		{tag("Link", props{"href", "/a"}, say("x")), `<a href="/a">x</a>`},
		{tag("Link", nil, say("x")), `x`},
		{tag("Image", props{"src", "/a.png", "alt", "A", "priority", true}), `<img src="/a.png" alt="A">`},
		{tag("Heading", props{"level", 3}, say("x")), `<h3>x</h3>`},
		{tag("Heading", props{"level", 2, "noAnchor", true, "className", "m-0"}, say("x")), `<h2 class="m-0">x</h2>`},
		{tag("Latex", nil, say("$$ x^2 < 1 $$")), `[block x^2 &lt; 1]`},
		{tag("Latex", nil), ``},
		{tag("Visibility", props{"for", "humans"}, say("x")), `x`},
		{tag("Visibility", props{"for", "agents"}, say("x")), ``},
		{tag("Banner", props{"title", "New", "background", "#123456"}, say("x")),
			`<div class="strip strip-own" style="background: #123456"><p class="strip-title">New</p><div class="strip-body flow">x</div></div>`},
	} {
		if html, _ := draw(t, c.e); html != c.want {
			t.Errorf("<%s> gives %s, want %s", c.e.Name, html, c.want)
		}
	}
}
