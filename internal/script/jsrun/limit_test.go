package jsrun

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// busy is the maximum time by which a busy machine may delay the end of code that was stopped. Code that was not
// stopped never ends.
const busy = time.Minute

// tight has limits short enough for tests to wait for.
func tight() Options {
	return Options{Limits: Limits{Time: 2 * time.Second, Output: 1 << 16}}
}

// brief has a shorter time limit, for code that keeps a processor busy until then.
func brief() Options {
	o := tight()
	o.Limits.Time = 600 * time.Millisecond
	return o
}

// endsLikeALoop reports whether the engine stops the code with this name at the same point as an endless loop. Except
// in nightly runs, such code only runs in processes, which is how the server runs all code.
func endsLikeALoop(name string) bool {
	return slices.Contains([]string{"replace with backtracking", "big numbers", "endless getter", "proxy keys",
		"primitive", "slow error"}, name)
}

// C2: code that exceeds any limit is stopped, and only its own page fails.
func TestHostileCodeAffectsOnlyItsPage(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		usual, endless := engine(tight()), engine(brief())
		good := compile(t, nil, "", `<p>fine</p>`)
		for _, c := range []struct{ name, code, want string }{
			{"text bomb", `'x'.repeat(2**40)`, "RangeError"},
			{"doubling text", `{ let s = 'ab'; for (;;) s += s }`, "string too long"},
			{"endless loop", `{ for (;;); }`, "ran longer"},
			{"endless recursion", `{ const f = () => f(); f() }`, "stack overflow"},
			{"recursive component", `{ const A = () => <A/>; return <A/> }`, "nested too deeply"},
			{"array bomb", `{ const a = []; for (;;) a.push(new Array(1000).fill(1)) }`, "memory|ran longer"},
			{"typed array bomb", `{ const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1)) }`, "memory"},
			{"sparse join", `new Array(2**31).join('xxxx')`, "array too long"},
			{"sparse search", `{ const q = []; q[2**31] = 1; return q.indexOf(5) }`, "array too long"},
			{"fake length", `[].includes.call({length: 2**53 - 1}, 1)`, "array too long"},
			{"sparse callback", `new Array(4e9).forEach(() => 1)`, "array too long"},
			{"sparse set", `new Set(new Array(4e9)).size`, "array too long"},
			{"raw template", `String.raw({raw: {length: 2**53 - 1}})`, "array too long"},
			{"sort", `{ const a = Array.from({length: 1e6}, (_, i) => 'k' + i); for (;;) a.sort() }`,
				"ran longer|memory"},
			{"nested quantifiers", `/^(a+)+$/.test('a'.repeat(40) + 'b')`, "ran longer"},
			{"replace with backtracking", `'a'.repeat(1e6).replace(/(a*)*b/g, '')`, "ran longer"},
			{"quadratic search", `'a'.repeat(2e7).indexOf('a'.repeat(1e6) + 'b')`, "search too long|ran longer"},
			{"big numbers", `{ let n = 3n; for (;;) n *= n }`, "too large|ran longer|memory"},
			{"endless getter", `({ get x() { for (;;); } })`, "ran longer"},
			{"proxy keys", `new Proxy({}, { ownKeys() { for (;;); } })`, "ran longer"},
			{"proxy depth",
				`{ const p = new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: () => p }); return p }`, "nested too deeply"},
			{"primitive", "`${{ [Symbol.toPrimitive]() { for (;;); } }}`", "ran longer"},
			{"cycle", `{ const a = {}; a.a = a; return a }`, "contains itself"},
			{"cyclic children", `{ const a = []; a.push(a); return <p>{a}</p> }`, "nested too deeply"},
			{"generator", `<p>{(function* () { for (;;) yield 'x' })()}</p>`, "too large"},
			{"huge tree", `Array.from({length: 1e4}, () => <p>some text</p>)`, "too large"},
			{"deep tree", `{ let n = <i/>; for (let i = 0; i < 1e4; i++) n = <b>{n}</b>; return n }`,
				"nested too deeply"},
			{"evil error", `{ throw { toString() { throw this } } }`, "unknown error"},
			{"slow error", `{ throw { toString() { for (;;); } } }`, "ran longer"},
			{"evil message",
				`{ const e = new Error; Object.defineProperty(e, 'message', { get() { throw 1 } }); throw e }`,
				"unknown error"},
			{"state in render",
				`{ const A = () => { const [n, set] = useState(0); set(n + 1); return n }; return <A/> }`,
				"too many renders"},
			{"catches everything", `{ for (;;) { try { for (;;); } catch { continue } finally { for (;;); } } }`,
				"ran longer"},
			{"deep source", "eval('('.repeat(1e6))", "SyntaxError"},
			{"deep JSON", "JSON.parse('['.repeat(1e6))", "SyntaxError"},
		} {
			if usual.pool == nil && endsLikeALoop(c.name) && !tier.Nightly {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				code, e := c.code, usual
				if strings.HasPrefix(code, "{ ") {
					code = "(() => " + code + ")()"
				}
				if strings.Contains(c.want, "ran longer") {
					e = endless
				}
				began := time.Now()
				got, err := try(t, e, "", code, nil, 0)
				if took := time.Since(began); took > tight().Limits.Time+lateness+busy {
					t.Errorf("took %v", took)
				}
				if err == nil {
					t.Fatalf("got %.200s", show(got.Value))
				}
				if !matchesAny(err.Error(), c.want) {
					t.Errorf("error %q, want %q", err, c.want)
				}
				p := e.Open(context.Background(), "")
				defer p.Close()
				if got, err := p.Call(good, 0, nil, 0, ast.Span{}); err != nil || show(got.Value) != "<p>fine</p>" {
					t.Errorf("the next page got %s, %v", show(got.Value), err)
				}
			})
		}
	})
}

func matchesAny(text, alternatives string) bool {
	for _, want := range strings.Split(alternatives, "|") {
		if strings.Contains(text, want) {
			return true
		}
	}
	return false
}

func TestPageFailsFastAfterALimit(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		p := engine(brief()).Open(context.Background(), "")
		defer p.Close()
		u := compile(t, nil, "", `(() => { for (;;); })()`, `1`)
		_, first := p.Call(u, 0, nil, 0, ast.Span{})
		var e *Error
		if !errors.As(first, &e) || !e.Limit {
			t.Fatalf("error %v", first)
		}
		if _, err := p.Call(u, 1, nil, 0, ast.Span{}); !errors.Is(err, first) {
			t.Errorf("then %v", err)
		}
		if p.at != nil {
			t.Error("a machine was opened for a page that is over its limit")
		}
	})
}

func TestTimeLimitCoversAllCallsOfAPage(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		p := engine(brief()).Open(context.Background(), "")
		defer p.Close()
		u := compile(t, nil, "", `(() => { const r = 'a'.repeat(21); /^(a+)+$/.test(r + 'b'); return 1 })()`)
		for range 1000 {
			if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
				if !strings.Contains(err.Error(), "ran longer") {
					t.Error(err)
				}
				return
			}
		}
		t.Error("a thousand slow calls passed")
	})
}

func TestPrototypePollutionDoesNotAffectOtherPages(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{})
		evil := compile(t, nil,
			`Object.prototype.title = "evil"; Array.prototype.map = () => ["evil"]; Array.prototype.toJSON = () => "evil"; String.prototype.trim = null; globalThis.leak = 1; JSON.stringify = () => "evil"`, `[1].map(x => x)`)
		probe := compile(t, nil, "", `[({}).title, [1].map(x => x), " a ".trim(), typeof leak, JSON.stringify([1])]`)
		p := e.Open(context.Background(), "")
		if got, err := p.Call(evil, 0, nil, 0, ast.Span{}); err != nil || show(got.Value) != `["evil"]` {
			t.Errorf("evil page: %s, %v", show(got.Value), err)
		}
		p.Close()
		p = e.Open(context.Background(), "")
		defer p.Close()
		if got, err := p.Call(probe, 0, nil, 0, ast.Span{}); err != nil ||
			show(got.Value) != `[undefined, [1], "a", "undefined", "[1]"]` {
			t.Errorf("next page: %s, %v", show(got.Value), err)
		}
	})
}

func TestHostObjectsAreUnreachable(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{})
		got, err := try(t, e, "", `(() => {
		const world = (() => {}).constructor("return this")();
		const names = ["process", "require", "std", "os", "print", "scriptArgs", "fetch", "XMLHttpRequest", "WebAssembly", "Deno", "Bun", "window", "document", "localStorage", "navigator", "Worker", "__api", "start", "define"];
		return names.filter((name) => world[name] !== undefined);
	})()`, nil, 0)
		if err != nil || show(got.Value) != "[]" {
			t.Errorf("reachable: %s, %v", show(got.Value), err)
		}
		got, err = try(t, e, "",
			"(() => { let out = 'nothing'; (0, eval)('import(\"std\").then((m) => { throw m })'); return out })()", nil,
			0)
		if err != nil || show(got.Value) != `"nothing"` {
			t.Errorf("import of the engine's library: %s, %v", show(got.Value), err)
		}
	})
}

func TestPromisesNeverSettle(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		got, err := try(t, engine(Options{}),
			`let done = "no"; Promise.resolve().then(() => { done = "yes" }); (async () => { for (;;) await 1 })(); const A = async () => <p>late</p>`,
			`[done, <div><A/>{new Promise(() => 1)}</div>, Promise.reject(1)]`, nil, 0)
		if err != nil || show(got.Value) != `["no", <div></div>, opaque promise]` || len(got.Notes) != 1 {
			t.Errorf("got %s, notes %q, %v", show(got.Value), got.Notes, err)
		}
	})
}

func TestRenderingAPageIsDeterministic(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{})
		u := compile(t, nil, "",
			`[Math.random(), Math.random(), Date.now(), new Date(2024, 0, 31, 12).toString(), new Date("2024-01-31T12:00").getHours()]`)
		run := func(seed string) string {
			p := e.Open(context.Background(), seed)
			defer p.Close()
			got, err := p.Call(u, 0, nil, 0, ast.Span{})
			if err != nil {
				t.Fatal(err)
			}
			return show(got.Value)
		}
		a, b, c := run("a"), run("a"), run("b")
		if a != b || a == c {
			t.Errorf("same seed %s and %s, other seed %s", a, b, c)
		}
		if want := `0, "Wed Jan 31 2024 12:00:00 GMT+0000 (Coordinated Universal Time)", 12]`; !strings.HasSuffix(a,
			want) {
			t.Errorf("got %s, want the end %s", a, want)
		}
	})
}

// Each comparison of long strings is one step of bytecode, and the engine checks its limit only every ten thousand
// steps.
func TestCodeThatTheEngineCannotStopIsAbandoned(t *testing.T) {
	o := brief()
	e := New(o)
	began := time.Now()
	_, err := try(t, e, "",
		`(() => { const a = 'x'.repeat(6e6), b = 'x'.repeat(6e6); let n = 0; for (;;) if (a === b) n++ })()`, nil, 0)
	if err == nil || !strings.Contains(err.Error(), "ran longer") {
		t.Fatalf("error %v", err)
	}
	if took := time.Since(began); took > o.Limits.Time+grace+busy {
		t.Errorf("the call took %v", took)
	}
	if e.stray.Load() != 1 {
		t.Error("the engine stopped the code by itself: this test proves nothing")
	}
	if got, err := try(t, e, "", `<p>fine</p>`, nil, 0); err != nil || show(got.Value) != "<p>fine</p>" {
		t.Errorf("another page meanwhile: %s, %v", show(got.Value), err)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for e.stray.Load() > 0 {
		<-tick.C
		if time.Since(began) > time.Minute {
			t.Fatal("the abandoned machine never ended")
		}
	}
	t.Logf("ended after %v", time.Since(began).Round(time.Millisecond))
}

func TestEngineWithTooManyAbandonedCallsRunsNothing(t *testing.T) {
	e := New(tight())
	e.stray.Store(maxStray)
	if _, err := try(t, e, "", `1`, nil, 0); err == nil || !strings.Contains(err.Error(), "disabled") {
		t.Errorf("error %v", err)
	}
	e.stray.Store(0)
	if _, err := try(t, e, "", `1`, nil, 0); err != nil {
		t.Error(err)
	}
}
