package expand

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// Pages evaluate data expressions with package expr and everything else in the engine. Authors must not notice the
// difference, so these tests compare the results of expr with those of the engine.

type variables struct{ *ast.Object }

func (v variables) Lookup(name string) (ast.Value, bool) {
	value, ok := v.Values[name]
	return value, ok
}

func record(pairs ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// inScope holds the names that expressions may use.
var inScope = variables{record("a", 1.0, "text", "Some text", "list", []ast.Value{3.0, 1.0, 2.0}, "none", nil, "wide",
	"a😀é",
	"user", record("name", "Ann", "tags", []ast.Value{"x", "y"}),
	"rows", []ast.Value{record("id", 1.0, "label", "one"), record("id", 2.0)},
	"deep", record("b", record("c", true), "c", []ast.Value{[]ast.Value{1.0, nil}, []ast.Value{}}))}

// verdict is the result of comparing the two evaluations of a source.
type verdict int

const (
	left     verdict = iota // only the engine can evaluate it, or a limit was exceeded; there is nothing to compare
	agreed                  // both return the same value
	refused                 // both fail
	differed                // the results differ
)

// compare evaluates a source in this process and in the engine.
func (j *judge) compare(source string) (verdict, string) {
	v, err := evaluateHere(source)
	if undefined := new(expr.NameError); errors.Is(err, expr.ErrBeyond) || errors.As(err, &undefined) || limited(err) {
		return left, ""
	}
	want, wantErr := j.evaluate(source)
	switch got := written(v); {
	case err != nil && wantErr != nil:
		return refused, ""
	case err != nil:
		return differed, fmt.Sprintf("%s\n  here: %v\nengine: %s", source, err, written(want))
	case wantErr != nil && hasJSX(source):
		return left, "" // expressions in JSX outside functions are not evaluated until they are shown
	case wantErr != nil:
		return differed, fmt.Sprintf("%s\n  here: %s\nengine: %v", source, got, wantErr)
	case got != written(want):
		return differed, fmt.Sprintf("%s\n  here: %s\nengine: %s", source, got, written(want))
	}
	return agreed, ""
}

// hasJSX reports whether a source contains elements. Its value may omit them.
func hasJSX(source string) bool {
	x, err := expr.Parse(source)
	return err == nil && (len(x.Tags()) > 0 || strings.Contains(source, "<>"))
}

// limited recognizes errors that are limits of package expr rather than exceptions of JavaScript.
func limited(err error) bool {
	broken := new(expr.EvalError)
	return errors.As(err, &broken) &&
		slices.Contains([]string{"the result is too large", "the expression takes too long",
			"the expression is nested too deeply"}, broken.Message)
}

func TestGeneratedExpressionsMatchTheEngine(t *testing.T) {
	j := newJudge(t)
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[verdict]int{}
	for range 1500 {
		data := make([]byte, 8+random.IntN(120))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		g := &generator{data: data}
		v, why := j.compare(g.any())
		if counts[v]++; v == differed {
			t.Error(why)
		}
	}
	// The generator must also produce expressions that can be compared, not only expressions that fail or that only the
	// engine can evaluate.
	if counts[agreed] < 300 || counts[refused] < 50 {
		t.Errorf("%d agree, %d fail on both sides, %d are left to the engine", counts[agreed], counts[refused],
			counts[left])
	}
}

func TestEngineNamesAreKnown(t *testing.T) {
	names, err := newJudge(t).
		evaluate(
			`[...Object.getOwnPropertyNames(globalThis), ...Object.keys(React).filter(name => /^use[A-Z]|Element$/.test(name))]`)
	list, ok := names.([]ast.Value)
	if err != nil || !ok || len(list) < 60 {
		t.Fatal(names, err)
	}
	for _, name := range list {
		if _, err := evaluateHere(name.(string)); err != nil && !errors.Is(err, expr.ErrBeyond) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzGeneratedExpressions(f *testing.F) {
	j := newJudge(f)
	for i := range 16 {
		f.Add([]byte{byte(i), 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &generator{data: data[:min(len(data), 400)]}
		if v, why := j.compare(g.any()); v == differed {
			t.Error(why)
		}
	})
}

// FuzzExpressions looks for text that package expr accepts and the engine interprets differently or rejects. JSX is
// excluded: the output of unknown components does not depend on expressions, and the generator produces known ones.
func FuzzExpressions(f *testing.F) {
	j := newJudge(f)
	for _, source := range []string{
		"a?.b[`${text}`] ?? {...user, ['e']: 'f'}", "list.map(({a: [b] = [1]}, i) => [i, b])",
		"'\\u{1F600}\\x41'.slice(1)",
		"0x1_f ** -2 >>> 1e3", "JSON.stringify(user, null, 2).length", "((a, none))?.(1)", "1\u00a0+ 2",
		"list.map((x)\n=> x)",
		"[typeof Date, parseInt('12px')]", "1_e5", "list.map((x = y, y) => 1)", "[null].map(({}) => 1)", "'\\01'",
		"[none?.()]",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		x, err := expr.Parse(source)
		if err != nil || x.Empty() || hasJSX(source) || len(source) > 400 || !utf8.ValidString(source) {
			return
		}
		if v, why := j.compare(source); v == differed {
			t.Error(why)
		}
	})
}
