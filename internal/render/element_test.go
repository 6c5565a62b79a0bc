package render

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/expand"
)

func TestAuthorHTMLFollowsPolicy(t *testing.T) {
	for _, c := range []struct{ name, in, want, findings string }{
		{"names as React spells them", `<label htmlFor="a" className="b" tabIndex={0} data-x="1" aria-hidden>c</label>`,
			`<label for="a" class="b" tabindex="0" data-x="1" aria-hidden="true">c</label>`, ""},
		{"the later of two wins", `<b title="1" id="i" title="2">x</b>`, `<b title="2" id="i">x</b>`, ""},
		{"values that are not text",
			`<video controls muted={false} width={3} title={null} loop={true} src="/a.mp4"></video>`,
			`<video controls width="3" loop src="/a.mp4" preload="metadata"></video>`, ""},
		{"void elements", "a<br/>b<hr/>", `<div class="p">a<br>b<hr></div>`, ""},
		{"addresses are resolved", `<a href="javascript:alert(1)" title="t">x</a>`, `<a title="t">x</a>`, ""},
		{"source sets", `<img alt="" srcSet="/a.png 1x, javascript:x 2x" src="/a.png" />`,
			`<img alt="" srcset="/a.png 1x" src="/a.png" decoding="async">`, ""},
		{"handlers are omitted", `<b onclick="x" title="t">x</b>`, `<b title="t">x</b>`,
			"page.mdx:1:4 refused-attribute"},
		{"scripts are dropped", "a <script>alert(1)</script> b", "<p>a  b</p>", "page.mdx:1:3 refused-element"},
		{"plug-ins show what is inside", "<object>x</object>", "x", "page.mdx:1:1 refused-element"},
		{"unknown elements", "<foo>x</foo>", "x", "page.mdx:1:1 unknown-element"},
		{"unknown components", "<Foo.Bar>x</Foo.Bar>", "x", "page.mdx:1:1 unknown-component"},
		{"frames", `<iframe src="http://example.com/a" title="t">x</iframe>`,
			`<iframe src="https://example.com/a" title="t" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox ` +
				`allow-presentation allow-downloads allow-modals" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>`, ""},
		{"inner HTML",
			`<div title="t" dangerouslySetInnerHTML={{ __html: "<b onclick='x'>a</b><script>b</script>&lt;" }}>gone</div>`,
			`<div title="t"><b>a</b>&lt;</div>`, "page.mdx:1:1 refused-attribute; page.mdx:1:1 refused-element"},
		{"SVG", `<svg viewBox="0 0 1 1" xmlns="x"><path strokeWidth="2" d="M0 0" /><linearGradient id="g" /></svg>`,
			`<svg viewBox="0 0 1 1"><path stroke-width="2" d="M0 0"></path><linearGradient id="g"></linearGradient></svg>`, ""},
		{"nothing between inline elements", `<div><span>a</span><span>b</span></div>`,
			`<div><span>a</span><span>b</span></div>`, ""},
		{"separate lines", "<b>a</b>\n\n<b>b</b>\n\n<div>\n  <Badge>c</Badge>\n  <Badge>d</Badge>\n</div>",
			"<b>a</b>\n<b>b</b>\n<div><span class=\"badge\" data-badge=\"\" data-color=\"gray\" data-size=\"md\">c</span>\n" +
				"<span class=\"badge\" data-badge=\"\" data-color=\"gray\" data-size=\"md\">d</span></div>", ""},
		{"no h1", `<h1 className="x">a</h1>`, `<h2 class="x">a</h2>`, ""},
	} {
		page, list := renderSource(t, c.in)
		if got := strings.TrimSpace(string(page.HTML)); got != c.want || places(list) != c.findings {
			t.Errorf("%s\ngot  %s\nwant %s\nfindings %s", c.name, got, c.want, places(list))
		}
	}
}

func TestInlineStylesMoveToStyleSheet(t *testing.T) {
	page, list := renderSource(t,
		"<p style={{ maxWidth: 10, width: 'expression(1)' }} className=\"a\">x</p>\n\n<style>{`.x > b { color: red }</style>`}</style>\n\n"+
			"<style dangerouslySetInnerHTML={{ __html: '.y{}' }} />\n\n<b style=\"max-width: 10px\">y</b>")
	html, css := string(page.HTML), string(page.Style)
	if strings.Contains(html, "style") || !strings.Contains(html, ` a">x</p>`) {
		t.Error(html)
	}
	if strings.Count(css, "max-width: 10px") != 1 || !strings.Contains(css, `.x > b { color: red }\3c /style>`) ||
		!strings.Contains(css, ".y{}") || strings.Contains(css, "expression") {
		t.Error(css)
	}
	if got := places(list); got != "page.mdx:1:4 style-refused" {
		t.Error(got)
	}
}

func TestStylesWithLowContrastAreReported(t *testing.T) {
	_, list := renderSource(t, "<p style={{ color: '#ccc', background: 'white' }}>pale</p>\n\n<p style={{ color: '#222', background: 'white' }}>clear</p>")
	if got := places(list); got != "page.mdx:1:4 low-contrast" {
		t.Error(got)
	}
}

func TestParagraphsNeverContainBlocks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"prose", "a <b>b</b> <kbd>c</kbd>", `<p>a <b>b</b> <kbd>c</kbd></p>`},
		{"an element among words", "a <div>b</div> c", `<div class="p">a <div>b</div> c</div>`},
		{"in a span", "a <span><ul><li>b</li></ul></span>", `<div class="p">a <span><ul><li>b</li></ul></span></div>`},
		{"in emphasis", "a **<div>b</div>**", `<div class="p">a <strong><div>b</div></strong></div>`},
		{"in a button", "a <button><div>b</div></button>", `<p>a <button><div>b</div></button></p>`},
		{"in a loose list", "- a <div>b</div>\n\n- c",
			"<ul>\n<li><div class=\"p\">a <div>b</div></div>\n</li>\n<li><p>c</p>\n</li>\n</ul>"},
		{"in a tight list", "- a <div>b</div>", "<ul>\n<li>a <div>b</div></li>\n</ul>"},
		{"in an author's paragraph", "<p>a <ul><li>b</li></ul></p>", `<div>a <ul><li>b</li></ul></div>`},
	} {
		page, _ := renderSource(t, c.in)
		if got := strings.TrimSpace(string(page.HTML)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if again := reparsed(t, page.HTML); again != strings.TrimSpace(string(page.HTML)) {
			t.Errorf("%s: a parser reads\n%s\ninstead of\n%s", c.name, again, page.HTML)
		}
	}
}

func TestBlockComponentsInTextDoNotBreakParagraphs(t *testing.T) {
	page, _ := renderSource(t, "See <Note>x</Note> and more.\n\nimport S from '/s.mdx'", "s.mdx", "y")
	if html := string(page.HTML); !strings.HasPrefix(html, `<div class="p">See <div class="callout`) ||
		reparsed(t, page.HTML) != strings.ReplaceAll(strings.TrimSpace(html), "/>", "></path>") {
		t.Error(html)
	}
	page, _ = renderSource(t, "import S from '/s.mdx'\n\n<S /> <S />", "s.mdx", "y")
	if html := string(page.HTML); strings.TrimSpace(html) != "<p>y</p>\n <p>y</p>" &&
		strings.TrimSpace(html) != "<p>y</p>\n<p>y</p>" {
		t.Errorf("%q", html)
	}
}

func TestFirstHeadingIsTitleIfLayoutShowsNone(t *testing.T) {
	for in, want := range map[string]string{
		"<div><h1>a</h1></div>\n\n<h1>b</h1>": "<div><h1>a</h1></div>\n<h2>b</h2>",
		"# a":                                 `<h1 id="a">`,
	} {
		read, _ := expand.New(expand.Options{Src: fstest.MapFS{}}).
			Page(t.Context(), &ast.File{Name: "page.mdx", Body: []byte(in), Line: 1})
		page, _, err := testRenderer().
			Render(t.Context(), Source{File: read.File, Nodes: read.Nodes, OwnTitle: true, DropTitle: true}, &acceptAll{})
		if err != nil || !strings.Contains(string(page.HTML), want) {
			t.Errorf("%q: %v %s", in, err, page.HTML)
		}
	}
}
