package jsrun

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// FuzzParseAnswer decodes arbitrary answers, because author code shares the machine with the prelude.
func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{
		`{"value":["j","a",["e","p",["x",1],"b",["s",0],["x",0]]],"client":true,"notes":["n"],"ms":3}`,
		`{"value":["o","k",["a",["u"],["n","NaN"],["f","function"],null,true,"s",1.5]]}`,
		`{"error":"TypeError: x","component":"A","ms":1e300}`, `{"value":["x",9]}`, `{"value":["e"]}`,
		`{"value":[[[]]]}`, `{"value":["s",-1]}`, `nonsense`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		held := &holder{values: []ast.Value{ast.Nodes{&ast.Text{Value: "held"}}}}
		got, err := parseAnswer(text, held, 1, ast.Span{Start: 1, End: 2})
		if err != nil {
			return
		}
		if got.took < 0 {
			t.Errorf("took %v", got.took)
		}
		if nodes, ok := got.result.Value.(ast.Nodes); ok {
			ast.Walk(nodes, func(n ast.Node) bool {
				if s, ok := n.(*ast.Slot); ok && s.Index != 0 {
					t.Errorf("slot %d of 1", s.Index)
				}
				if e, ok := n.(*ast.Element); ok && e.Name == "" {
					t.Error("an element without a name")
				}
				return true
			})
		}
	})
}

func TestVariablesRoundTrip(t *testing.T) {
	e := New(Options{})
	props := object("text", "a\u2028\"<\\", "list", []ast.Value{nil, ast.Undefined{}, true, 1.5, -0.25, 1e300}, "deep",
		object("__proto__", "own", "x", object("y", "z")),
		"content", ast.Nodes{&ast.Text{Value: "c"}}, "code", ast.Opaque{Type: "function"}, "none", ast.Nodes{})
	got, err := try(t, e, "", `({...props, proto: Object.getPrototypeOf(props.deep) === Object.prototype})`, props, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := `{text: "a\u2028\"<\\", list: [null, undefined, true, 1.5, -0.25, 1e+300], deep: {__proto__: "own", x: {y: "z"}}, content: c, code: opaque function, none: null, proto: true}`
	if s := show(got.Value); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

func TestOversizedVariablesAreRefused(t *testing.T) {
	deep := ast.Value("x")
	for range maxNesting + 2 {
		deep = []ast.Value{deep}
	}
	if _, err := try(t, New(Options{}), "", `1`, object("deep", deep), 0); err == nil {
		t.Error("a deeply nested value was accepted")
	}
}
