package jsrun

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// try compiles one expression with statements before it and runs it on a new page.
func try(t *testing.T, e *Engine, esm, expr string, props ast.Value, slots int) (Result, error) {
	t.Helper()
	p := e.Open(context.Background(), "seed")
	defer p.Close()
	return p.Call(compile(t, nil, esm, expr), 0, props, slots, ast.Span{Start: 3, End: 9})
}

func compile(t *testing.T, docs fstest.MapFS, esm string, thunks ...string) Unit {
	t.Helper()
	src := jsbuild.Source{File: "page.mdx"}
	if esm != "" {
		src.ESM = []jsbuild.Piece{{Text: esm, At: diag.Pos{File: "page.mdx", Line: 1, Column: 1}}}
	}
	for _, expr := range thunks {
		src.Thunks = append(src.Thunks, jsbuild.Piece{Text: expr, At: diag.Pos{File: "page.mdx", Line: 10, Column: 2}})
	}
	u, _, list := jsbuild.New(docs, nil).Unit(src)
	if list.HasErrors() || u.Code == nil {
		t.Fatalf("compile %q: %v", thunks, list)
	}
	return Unit(u)
}

// show formats a value for comparison: tags as <name prop=value>…</name>, content that was passed in as {n}.
func show(v ast.Value) string {
	switch v := v.(type) {
	case ast.Nodes:
		return showNodes(v)
	case []ast.Value:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *ast.Object:
		parts := make([]string, len(v.Keys))
		for i, k := range v.Keys {
			parts[i] = k + ": " + show(v.Values[k])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case string:
		return fmt.Sprintf("%q", v)
	case ast.Opaque:
		return "opaque " + v.Type
	}
	return ast.String(v)
}

func showNodes(nodes []ast.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(n.Value)
		case *ast.Slot:
			fmt.Fprintf(&b, "{%d}", n.Index)
		case *ast.Element:
			b.WriteString("<" + n.Name)
			for _, p := range n.Props {
				b.WriteString(" " + p.Name + "=" + show(p.Value))
			}
			b.WriteString(">" + showNodes(n.Children) + "</" + n.Name + ">")
		default:
			fmt.Fprintf(&b, "?%T", n)
		}
	}
	return b.String()
}

func object(pairs ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func TestCallConvertsValuesToGo(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{Now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)})
		for _, c := range []struct{ esm, expr, want string }{
			{"", `1 + 2`, `3`},
			{"", `"a\u2028\ud83d\ude80\ud800"`, `"a\u2028🚀` + "\ufffd" + `"`},
			{"", `[null, undefined, true, NaN, -Infinity, -0, 12n]`,
				`[null, undefined, true, NaN, -Infinity, 0, "12"]`},
			{"", `({b: 1, a: {c: [2]}, 3: "x"})`, `{3: "x", b: 1, a: {c: [2]}}`},
			{"", `[() => 1, Symbol("x"), new Map, Card]`,
				`[opaque function, opaque symbol, opaque object, opaque component]`},
			{"", `word + props.word + typeof missingName`, `"hihiundefined"`},
			{`const word = "own"`, `word`, `"own"`},
			{`export const f = (n) => n * factor; const factor = 3`, `f(4)`, `12`},
			{"", `new Date().getFullYear() + new Date().toISOString()`, `"20262026-03-04T05:06:07.000Z"`},
			{"", `<p className="x">{1}{"a"}{null}{false}{[2, ["b"]]}</p>`, `<p className="x">1a2b</p>`},
			{"", `<><Card title={<b>t</b>} data={[<i/>]}>{slot(0)}</Card> &amp; <Tree.File name="x" /></>`,
				`<Card title=<b>t</b> data=[<i></i>]>{0}</Card> & <Tree.File name="x"></Tree.File>`},
			{`const Box = ({ children, ...rest }) => <div {...rest}>{children}</div>`,
				`<Box id="a" hidden>{slot(1)}!</Box>`, `<div id="a" hidden=true>{1}!</div>`},
			{"", `React.createElement("a", { href: "/x" }, "y")`, `<a href="/x">y</a>`},
			{"", `[1, 2].map((n) => <li key={n}>{n}</li>)`, `[<li>1</li>, <li>2</li>]`},
			{"", `node`, `held`},
			{"", `[missing?.(), 1 + props.none?.(2).x, word?.length, word?.at(0), props?.word?.["length"]]`,
				`[undefined, NaN, 2, "h", 2]`},
			{"", `<div dangerouslySetInnerHTML={{ __html: "<b>" }} style={{ color: "red" }} />`,
				`<div dangerouslySetInnerHTML={__html: "<b>"} style={color: "red"}></div>`},
		} {
			props := object("word", "hi", "node", ast.Nodes{&ast.Text{Value: "held"}})
			got, err := try(t, e, c.esm, c.expr, props, 2)
			if err != nil {
				t.Errorf("%s: %v", c.expr, err)
				continue
			}
			if s := show(got.Value); s != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.expr, s, c.want)
			}
		}
	})
}

func TestUndefinedNameIsANoteNotAnError(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		got, err := try(t, engine(Options{}), "", `<p>{nothing}{typeof window}</p>`, nil, 0)
		if err != nil || show(got.Value) != "<p>undefined</p>" {
			t.Fatalf("got %s, %v", show(got.Value), err)
		}
		if len(got.Notes) != 1 || got.Notes[0] != `"nothing" is not defined` {
			t.Errorf("notes %q", got.Notes)
		}
	})
}

func TestThrowingComponentFailsAloneWithItsName(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		p := engine(Options{}).Open(context.Background(), "")
		defer p.Close()
		u := compile(t, nil, `const Bad = () => { throw new TypeError("no data") }; const Outer = () => <Bad/>`,
			`<Outer/>`, `<p>fine</p>`)
		_, err := p.Call(u, 0, nil, 0, ast.Span{})
		var e *Error
		if !errors.As(err, &e) || e.Component != "Bad" || e.Message != "TypeError: no data" || e.Limit {
			t.Errorf("error %+v", err)
		}
		if got, err := p.Call(u, 1, nil, 0, ast.Span{}); err != nil || show(got.Value) != "<p>fine</p>" {
			t.Errorf("next call: %s, %v", show(got.Value), err)
		}
	})
}
