package expr

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/testkit/cputime"
)

func TestHostileExpressionsFailQuickly(t *testing.T) {
	hundred := "[" + strings.Repeat("1,", 100) + "]"
	for name, source := range map[string]string{
		"repeat":       `'x'.repeat(2**40)`,
		"repeat twice": `'x'.repeat(1e6).repeat(1e6)`,
		"pad":          `'x'.padStart(1e12)`,
		"doubling":     `[1,2,3,4,5,6,7,8].map(a => 'x'.repeat(4e6))`,
		"nested maps": hundred + ".map(a => " + hundred + ".map(b => " + hundred + ".map(c => " + hundred +
			".map(d => 1))))",
		"long joins":     "[" + strings.Repeat("'x'.repeat(1e5),", 400) + "].join('y')",
		"slow search":    hundred + ".map(a => " + hundred + ".map(b => 'x'.repeat(1e6).includes('y')))",
		"deep brackets":  strings.Repeat("[", 100_000),
		"deep parens":    strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000),
		"deep unary":     strings.Repeat("!", 100_000) + "1",
		"deep power":     strings.Repeat("1**", 100_000) + "1",
		"deep ternary":   strings.Repeat("1?", 100_000),
		"deep tags":      strings.Repeat("<a>", 100_000),
		"deep templates": strings.Repeat("`${", 100_000),
		"long sum":       "1" + strings.Repeat("+1", 100_000),
		"long chain":     "user" + strings.Repeat("?.a", 100_000),
		"deep arrows":    strings.Repeat("a.b(c=>", 100_000),
		"deep defaults":  strings.Repeat("a.b(({c=", 100_000),
	} {
		start := time.Now()
		x, err := Parse(source)
		if err == nil {
			_, err = x.Eval(reach)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestParseTimeIsLinear(t *testing.T) {
	for name, piece := range map[string]string{
		"names": "name%,", "strings": `'\n',`, "objects": "{a: {b: 1}},", "tags": "<a b={1}>x{() => 1}y</a>,",
		"arrows": "list.map(x => x),", "parens": "a.b((c)),",
		"entities": "<a>&amp &amp; &</a>,",
	} {
		build := func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.ReplaceAll(piece, "%", strconv.Itoa(i)))
			}
			return "[" + b.String() + "]"
		}
		measure := func(source string, best time.Duration) time.Duration {
			start := cputime.Used(t)
			if _, err := Parse(source); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return min(best, cputime.Used(t)-start)
		}
		// The source is 8 times as long; quadratic parsing would take 64 times as long. There are many tries because
		// garbage is collected in some of them.
		short, long := build(2_000), build(16_000)
		small, large, ok := time.Hour, time.Hour, false
		for try := 0; try < 40 && !ok; try++ {
			small, large = measure(short, small), measure(long, large)
			ok = large < 30*small
		}
		if !ok {
			t.Errorf("%s: %v for 2,000 pieces, %v for 16,000", name, small, large)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a?.b[`${c}`] ?? {...d, [e]: 'f'}", "<A b={c} {...d}>e {f} &amp; <></></A>",
		"list.map(({a: [b] = [1]}, i) => <b key={i}>{b}</b>)",
		"'\\u{1F600}\\x41'.slice(1)", "0x1_f ** -2 >>> 1e3", "/* */ // \n", "JSON.stringify(user, null, 2).toFixed(3)",
		"((a, b))?.(c)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		lit, literal := Literal(source)
		x, err := Parse(source)
		var v ast.Value
		if err == nil {
			v, err = x.Eval(reach)
		}
		var syntax *SyntaxError
		var name *NameError
		var eval *EvalError
		switch {
		case errors.As(err, &syntax):
			if syntax.Offset < 0 || syntax.Offset > len(source) {
				t.Fatalf("offset %d of %d", syntax.Offset, len(source))
			}
		case err != nil && !errors.Is(err, ErrBeyond) && !errors.As(err, &name) && !errors.As(err, &eval):
			t.Fatalf("unknown error %v", err)
		}
		if literal && (err != nil || show(lit) != show(v)) {
			t.Fatalf("literal %s, but %s, %v", show(lit), show(v), err)
		}
	})
}
