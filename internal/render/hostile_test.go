package render

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/htmlpolicy"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// parse parses HTML like a browser.
func parse(t testing.TB, source []byte) []*html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(string(source)),
		&html.Node{Type: html.ElementNode, Data: "article", DataAtom: atom.Article})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// reparsed returns HTML as a browser parses and serializes it.
func reparsed(t testing.TB, source []byte) string {
	t.Helper()
	var b strings.Builder
	for _, n := range parse(t, source) {
		if err := html.Render(&b, n); err != nil {
			t.Fatal(err)
		}
	}
	out := strings.NewReplacer("<br/>", "<br>", "<hr/>", "<hr>").Replace(b.String())
	return strings.TrimSpace(out)
}

// violations lists what it finds on a page that must never be there, after parsing the page like a browser.
func violations(t testing.TB, page *Page) (found []string) {
	t.Helper()
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.CommentNode || n.Type == html.DoctypeNode {
			found = append(found, "comment "+n.Data)
		}
		if n.Type == html.ElementNode {
			found = append(found, elementViolations(n)...)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	for _, source := range [][]byte{page.HTML, page.Side} {
		for _, n := range parse(t, source) {
			walk(n)
		}
	}
	if css := string(page.Style); strings.Contains(css, "</") || strings.Contains(css, "<!--") {
		found = append(found, "style sheet "+css)
	}
	return found
}

func elementViolations(n *html.Node) (found []string) {
	ours := strings.HasPrefix(n.Data, "lectern-") ||
		n.Data == "template" && len(n.Attr) == 1 && n.Attr[0].Key == "data-slot"
	if _, ok := htmlpolicy.Element(n.Data); !ok && !ours {
		found = append(found, "element <"+n.Data+">")
	}
	if n.Data == "style" || n.Data == "h1" {
		found = append(found, "element <"+n.Data+">")
	}
	for _, a := range n.Attr {
		name, where := strings.ToLower(a.Key), " of <"+n.Data+"> is "+a.Val
		switch {
		case strings.HasPrefix(name, "on"), name == "srcdoc", name == "formaction", name == "style", name == "is",
			name == "action", name == "ping":
			found = append(found, name+where)
		case strings.ContainsAny(name, "\"'<>=/ `"):
			found = append(found, "name "+name+where)
		case name == "href" || name == "src" || name == "poster" || name == "background" || name == "cite":
			if !link.Safe(a.Val) && !strings.HasPrefix(a.Val, "cursor://anysphere.cursor-deeplink/prompt?text=") {
				found = append(found, name+where)
			}
		case name == "srcset":
			for _, s := range htmlpolicy.Sources(a.Val) {
				if !link.Safe(s.URL) {
					found = append(found, name+where)
				}
			}
		case name == "attributename": // what an animation may change must have its proper spelling
			if _, _, _, ok := htmlpolicy.Attr("animate", "attributeName", a.Val); !ok {
				found = append(found, name+where)
			}
		}
	}
	return found
}

// attacks are pages that try to inject a script.
var attacks = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC="https://evil.example/x.js"></SCRIPT>`,
	`<scr<script>ipt>alert(1)</script>`,
	`<img src="x" onerror="alert(1)" alt="" />`,
	`<img src={"x"} onError={"alert(1)"} alt="" />`,
	`<svg><a><animate aTTributeName="href" values="javascript:alert(1)" /><text y="9">x</text></a></svg>`,
	`<svg onload="alert(1)"><animate onbegin="alert(1)" attributeName="href" values="javascript:alert(1)" /></svg>`,
	`<svg><a xlinkHref="javascript:alert(1)"><text>x</text></a></svg>`,
	`<svg><use href="data:image/svg+xml,<svg id='x' onload='alert(1)'/>#x" /></svg>`,
	`<svg><style>{"<img src=x onerror=alert(1)>"}</style></svg>`,
	`<svg><foreignObject><iframe srcDoc="<script>alert(1)</script>" /></foreignObject></svg>`,
	`<math><mtext><mglyph><style>{"<img src onerror=alert(1)>"}</style></mglyph></mtext></math>`,
	`<a href="javascript:alert(1)">x</a> <a href={"java\nscript:alert(1)"}>x</a> <a href="&#106;avascript:alert(1)">x</a>`,
	"<a href=\"\x01javascript:alert(1)\">x</a> <a href=\" javascript:alert(1)\">x</a>",
	`<a href="data:text/html,<script>alert(1)</script>">x</a> <a href="vbscript:x">y</a>`,
	`[x](javascript:alert(1)) [y](<java script:alert(1)>) [z](&#x6A;avascript:alert(1)) [w](JaVaScRiPt:alert(1))`,
	`![x](javascript:alert(1)) ![y](data:text/html;base64,PHNjcmlwdD4=)`,
	"[x]\n\n[x]: javascript:alert(1)",
	`<iframe src="javascript:alert(1)" /> <iframe src="data:text/html,x" /> <iframe srcdoc="<script>x</script>" />`,
	`<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)" />`,
	`<form action="javascript:alert(1)"><button formAction="javascript:alert(1)">x</button><input type="image" src="x" /></form>`,
	`<base href="https://evil.example/" /><meta httpEquiv="refresh" content="0;url=javascript:alert(1)" /><link rel="stylesheet" href="x" />`,
	`<div dangerouslySetInnerHTML={{ __html: "<img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>" }} />`,
	`<div dangerouslySetInnerHTML={{ __html: "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>" }} />`,
	`<div dangerouslySetInnerHTML={{ __html: "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>" }} />`,
	`<div {...{ onClick: "alert(1)", "on click": "x", "a><script>": 1, srcDoc: "x" }} />`,
	`<textarea>{"</textarea><script>alert(1)</script>"}</textarea><title>{"</title><script>alert(1)</script>"}</title>`,
	`<div style={{ background: "url(javascript:alert(1))", width: "expression(alert(1))", color: "red;}</style><script>" }}>x</div>`,
	`<style>{"</style><script>alert(1)</script>"}</style>`,
	`<Card title="</p><script>alert(1)</script>" href="javascript:alert(1)" img="javascript:alert(1)" icon="javascript:alert(1)" cta="<img src=x onerror=alert(1)>">x</Card>`,
	`<Card title={<img src="x" alt="" onError="alert(1)" />} icon={<svg onload="alert(1)" />} className={"\"><script>"} style={{ color: "red\"><script>" }} />`,
	`<Icon icon="../../x" src="javascript:alert(1)" color="red;background:url(javascript:x)" size="1;x" />`,
	`<Frame caption="[x](javascript:alert(1)) <b onclick=x>" hint="<script>">x</Frame>`,
	`<Tooltip tip="<script>alert(1)</script>" href="javascript:alert(1)" cta="x">y</Tooltip><Link href="javascript:alert(1)">z</Link>`,
	`<Tabs><Tab title="<script>" id={"\"><script>"}>x</Tab></Tabs><Steps><Step title="<img onerror=x>">y</Step></Steps>`,
	`<Accordion title={"<script>alert(1)</script>"} data-x={"\"><script>"} aria-label={"\" onclick=\"x"}>x</Accordion>`,
	`<Update label="<script>" tags={["<img src=x onerror=alert(1)>"]} rss={{ title: "<script>" }}>x</Update>`,
	`<View title={"\"><script>"}>x</View><Color><Color.Item name="<script>" value="red;}x{" /></Color>`,
	`<Prompt description="<script>" actions={["cursor", "copy", "<script>"]}>{"</div><script>alert(1)</script>"}</Prompt>`,
	`<ParamField path="<script>" type="<script>" default="<script>">x</ParamField><Tree><Tree.File name="<script>" /></Tree>`,
	`<GitHub.Repo repo={"a/b\"><script>"} /><Banner title="<script>" background="url(javascript:x)" color="red}" />`,
	"```js title=\"</figcaption><script>\" icon=\"x\"\n</code></pre><script>alert(1)</script>\n```",
	"```\"><script>\nx\n```\n\n```mermaid\n</pre><script>alert(1)</script>\n```",
	`<CodeBlock language={"x\"><script>"} filename="<script>" highlight="[1" focus={{}}>{"</pre><script>"}</CodeBlock>`,
	`$\href{javascript:alert(1)}{x}$ $\htmlClass{a" onclick="x}{y}$ $\includegraphics{javascript:x}$ $<script>$`,
	"## A {#\"><script>alert(1)</script>}\n\n## <script>alert(1)</script> B",
	"a[^\"><script>]\n\n[^\"><script>]: x",
	"| a |\n|---|\n| <script>alert(1)</script> `</code><script>` |",
	"{\"<script>alert(1)</script>\"} {'</p><img src=x onerror=alert(1)>'}",
	"export const A = () => <div onLoad=\"x\" dangerouslySetInnerHTML={{ __html: '<script>1</script><b onmouseover=x>y</b>' }} />\n\n<A />",
	"export const A = () => { const [x] = useState('<script>'); return <a href=\"javascript:alert(1)\" onClick={() => 1}>{x}</a> }\n\n<A />",
	"<\x00script>alert(1)</script> \x00 &#0; &#x3C;script&#x3E;",
	`<template><script>alert(1)</script></template><plaintext>x</plaintext><xmp><script>alert(1)</script></xmp><noscript><script>x</script></noscript>`,
}

func TestPagesNeverContainAuthorScripts(t *testing.T) {
	for _, in := range attacks {
		page, _ := renderSource(t, in)
		for _, f := range violations(t, page) {
			t.Errorf("%s\nhas %s\n%s", in, f, page.HTML)
		}
		if low := strings.ToLower(string(page.HTML)); strings.Contains(low, "<script") ||
			strings.Contains(low, "javascript:") && !strings.Contains(in, "`</") && !quoted(in) {
			t.Errorf("%s\ngives\n%s", in, page.HTML)
		}
	}
}

// quoted reports whether an attack is shown as text, which may contain its words.
func quoted(in string) bool {
	return strings.HasPrefix(in, "$") || strings.HasPrefix(in, "<Icon") || strings.Contains(in, "caption=")
}

func TestDeepNestingIsBounded(t *testing.T) {
	const n = 5000
	for name, in := range map[string]string{
		"quotes":    strings.Repeat("> ", n) + "x",
		"elements":  strings.Repeat("<div>", n) + "x" + strings.Repeat("</div>", n),
		"callouts":  strings.Repeat("<Note>\n", n) + "x" + strings.Repeat("\n</Note>", n),
		"emphasis":  strings.Repeat("*a **b ", n) + strings.Repeat("** *", n),
		"inner":     `<div dangerouslySetInnerHTML={{ __html: "` + strings.Repeat("<b>", n) + `" }} />`,
		"titles":    strings.Repeat("<Tabs><Tab title=\"x\">", n/5) + "x" + strings.Repeat("</Tab></Tabs>", n/5),
		"paragraph": strings.Repeat("a <span>", n) + strings.Repeat("</span>", n),
	} {
		start := time.Now()
		page, _ := renderSource(t, in)
		if f := violations(t, page); len(f) > 0 {
			t.Errorf("%s: %v", name, f[0])
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	var deep ast.Node = text("x")
	for range 100_000 {
		deep = &ast.Paragraph{Children: ast.Children{&ast.Element{Name: "span", Children: ast.Children{deep}}}}
	}
	if page, _ := renderNodes(t, deep); len(page.HTML) > 1<<20 {
		t.Errorf("%d bytes", len(page.HTML))
	}
}

func FuzzPage(f *testing.F) {
	for _, in := range attacks {
		f.Add(in)
	}
	for _, in := range []string{"# a\n\n- b\n  - [ ] c\n\n| d |\n|---|\n| e |", "a[^1]\n\n[^1]: b",
		"<Tabs>\n<Tab title=\"a\">\n```js\nb\n```\n</Tab>\n</Tabs>", "{[1, <b>2</b>]}", "$a$"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, source string) {
		page, _ := renderSource(t, source)
		for _, fault := range violations(t, page) {
			t.Errorf("%s\n%s", fault, page.HTML)
		}
	})
}
