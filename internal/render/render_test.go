package render

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/tex"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/web/npm"
)

// acceptAll resolves every address except unsafe ones, and records the references.
type acceptAll struct{ refs []string }

// Resolve implements Resolver.
func (r *acceptAll) Resolve(ref Ref) (component.Address, bool) {
	p := ref.Pos()
	r.refs = append(r.refs, fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Column, ref.Dest))
	return component.Address{Href: ref.Dest}, link.Safe(ref.Dest)
}

// testRenderer is created once, because icons and formulas are read from packs.
var testRenderer = sync.OnceValue(func() *Renderer {
	icons, err := icon.Open(npm.FS())
	if err != nil {
		panic(err)
	}
	return New(Options{Icons: icons.Set(icon.FontAwesome), Code: highlight.New(1 << 20), Math: tex.New(npm.FS())})
})

// renderSource expands and renders a page. files are additional files in the docs folder: name, text, name, text.
func renderSource(t testing.TB, source string, files ...string) (*Page, diag.List) {
	t.Helper()
	return renderWith(t, &acceptAll{}, source, files...)
}

// renderWith is renderSource with another Resolver.
func renderWith(t testing.TB, to Resolver, source string, files ...string) (*Page, diag.List) {
	t.Helper()
	folder := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		folder[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	page, list := expand.New(expand.Options{Src: folder}).
		Page(context.Background(), &ast.File{Name: "page.mdx", Body: []byte(source), Line: 1})
	out, more, err := testRenderer().
		Render(context.Background(), Source{File: page.File, Nodes: page.Nodes}, to)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	return out, append(list, more...)
}

// renderNodes renders nodes that no source can produce.
func renderNodes(t testing.TB, nodes ...ast.Node) (*Page, diag.List) {
	t.Helper()
	out, list, err := testRenderer().
		Render(context.Background(), Source{File: &ast.File{Name: "page.mdx", Line: 1}, Nodes: nodes}, &acceptAll{})
	if err != nil {
		t.Fatal(err)
	}
	return out, list
}

func places(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Place()+" "+d.Code)
	}
	return strings.Join(out, "; ")
}

func outlineOf(p *Page) string {
	var out []string
	for _, h := range p.Headings {
		out = append(out, fmt.Sprintf("%d #%s %s", h.Level, h.ID, h.Text))
	}
	return strings.Join(out, "; ")
}

const anchorLink = ` aria-label="Link to this section" data-platform></a>`

func TestMarkdownBecomesHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"paragraph", "a & b < c\nd", "<p>a &amp; b &lt; c\nd</p>\n"},
		{"inlines", "*a* **b** ~~c~~ `d < e`",
			"<p><em>a</em> <strong>b</strong> <del>c</del> <code>d &lt; e</code></p>\n"},
		{"hard break", "a\\\nb", "<p>a<br>\nb</p>\n"},
		{"rule and quote", "---\n\n> a\n>\n> b", "<hr>\n<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n"},
		{"tight list", "- a\n- b\n  - c", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"},
		{"loose list", "3. a\n\n4. b", "<ol start=\"3\">\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n"},
		{"tasks", "- [ ] a *b*\n- [x] c",
			"<ul class=\"tasks\">\n<li><input type=\"checkbox\" disabled aria-label=\"a b\"> a <em>b</em></li>\n" +
				"<li><input type=\"checkbox\" disabled checked aria-label=\"c\"> c</li>\n</ul>\n"},
		{"loose task", "- [x] a\n\n- b",
			"<ul class=\"tasks\">\n<li><p><input type=\"checkbox\" disabled checked aria-label=\"a\"> a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>\n"},
		{"table", "| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | `x` | <b>y</b> |",
			"<div class=\"table-scroll\" data-table-wrapper=\"true\"><table>\n<thead>\n<tr><th scope=\"col\">a</th><th scope=\"col\" align=\"left\">b</th>" +
				"<th scope=\"col\" align=\"center\">c</th><th scope=\"col\" align=\"right\">d</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td align=\"left\"><code>x</code></td>" +
				"<td align=\"center\"><b>y</b></td><td align=\"right\"></td></tr>\n</tbody>\n</table></div>\n"},
		{"table with only a head", "| a |\n|---|",
			"<div class=\"table-scroll\" data-table-wrapper=\"true\"><table>\n<thead>\n<tr><th scope=\"col\">a</th></tr>\n</thead>\n</table></div>\n"},
		{"link", `[a](/b?c=1&d=2 "T \"q\"")`, `<p><a href="/b?c=1&amp;d=2" title="T &quot;q&quot;">a</a></p>` + "\n"},
		{"image", `![A **b**](/c.png "T")`,
			`<p><img src="/c.png" alt="A b" title="T" decoding="async"></p>` + "\n"},
		{"bare address", "https://example.com/a",
			`<p><a href="https://example.com/a">https://example.com/a</a></p>` + "\n"},
		{"refused link", "[a *b*](javascript:alert(1))", "<p>a <em>b</em></p>\n"},
		{"refused image", "![a](javascript:alert(1))", "<p>a</p>\n"},
		{"heading", "# One `two`",
			`<h2 id="one-two"><a class="anchor" href="#one-two"` + anchorLink + "One <code>two</code></h2>\n"},
		{"next heading", "# A\n### Three", `<h2 id="a"><a class="anchor" href="#a"` + anchorLink + "A</h2>\n" +
			`<h3 id="three"><a class="anchor" href="#three"` + anchorLink + "Three</h3>\n"},
	} {
		page, list := renderSource(t, c.in)
		if got := string(page.HTML); got != c.want || len(list) > 0 {
			t.Errorf("%s\ngot  %s\nwant %s\nfindings %s", c.name, got, c.want, places(list))
		}
	}
}

func TestFootnotesAreListedAtEndWithBackLinks(t *testing.T) {
	page, _ := renderSource(t, "a[^x] b[^y] c[^x]\n\n[^y]: two\n[^x]: one\n\nlast")
	want := `<p>a<sup class="footnote-ref"><a href="#fn--1" id="fnref--1" aria-describedby="footnotes--label">1</a></sup> ` +
		`b<sup class="footnote-ref"><a href="#fn--2" id="fnref--2" aria-describedby="footnotes--label">2</a></sup> ` +
		`c<sup class="footnote-ref"><a href="#fn--1" id="fnref--1-2" aria-describedby="footnotes--label">1</a></sup></p>` + "\n<p>last</p>\n" +
		`<section class="footnotes"><h2 id="footnotes--label" class="visually-hidden" data-platform>Footnotes</h2>` +
		"\n<ol>\n" +
		`<li id="fn--1"><p>one</p>` + "\n" +
		`<a class="footnote-back" href="#fnref--1" aria-label="Back to the text" data-platform>↩</a>` +
		`<a class="footnote-back" href="#fnref--1-2" aria-label="Back to the text" data-platform>↩</a></li>` + "\n" +
		`<li id="fn--2"><p>two</p>` + "\n" +
		`<a class="footnote-back" href="#fnref--2" aria-label="Back to the text" data-platform>↩</a></li>` +
		"\n</ol></section>\n"
	if string(page.HTML) != want {
		t.Errorf("got\n%s\nwant\n%s", page.HTML, want)
	}
}

func TestInvalidFormulaShowsItsSource(t *testing.T) {
	page, list := renderSource(t, "$a^2$ and $\\frac{<b>$")
	html := string(page.HTML)
	if !strings.Contains(html, `<annotation encoding="application/x-tex">a^2</annotation>`) || !page.Math ||
		!strings.Contains(html, `and <code class="math-error" data-math>\frac{&lt;b&gt;</code></p>`) {
		t.Errorf("%s", html)
	}
	if got := places(list); got != "page.mdx:1:11 math" {
		t.Errorf("findings %s", got)
	}
}

func TestMissingAltTextIsReportedOnce(t *testing.T) {
	page, list := renderSource(t, "![](/a.png) <img src=\"/b.png\" alt=\"\" /> <img src=\"/c.png\" />\n\n"+
		"<Tabs><Tab title={<img src=\"/d.png\" />}>x</Tab></Tabs>\n\n<img src=\"/e.png\" aria-hidden />\n\n<img src=\"/f.png\" role=\"presentation\" />")
	if got := places(list); got != "page.mdx:1:1 missing-alt; page.mdx:1:41 missing-alt; page.mdx:3:19 missing-alt" {
		t.Errorf("findings %s\n%s", got, page.HTML)
	}
}

func TestSkippedHeadingLevelsAreReported(t *testing.T) {
	page, list := renderSource(t, "### Three\n\n## A\n\n### B\n\n## C\n\n###### Six\n\n"+
		"<Accordion title=\"x\">\n#### Folded\n</Accordion>\n\n##### Back")
	if got := places(list); got != "page.mdx:1:1 heading-skip; page.mdx:9:1 heading-skip" {
		t.Errorf("findings %s\n%s", got, page.HTML)
	}
}

func TestPageReportsLeadClassesAndFeatures(t *testing.T) {
	page, _ := renderSource(t,
		"<Note>x</Note>\n\nThe *first*\nparagraph.\n\n<div className=\"b a\">{''}</div>\n\nsecond")
	if page.Lead != "The first paragraph." || strings.Join(page.Classes, " ") != "a b" || page.Math || page.Mermaid ||
		page.Islands {
		t.Errorf("%+v", page)
	}
	for _, in := range []string{"```mermaid\nA\n```", "<CodeBlock language=\"mermaid\">\n{`A`}\n</CodeBlock>",
		"export const D = () => <CodeBlock language=\"mermaid\">A</CodeBlock>\n\n<D />"} {
		if page, list := renderSource(t, in); !page.Mermaid {
			t.Errorf("the diagram is not reported in %s\n%s\n%s", in, page.HTML, places(list))
		}
	}
}
