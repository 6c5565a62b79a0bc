package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// tree formats nodes with everything that Eval determines.
func tree(nodes []ast.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			fmt.Fprintf(&b, "%q", n.Value)
		case *ast.Expr:
			fmt.Fprintf(&b, "{%s}", n.Source)
		case *ast.Element:
			b.WriteString("<" + n.Name)
			for _, a := range n.Attrs {
				fmt.Fprintf(&b, " %s/%d=%q", a.Name, a.Kind, a.Value)
			}
			for _, p := range n.Props {
				fmt.Fprintf(&b, " %s:%s", p.Name, show(p.Value))
			}
			b.WriteString(">" + tree(n.Children) + "</>")
		}
	}
	return b.String()
}

func TestJSXBecomesNodes(t *testing.T) {
	for source, want := range map[string]string{
		`<br/>`:                                     `<br></>`,
		`<a href="/x?a=1&amp;b">t</a>`:              `<a href/1="/x?a=1&b">"t"</>`,
		`<A b c={1 + 1} {...d} e='"' f=<i/> />`:     `<A b/0="" c/2="1 + 1" /3="d" e/1="\"" f/2="<i/>"></>`,
		`<A.B-c d-e:f="1"></A.B-c>`:                 `<A.B-c d-e:f/1="1"></>`,
		`<>x <b>y</b> z</>`:                         `"x "<b>"y"</>" z"`,
		"<p>\n  one\n  two  \n\n  <b/> three\n</p>": `<p>"one two"<b></>" three"</>`,
		`<p>it's &lt;5 &amp &copy; } </p>`:          `<p>"it's <5 &amp © } "</>`,
		`<p>{a}{/* c */}{'x'}</p>`:                  `<p>{a}{'x'}</>`,
		`<p onClick={() => { go() }}>{() => 1}</p>`: `<p onClick/2="() => { go() }">{() => 1}</>`,
		`a && <b>{user.name}</b>`:                   `<b>{user.name}</>`,
		`rows.map(r => <li key={r.id} title={r.label} data-n="1">{r.id}: {r.label ?? 'none'} <b>{[r.id, null]}</b></li>)`: `` +
			`<li title:"one" data-n:"1">"1"": ""one"" "<b>"1"</></><li title:undefined data-n:"1">"2"": ""none"" "<b>"2"</></>`,
		`rows.map(({id, ...rest}) => <b/>)`: `beyond data expressions`,
		`rows.map(r => <b {...r}/>)`:        `<b id:1 label:"one"></><b id:2></>`,
		`rows.map(R => <R/>)`:               `beyond data expressions`,
		`rows.map(r => <b x={() => r}/>)`:   `beyond data expressions`,
		"<b\u00a0hidden\u00a0/>":            `<b hidden/0=""></>`,
		`<b>&#65#;&lt%;</b>`:                `<b>"&#65#;&lt%;"</>`,
		`rows.map(r => <b>{r}</b>)`:         `beyond data expressions`,
	} {
		x, err := Parse(source)
		var v ast.Value
		if err == nil {
			v, err = x.Eval(reach)
		}
		var nodes []ast.Node
		if err == nil {
			nodes, err = appendNodes(nil, v, ast.Span{})
		}
		got := tree(nodes)
		if err != nil {
			got = err.Error()
			if i := strings.LastIndex(got, ": "); i >= 0 {
				got = got[i+2:]
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

func TestJSXSpansReferToThePage(t *testing.T) {
	page := `See {ok && <Card title="T">in {x}</Card>} there`
	start := strings.IndexByte(page, '{') + 1
	x, err := ParseAt(page[start:strings.LastIndexByte(page, '}')], start)
	if err != nil {
		t.Fatal(err)
	}
	v, err := x.Eval(names{"ok": true})
	if err != nil {
		t.Fatal(err)
	}
	card := v.(ast.Nodes)[0].(*ast.Element)
	cut := func(n ast.Node) string { s := n.Place(); return page[s.Start:s.End] }
	for got, want := range map[string]string{
		cut(card): `<Card title="T">in {x}</Card>`, cut(card.Open): `<Card title="T">`, cut(card.Attrs[0]): `title="T"`,
		cut(card.Attrs[0].ValueSpan): `T`, cut(card.Children[1]): `{x}`,
	} {
		if got != want {
			t.Errorf("span is %q, want %q", got, want)
		}
	}
}

func TestJSXErrorsHavePositions(t *testing.T) {
	for source, want := range map[string]string{
		`<a>`: `0: the element a has no closing tag`, `<a></b>`: `3: expected the closing tag of a here`,
		`<a b=1/>`:     `5: unexpected 1 in a tag`,
		`<a>{x y}</a>`: `6: unexpected y`, `<a`: `2: the tag is not closed`, `<a b="/>`: `5: the string is not closed`,
		`<a {b}/>`: `4: unexpected b in a tag`,
	} {
		_, err := Parse(source)
		syntax, ok := err.(*SyntaxError)
		if !ok || fmt.Sprintf("%d: %s", syntax.Offset, syntax.Message) != want {
			t.Errorf("%s: %#v, want %s", source, err, want)
		}
	}
}
