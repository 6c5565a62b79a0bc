package jsrun

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

func TestComponentsRenderAsInTheirFirstFrame(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{})
		for _, c := range []struct {
			name, esm, expr, want string
			client                bool
		}{
			{"state",
				`const A = () => { const [n, set] = useState(() => 4); return <b onClick={() => set(n + 1)}>{n}</b> }`,
				`<A/>`, `<b onClick=opaque function>4</b>`, true},
			{"pure",
				`const A = ({ n = 2 }) => { const d = useMemo(() => n * 2, [n]); const f = useCallback(() => d, [d]); return <b>{f()}</b> }`, `<A/>`, `<b>4</b>`, false},
			{"reducer",
				`const A = () => { const [s, go] = React.useReducer((s, a) => s + a, 1, (x) => x + 1); if (s < 5) go(2); return s }`, `<A/>`, `6`, true},
			{"effects do not run",
				`let ran = "no"; const A = () => { useEffect(() => { ran = "yes" }); useLayoutEffect(() => { ran = "yes" }); return <i>{ran}</i> }`, `<A/>`, `<i>no</i>`, true},
			{"reference to a tag",
				`const A = () => { const r = useRef(null); return <i ref={r}>{String(r.current)}</i> }`, `<A/>`,
				`<i>null</i>`, true},
			{"reference as memory", `const A = () => { const r = useRef(7); return r.current }`, `<A/>`, `7`, false},
			{"context", `const C = createContext("none"); const Show = () => <i>{useContext(C)}</i>`,
				`<><Show/><C.Provider value="in"><Show/><C.Consumer>{(v) => v + "!"}</C.Consumer></C.Provider><Show/></>`, `<i>none</i><i>in</i>in!<i>none</i>`, false},
			{"class",
				`class A extends React.Component { static defaultProps = { word: "hi" }; state = { n: 1 }; render() { return <p>{this.props.word}{this.state.n}</p> } }`, `<A/>`, `<p>hi1</p>`, true},
			{"class without state",
				`class A extends React.PureComponent { render() { return <p>{this.props.children}</p> } }`,
				`<A>{slot(0)}</A>`, `<p>{0}</p>`, false},
			{"memo and forwardRef",
				`const A = memo(forwardRef(function Inner({ x }, ref) { return <p>{x}{String(ref)}</p> }))`,
				`<A x="1"/>`, `<p>1null</p>`, false},
			{"lazy", `const L = lazy(() => import("react"))`,
				`<Suspense fallback={<i>wait</i>}><b>gone</b><L/></Suspense>`, `<i>wait</i>`, true},
			{"store", `const A = () => useSyncExternalStore(() => {}, () => "browser", () => "server")`, `<A/>`,
				`server`, true},
			{"ids differ", `const A = () => <i id={useId()}/>`, `<><A/><A/></>`,
				`<i id="island-0"></i><i id="island-1"></i>`, false},
			{"transition",
				`const A = () => { const [busy, start] = useTransition(); return String(busy) + useDeferredValue(3) }`,
				`<A/>`, `false3`, false},
			{"children as function", `const A = ({ children }) => children("x")`, `<A>{(v) => <b>{v}</b>}</A>`,
				`<b>x</b>`, false},
			{"Children",
				`const A = ({ children }) => <ul>{Children.map(children, (c, i) => <li>{i}{c}</li>)}{Children.count(children)}{Children.toArray(children).length}</ul>`,
				`<A><i/>{null}text</A>`, `<ul><li>0<i></i></li><li>1</li><li>2text</li>32</ul>`, false},
			{"cloneElement", `const A = ({ children }) => cloneElement(children, { title: "t" }, "new")`,
				`<A><Card a="1">old</Card></A>`, `<Card a="1" title="t">new</Card>`, false},
			{"called as a function", `const A = ({ x }) => <Card title={x}/>`,
				`<>{A({ x: 1 })}{Note({ children: "n" })}{isValidElement(<i/>) && "yes"}</>`,
				`<Card title=1></Card><Note>n</Note>yes`, false},
			{"defaults", `const A = (p) => p.a + p.b; A.defaultProps = { a: 1, b: 2 }`, `<A b={5}/>`, `6`, false},
			{"portal", `const A = () => ReactDOM.createPortal(<i/>, null)`, `<p><A/></p>`, `<p></p>`, false},
			{"undefined component", `const X = undefined`, `<X>{slot(0)}</X>`, `{0}`, false},
			{"guarded browser", `const A = () => typeof window === "undefined" ? "server" : window.location.href`,
				`<A/>`, `server`, false},
			{"unguarded browser", `const A = () => <i>{window.innerWidth}</i>; const B = () => <b>kept<A/></b>`, `<B/>`,
				`<b>kept</b>`, true},
			{"browser while loading", `const w = document.title`, `<p>{w}</p>`, ``, true},
			{"handler on a component", ``, `<Card onClick={() => 1}>x</Card>`, `<Card onClick=opaque function>x</Card>`,
				true},
			{"handler that is not a function", ``, `<a one="1" onClick={undefined}>x</a>`, `<a one="1">x</a>`, false},
			{"hook in the page itself", ``, `<p>{useState(3)[0]}</p>`, `<p>3</p>`, true},
			{"set in an iterable", ``, `<p>{new Set([1, 2])}</p>`, `<p>12</p>`, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				got, err := try(t, e, c.esm, c.expr, nil, 1)
				if err != nil {
					t.Fatal(err)
				}
				if s := show(got.Value); s != c.want {
					t.Errorf("got %s\nwant %s (notes %q)", s, c.want, got.Notes)
				}
				if got.Client != c.client {
					t.Errorf("client %v, want %v", got.Client, c.client)
				}
			})
		}
	})
}

func TestImportedFilesAndMDXMarkersRender(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		files := fstest.MapFS{
			"snippets/box.tsx": {Data: []byte(
				`import type { X } from './x'; import { wrap } from './wrap'; export const Box = ({ n }: { n: number }) => wrap(<Note>{n as any}</Note>)`)},
			"snippets/wrap.js": {Data: []byte(`export const wrap = (x) => <section>{x}</section>`)},
			"snippets/v.mdx":   {Data: []byte("export const name = 'Ada'\n\nHello {props.x}")},
		}
		esm := func(file string) ([]jsbuild.Piece, error) {
			return []jsbuild.Piece{{Text: "export const name = 'Ada'\nexport default function Frame() {}",
				At: diag.Pos{File: file, Line: 1, Column: 1}}}, nil
		}
		u, _, list := jsbuild.New(files, esm).Unit(jsbuild.Source{
			File: "page.mdx",
			ESM: []jsbuild.Piece{
				{Text: "import { Box } from '/snippets/box'\nimport V, { name } from '/snippets/v.mdx'\nimport Gone, { Lost } from './gone.jsx'\nimport { Card } from '@acme/ui'",
					At: diag.Pos{File: "page.mdx", Line: 1, Column: 1}}},
			Thunks: []jsbuild.Piece{{Text: "<><Box n={1}/><V x={name}>{slot(0)}</V><Gone/><Lost/><Card/></>",
				At: diag.Pos{File: "page.mdx", Line: 4, Column: 2}}},
		})
		if u.Code == nil {
			t.Fatal(list)
		}
		p := engine(Options{}).Open(context.Background(), "")
		defer p.Close()
		got, err := p.Call(Unit(u), 0, nil, 1, ast.Span{})
		if err != nil {
			t.Fatal(err)
		}
		want := `<section><Note>1</Note></section><mdx:/snippets/v.mdx x="Ada">{0}</mdx:/snippets/v.mdx><Card></Card>`
		if s := show(got.Value); s != want {
			t.Errorf("got %s\nwant %s", s, want)
		}
	})
}

func TestShimsBehaveLikeBrowsers(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		e := engine(Options{Now: time.Date(2026, 3, 4, 15, 6, 7, 0, time.UTC)})
		for expr, want := range map[string]string{
			`(1234567.891).toLocaleString()`:                                                                                                       `"1,234,567.891"`,
			`(0.256).toLocaleString("en-US", {style: "percent"})`:                                                                                  `"26%"`,
			`new Intl.NumberFormat("en-US", {style: "currency", currency: "USD"}).format(-1234.5)`:                                                 `"-$1,234.50"`,
			`new Intl.NumberFormat("en", {notation: "compact"}).format(15300)`:                                                                     `"15K"`,
			`(5).toLocaleString("de", {minimumFractionDigits: 2})`:                                                                                 `"5.00"`,
			`new Date().toLocaleDateString()`:                                                                                                      `"3/4/2026"`,
			`new Date().toLocaleString()`:                                                                                                          `"3/4/2026, 3:06:07 PM"`,
			`new Date().toLocaleDateString("en-US", {month: "long", day: "numeric", year: "numeric"})`:                                             `"March 4, 2026"`,
			`new Date("2024-05-06").toLocaleDateString("en", {weekday: "short", month: "short", day: "numeric"})`:                                  `"Mon, May 6"`,
			`new Intl.DateTimeFormat("en", {dateStyle: "medium"}).format(new Date())`:                                                              `"Mar 4, 2026"`,
			`new Intl.PluralRules("en", {type: "ordinal"}).select(22)`:                                                                             `"two"`,
			`new Intl.ListFormat("en").format(["a", "b", "c"])`:                                                                                    `"a, b, and c"`,
			`new Intl.RelativeTimeFormat("en").format(-2, "days")`:                                                                                 `"2 days ago"`,
			`new URL("../b?x=1&y=a%20b#h", "https://Ex.com:443/a/c/d").href`:                                                                       `"https://ex.com/a/b?x=1&y=a%20b#h"`,
			`new URL("https://a.b/c?x=1").searchParams.get("x")`:                                                                                   `"1"`,
			`(() => { const u = new URL("https://a.b/"); u.searchParams.set("q", "a b&c"); return String(u) })()`:                                  `"https://a.b/?q=a+b%26c"`,
			`[new URL("mailto:x@y.z").pathname, URL.canParse("nope"), [...new URLSearchParams({a: 1})].join()]`:                                    `["x@y.z", false, "a,1"]`,
			`[btoa("hello"), atob("aGVsbG8="), btoa(atob("/+8=")), new TextDecoder().decode(new TextEncoder().encode("é🚀"))]`:                      `["aGVsbG8=", "hello", "/+8=", "é🚀"]`,
			`structuredClone({a: [new Date(0)], m: new Map([[1, {b: 2}]])}).a[0].toISOString()`:                                                    `"1970-01-01T00:00:00.000Z"`,
			`[console.log("x"), setTimeout(() => { throw 1 }), typeof queueMicrotask, typeof fetch]`:                                               `[undefined, 0, "function", "undefined"]`,
			`[new Date(2024, 1, 29).getTime(), Date.parse("2024-02-29"), new Date(NaN).getTime(), new Date(new Date(5)).getTime(), typeof Date()]`: `[1709164800000, 1709164800000, NaN, 5, "string"]`,
		} {
			got, err := try(t, e, "", expr, nil, 0)
			if err != nil || show(got.Value) != want {
				t.Errorf("%s\n got %s, %v\nwant %s", expr, show(got.Value), err, want)
			}
		}
	})
}

// The bundler of the prelude renames some functions and classes. Authors nevertheless see the same names as in
// browsers.
func TestShimsHaveTheNamesOfBrowsers(t *testing.T) {
	everywhere(t, func(t *testing.T, engine func(Options) *Engine) {
		const expr = `[Date, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, [].map, ''.indexOf]
			.map((f) => f.name).join(' ')`
		const want = `"Date URL URLSearchParams TextEncoder TextDecoder atob btoa map indexOf"`
		got, err := try(t, engine(Options{}), "", expr, nil, 0)
		if err != nil || show(got.Value) != want {
			t.Errorf("got %s, %v\nwant %s", show(got.Value), err, want)
		}
	})
}

func BenchmarkOpenAndFirstCall(b *testing.B) {
	e := New(Options{})
	u := benchUnit(b, "", `<p>{1 + 1}</p>`)
	for b.Loop() {
		p := e.Open(context.Background(), "")
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

func BenchmarkCallSmall(b *testing.B) {
	p := New(Options{Limits: Limits{Time: time.Hour}}).Open(context.Background(), "")
	defer p.Close()
	u := benchUnit(b, `const A = ({ t }) => <div className="x"><b>{t}</b></div>`, `<A t="x"/>`)
	for b.Loop() {
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall257Elements(b *testing.B) {
	p := New(Options{Limits: Limits{Time: time.Hour}}).Open(context.Background(), "")
	defer p.Close()
	u := benchUnit(b,
		`const Row = ({ n }) => { const [s] = useState(n); return <tr><td className="p-2">{s}</td><td>{useMemo(() => n * 2)}</td><td><a href={"/x/" + n}>go</a></td></tr> }`,
		`<table>{Array.from({ length: 51 }, (_, n) => <Row key={n} n={n}/>)}</table>`)
	for b.Loop() {
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchUnit(b *testing.B, esm, expr string) Unit {
	u, _, list := jsbuild.New(fstest.MapFS{}, nil).
		Unit(jsbuild.Source{File: "p.mdx", ESM: []jsbuild.Piece{{Text: esm}}, Thunks: []jsbuild.Piece{{Text: expr}}})
	if u.Code == nil {
		b.Fatal(list)
	}
	return Unit(u)
}
