package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

type names map[string]ast.Value

func (n names) Lookup(name string) (ast.Value, bool) { v, ok := n[name]; return v, ok }

func object(pairs ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

var reach = names{
	"a": 1.0, "text": "Some text", "list": []ast.Value{3.0, 1.0, 2.0},
	"user": object("name", "Ann", "tags", []ast.Value{"x", "y"}),
	"none": nil, "fn": ast.Opaque{Type: "function"},
	"rows": []ast.Value{object("id", 1.0, "label", "one"), object("id", 2.0)},
}

// show formats a value so that types can be distinguished.
func show(v ast.Value) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []ast.Value:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case *ast.Object:
		parts := make([]string, len(v.Keys))
		for i, k := range v.Keys {
			parts[i] = k + ":" + show(v.Values[k])
		}
		return "{" + strings.Join(parts, " ") + "}"
	case ast.Nodes:
		return "<" + ast.PlainText(v) + ">"
	}
	return ast.String(v)
}

func TestEvalMatchesJavaScript(t *testing.T) {
	for source, want := range map[string]string{
		`1_000 + 0x1f + .5`:         `1031.5`,
		`"a\u{1F600}\x41\n"`:        `"a😀A\n"`,
		`'\uD83D\uDE00'.length`:     `2`,
		"`x${1 + 1}y${'z'}`":        `"x2yz"`,
		"`a\r\nb`":                  `"a\nb"`,
		`1 + '2'`:                   `"12"`,
		`'3' * '4'`:                 `12`,
		`[] + {}`:                   `"[object Object]"`,
		`null + 1`:                  `1`,
		`undefined + 1`:             `NaN`,
		`0.1 + 0.2`:                 `0.30000000000000004`,
		`1e21 + 1`:                  `1e+21`,
		`2 ** 10`:                   `1024`,
		`2 ** 3 ** 2`:               `512`,
		`-7 % 3`:                    `-1`,
		`7 >>> 1 | 8`:               `11`,
		`'b' > 'a' && 10 > '9'`:     `true`,
		`null == undefined`:         `true`,
		`null === undefined`:        `false`,
		`'1' == 1`:                  `true`,
		`NaN === NaN`:               `false`,
		`none ?? 'x'`:               `"x"`,
		`0 || 'x'`:                  `"x"`,
		`a > 0 ? 'yes' : 'no'`:      `"yes"`,
		`typeof missing`:            `"undefined"`,
		`void 0`:                    `undefined`,
		`!''`:                       `true`,
		`1, 2`:                      `2`,
		`user.name`:                 `"Ann"`,
		`user['na' + 'me']`:         `"Ann"`,
		`user.tags[1]`:              `"y"`,
		`user.missing`:              `undefined`,
		`none?.a.b.c`:               `undefined`,
		`user?.tags?.[0]`:           `"x"`,
		`{a, b: 2, ['c' + 1]: 3}`:   `{a:1 b:2 c1:3}`,
		`{b: 1, 2: 1, 1: 1}`:        `{1:1 2:1 b:1}`,
		`{...user, name: 'B'}`:      `{name:"B" tags:["x" "y"]}`,
		`[0, ...list]`:              `[0 3 1 2]`,
		`list.map(x => x * 2)`:      `[6 2 4]`,
		`list.filter((x) => x > 1)`: `[3 2]`,
		`list.map((x, i) => list.map(y => x + y + i)[0])`:                      `[6 5 7]`,
		`rows.map(({id, label = 'none'}) => id + label)`:                       `["1one" "2none"]`,
		`Object.entries(user).map(([k, v]) => k + '=' + v)`:                    `["name=Ann" "tags=x,y"]`,
		`[1, 0, '', 'a'].filter(Boolean)`:                                      `[1 "a"]`,
		`list.join(' – ')`:                                                     `"3 – 1 – 2"`,
		`list.includes(2) && list.length`:                                      `3`,
		`'a-b-c'.split('-').slice(1).join('')`:                                 `"bc"`,
		`text.toUpperCase().replace('SOME', 'My')`:                             `"My TEXT"`,
		`' x '.trim().padStart(3, '0')`:                                        `"00x"`,
		`'日本語'.slice(-2)`:                                                      `"本語"`,
		`(1.005).toFixed(2) + (2.5).toFixed(0)`:                                `"1.003"`,
		`Math.max(...list) + Math.round(-0.5) + Math.floor(1.9)`:               `4`,
		`JSON.stringify({a: [1, "x\n", undefined], b: undefined})`:             `"{\"a\":[1,\"x\\n\",null]}"`,
		`JSON.stringify([1], null, 2)`:                                         `"[\n  1\n]"`,
		`String(null) + Number('12px')`:                                        `"nullNaN"`,
		`/* c */ a // d`:                                                       `1`,
		`cond => 1, 2`:                                                         `beyond`,
		`list.map((x, x) => 1)`:                                                `beyond`,
		`rows.map(({id}, [id]) => 1)`:                                          `beyond`,
		`list.map((x, i) => list.map(x => x + i)[0])`:                          `[3 4 5]`,
		`list.map(null => 1)`:                                                  `beyond`,
		`rows.map(({if}) => 1)`:                                                `syntax error at 11: unexpected if`,
		`list.map((this) => 1)`:                                                `beyond`,
		`[null].map(({}) => 1)`:                                                `error at 0: cannot destructure null`,
		`JSON.stringify([1], null, Infinity) + JSON.stringify([1], null, NaN)`: `"[\n          1\n][1]"`,
		`1_e5`:                             `syntax error at 0: not a number: 1_e5`,
		`1e_5`:                             `syntax error at 0: not a number: 1e_5`,
		`0xa_f + 1e1_0`:                    `10000000175`,
		`'\01'`:                            `beyond`,
		"list.map((x)\n=> x)":              `beyond`,
		`list.map((x = y, y) => 1)`:        `beyond`,
		`list.map((p, x = x) => 1)`:        `beyond`,
		`list.map((p, q, r, s = p) => s)`:  `[3 1 2]`,
		`rows.map(({label = label}) => 1)`: `beyond`,
		`list.map((p, q, r, s = list.map((t, u, v, w = t) => w)[0]) => s)`: `[3 3 3]`,
		"1\u00a0+ 2":                   `3`,
		`typeof Card`:                  `beyond`,
		`fn()`:                         `beyond`,
		`fn`:                           `function`,
		`new Date().getFullYear()`:     `beyond`,
		`/x/.test(text)`:               `beyond`,
		`a = 2`:                        `beyond`,
		`async () => 1`:                `beyond`,
		`'ß'.toUpperCase()`:            `beyond`,
		`'😀'[0]`:                       `beyond`,
		`10n`:                          `beyond`,
		`list.map(x => { return x })`:  `beyond`,
		`list.reduce((x, y) => x + y)`: `beyond`,
		`a b`:                          `syntax error at 2: unexpected b`,
		`{a b}`:                        `syntax error at 3: unexpected b`,
		`a +`:                          `syntax error at 3: the expression ends too early`,
		`'a`:                           `syntax error at 0: the string is not closed`,
		`-a ** 2`:                      `syntax error at 0: put parentheses around the - before **`,
		`a ?? b || c`:                  `syntax error at 7: ?? cannot be combined with || or && without parentheses`,
		`07`:                           `syntax error at 0: not a number: 07`,
		`if`:                           `syntax error at 0: unexpected if`,
		`missing.x`:                    `missing is not defined at 0`,
		`1 + missing`:                  `missing is not defined at 4`,
		`none.x`:                       `error at 4: cannot read "x" of null`,
		`a()`:                          `error at 0: this is not a function`,
		`user.nope()`:                  `error at 0: nope is not a function`,
		``:                             `undefined`,
		`/* only */ // comments`:       `undefined`,
	} {
		if got := run(source); got != want && !(want == "function" && got == "[object Object]") {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// run evaluates an expression and returns the value or the error as text.
func run(source string) string {
	x, err := Parse(source)
	var v ast.Value
	if err == nil {
		v, err = x.Eval(reach)
	}
	var syntax *SyntaxError
	var name *NameError
	var eval *EvalError
	switch {
	case err == nil:
		return show(v)
	case errors.Is(err, ErrBeyond):
		return "beyond"
	case errors.As(err, &syntax):
		return fmt.Sprintf("syntax error at %d: %s", syntax.Offset, syntax)
	case errors.As(err, &name):
		return fmt.Sprintf("%s at %d", name, name.Offset)
	case errors.As(err, &eval):
		return fmt.Sprintf("error at %d: %s", eval.Offset, eval)
	}
	return "unknown error: " + err.Error()
}

func TestNamesListsFreeNamesInOrder(t *testing.T) {
	x, err := Parse("b + a.b + list.map(({x}) => x + c + b) + `${d}` + Math.PI + undefined + {e, f: g}.h")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"b", "a", "list", "c", "d", "e", "g"}; !slices.Equal(x.Names(), want) {
		t.Errorf("names %v, want %v", x.Names(), want)
	}
}

func TestEmptyMeansOnlyCommentsAndSpace(t *testing.T) {
	for source, want := range map[string]bool{"": true, " /* a */ ": true, "// b": true, "0": false,
		"undefined": false} {
		if x, err := Parse(source); err != nil || x.Empty() != want {
			t.Errorf("%q: empty %v, error %v", source, !want, err)
		}
	}
}

func TestLiteralAgreesWithParse(t *testing.T) {
	fast := []string{`true`, `false`, `null`, `2`, ` -1.5 `, `.5`, `"x"`, `'x'`, "`x`", `{a: 'b', "c d": {e: [1, 2,]}}`,
		`[]`, `[1, 'a', [true]]`, `{2: 1}`}
	for _, source := range fast {
		v, ok := Literal(source)
		if !ok && source != `{2: 1}` {
			t.Errorf("%s is not a literal", source)
			continue
		}
		if got := run(source); ok && got != show(v) {
			t.Errorf("%s: literal %s, evaluated %s", source, show(v), got)
		}
	}
	for _, source := range []string{``, `a`, `1 + 1`, `"a\n"`, "`${a}`", `{a}`, `[,]`, `{a: b}`, `07`, `1n`, `--1`,
		`"a" b`, `[1`, `{a: 1`, `{__proto__: 1}`, `1..a`} {
		if v, ok := Literal(source); ok {
			t.Errorf("%s read as %s", source, show(v))
		}
	}
}

func TestLiteralAllocatesLittle(t *testing.T) {
	for source, most := range map[string]float64{`true`: 0, `2`: 1, `"a b"`: 1, `{a: 'b'}`: 6, `[1, 2]`: 5} {
		if n := testing.AllocsPerRun(100, func() { Literal(source) }); n > most {
			t.Errorf("%s: %v allocations, at most %v expected", source, n, most)
		}
	}
}
