package highlight

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/alecthomas/chroma/v2"
)

var span = regexp.MustCompile(`</?span[^>]*>`)

// textOf returns the visible text of highlighted lines.
func textOf(lines [][]byte) string {
	return html.UnescapeString(span.ReplaceAllString(string(bytes.Join(lines, []byte("\n"))), ""))
}

func joined(h *Highlighter, lang, code string) string {
	lines, _ := h.Lines(lang, code)
	return string(bytes.Join(lines, []byte("\n")))
}

func TestLinesAreColouredWithShortClasses(t *testing.T) {
	h := New(1 << 20)
	for _, c := range []struct{ lang, code, want string }{
		{"go", "func f() {} // <x>",
			`<span class="k">func</span> <span class="f">f</span>() {} <span class="c">// &lt;x&gt;</span>`},
		{"jsonc", "{ // note\n  \"a\": [1, null]\n}",
			"{ <span class=\"c\">// note</span>\n  <span class=\"v\">\"a\"</span>: [<span class=\"n\">1</span>, <span class=\"b\">null</span>]\n}"},
		{"env", "# x\nKEY=\"a$B\"",
			"<span class=\"c\"># x</span>\n<span class=\"v\">KEY</span><span class=\"o\">=</span><span class=\"s\">\"a$B\"</span>"},
		{"mdx", "# Hi\n<Card a=\"b\" />",
			"<span class=\"h\"># Hi</span>\n&lt;<span class=\"m\">Card</span> <span class=\"v\">a</span><span class=\"o\">=</span><span class=\"s\">\"b\"</span> /&gt;"},
		{"ts", "const a: Map<T> = new B(`x ${f(1)}`, { k: /r+/g }); // c",
			"<span class=\"k\">const</span> <span class=\"v\">a</span>: <span class=\"t\">Map</span>" +
				"<span class=\"o\">&lt;</span><span class=\"t\">T</span><span class=\"o\">&gt;</span> <span class=\"o\">=</span> <span class=\"k\">new</span> <span class=\"f\">B</span>(" +
				"<span class=\"s\">`x </span><span class=\"e\">${</span><span class=\"f\">f</span>(<span class=\"n\">1</span>)<span class=\"e\">}</span><span class=\"s\">`</span>, " +
				"{ <span class=\"v\">k</span>: <span class=\"e\">/r+/g</span> }); <span class=\"c\">// c</span>"},
		{"jsx", "<A b={c < 1}>for <i/></A>",
			"&lt;<span class=\"m\">A</span> <span class=\"v\">b</span><span class=\"o\">=</span>{c <span class=\"o\">&lt;</span> " +
				"<span class=\"n\">1</span>}&gt;for &lt;<span class=\"m\">i</span>/&gt;&lt;/<span class=\"m\">A</span>&gt;"},
		{"bash", "npm i -g \"$A b\" | jq .x # c\nB=1 ./run $(pwd) --k=v",
			"<span class=\"f\">npm</span> i <span class=\"v\">-g</span> <span class=\"s\">\"</span><span class=\"v\">$A</span>" +
				"<span class=\"s\"> b\"</span> <span class=\"o\">|</span> <span class=\"f\">jq</span> .x <span class=\"c\"># c</span>\n<span class=\"v\">B</span><span class=\"o\">=</span>1 " +
				"<span class=\"f\">./run</span> <span class=\"e\">$(</span><span class=\"f\">pwd</span><span class=\"e\">)</span> <span class=\"v\">--k</span>=v"},
		{"python", "f(x)", `<span class="f">f</span>(x)`},
		{"python", "'''a\nb'''", "<span class=\"s\">'''a</span>\n<span class=\"s\">b'''</span>"},
		{"diff", "+a\n-b", "<span class=\"gi\">+a</span>\n<span class=\"gd\">-b</span>"},
		{"nothing-like-it", "a < b", "a &lt; b"},
	} {
		if got := joined(h, c.lang, c.code); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.lang, got, c.want)
		}
	}
}

func TestCommonLanguageNamesAreKnown(t *testing.T) {
	h := New(0)
	for name := range strings.FieldsSeq(`ts tsx jsx sh shell console zsh curl dotenv env json5 jsonc kusto fift tolk func solidity mdx prisma astro
		shellsession move cadence vyper erb hcl tf proto gql text txt plaintext http diff Python BASH yml rb rs kt cs c++ cpp objc ps1 powershell toml
		dockerfile makefile nginx ini xml svg vue svelte php csharp elixir dart graphql css scss swift java c sql postgres mermaid`) {
		if _, known := h.Lines(name, "x"); !known {
			t.Errorf("%s is not known", name)
		}
	}
	for to := range aliases {
		if name := canonical(to); h.languages[name] == nil && !texts[name] {
			t.Errorf("alias %s leads to the unknown language %s", to, name)
		}
	}
	if _, known := h.Lines("boc", "x"); known {
		t.Error("boc is known")
	}
}

// With the same rules, our engine must find the same tokens as chroma's. It only tries fewer rules.
func TestEngineAgreesWithChroma(t *testing.T) {
	h := New(0)
	samples := map[string]string{
		"python":     "import os\n@dec\nclass A(B):\n    async def f(self, x: int = 0x1F) -> str:\n        return f\"{x!r:>10} {os.getenv('A')}\" # é\n",
		"typescript": "export const a = async <T,>(x: T): Promise<T> => { return `v ${x as any} /re/`; } // done\n/re+/gi.test(\"\\u00e9\")",
		"c":          "#include <a.h>\nstatic const char *f(int x[]) { return \"a\\n\" + 'c' ? 0xFFL : NULL; } /* d */",
		"yaml":       "a: &x\n  - b: \"c\"\n    d: |\n      text\n      more\n  - !tag 12 # c\n",
		"rust":       "fn main<'a>(x: &'a str) -> Result<(), E> { let r = r#\"raw\"#; println!(\"{x:?}\"); 0b1_u8 }",
		"sql":        "SELECT a, count(*) AS n FROM \"t\" WHERE x LIKE '%y%' -- c\nGROUP BY a;",
		"html":       "<!doctype html><a href=\"x\" class=y>t &amp; u</a><script>let a = 1 < 2</script><style>a{color:red}</style>",
		"go":         "package a\n\nfunc (x *T) F(a ...int) error { return fmt.Errorf(\"%w\", `r`) }\n",
		"ruby":       "class A < B\n  def x?(y = :z) = \"#{y} \\n\" =~ /re/i\nend\n",
		"css":        "@media (min-width: 1px) { .a > b::after { color: #fff; margin: -1em } }",
		"docker":     "FROM a:1 AS b\nRUN apt-get \\\n  install x\nENV A=b\nCMD [\"a\", \"b\"]",
	}
	for name, code := range samples {
		l := h.languages[name]
		lexer := l.lexer.(*chroma.RegexLexer)
		it, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
		if err != nil {
			t.Fatal(err)
		}
		theirs := &run{lang: l, meter: newMeter(len(code)), code: code, name: -1}
		if !theirs.drain(it) {
			t.Fatalf("%s: chroma loses text", name)
		}
		ours, ok := l.tokens(code, "root", newMeter(len(code)), false)
		if got, want := fmt.Sprint(ours), fmt.Sprint(theirs.out); !ok || got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestTextIsPreservedInEveryLanguage(t *testing.T) {
	h := New(0)
	code := "a <b c=\"d\">&amp; 'e' {f} [g](h)\n\n\t#i /* j */ // k -- l\r\n```m\n\"n\\\" é 🚀 \x00\n<%= o %> $p ${q} </pre> '''r"
	want := strings.ReplaceAll(code, "\x00", "\uFFFD")
	for name := range h.languages {
		if got, _ := h.Lines(name, code); textOf(got) != want {
			t.Errorf("%s: %q", name, textOf(got))
		}
	}
}

func TestOversizedCodeIsPlainText(t *testing.T) {
	h := New(1 << 20)
	for _, code := range []string{strings.Repeat("if x { y }\n", maxBlock/11+1),
		"a = '" + strings.Repeat("x", maxLine) + "'"} {
		lines, known := h.Lines("python", code)
		if !known || bytes.Contains(lines[0], []byte("<span")) || textOf(lines) != code {
			t.Errorf("a block of %d bytes was not written plainly", len(code))
		}
	}
	if lines, _ := h.Lines("go", "a\xffb"); string(lines[0]) != "a\xffb" {
		t.Errorf("%q", lines[0])
	}
}

func TestRunawayRulesFallBackToPlainText(t *testing.T) {
	loop := lexer("loop", chroma.Rules{"root": {{Pattern: ``, Mutator: chroma.Push("root")}}})
	boom := lexer("boom", chroma.Rules{"root": {{Pattern: `a`, Type: chroma.Text, Mutator: chroma.Pop(9)}}})
	loss := lexer("loss", chroma.Rules{"root": {{Pattern: `(a)(b)`, Type: chroma.ByGroups(nil, chroma.Keyword)}}})
	for _, lex := range []chroma.Lexer{loop, boom, loss} {
		h := New(0)
		h.languages["it"] = &language{lexer: lex, registry: h.registry}
		if got := joined(h, "it", "ab\nab"); got != "ab\nab" {
			t.Errorf("%s: %q", lex.Config().Name, got)
		}
	}
}

func TestBacktrackingRulesAreCutOff(t *testing.T) {
	h := New(0)
	slow := lexer("slow", chroma.Rules{"root": {{Pattern: `(x+x+)+y`, Type: chroma.Keyword},
		{Pattern: `.`, Type: chroma.Text}}})
	h.languages["slow"] = &language{lexer: slow, registry: h.registry}
	code := strings.Repeat("x", 200)
	if got := joined(h, "slow", code); got != code {
		t.Errorf("%q", got)
	}
}

// A key that is a substring of a page would keep the whole page in memory, even after a result moves from the old
// generation to the young one.
func TestMemoDoesNotRetainCallerMemory(t *testing.T) {
	h := New(4 << 10)
	page := strings.Repeat("text\n", 1000) + "x = 1\n"
	code := page[len(page)-6:]
	for i := 0; h.memo.old == nil; i++ {
		h.Lines("python", code)
		h.Lines("python", fmt.Sprintf("y = %d\n", i))
	}
	h.Lines("python", code)
	start := uintptr(unsafe.Pointer(unsafe.StringData(page)))
	for _, generation := range []map[memoKey][][]byte{h.memo.young, h.memo.old} {
		for key := range generation {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(key.code))); at >= start &&
				at < start+uintptr(len(page)) {
				t.Errorf("%q is a piece of the page", key.code)
			}
		}
	}
}

func TestMemoIsBoundedAndConcurrent(t *testing.T) {
	h := New(64 << 10)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 200 {
				code := fmt.Sprintf("x%d = %d\n", i*(g%2+1), i)
				if lines, _ := h.Lines("python", code); textOf(lines) != code {
					t.Errorf("%q became %q", code, textOf(lines))
				}
			}
		})
	}
	group.Wait()
	if h.memo.size > h.memo.half {
		t.Errorf("the young generation holds %d of %d bytes", h.memo.size, h.memo.half)
	}
	a, _ := h.Lines("python", "last")
	b, _ := h.Lines("py", "last")
	if &a[0][0] != &b[0][0] {
		t.Error("the second call did not use the cache")
	}
}

func FuzzTextSurvives(f *testing.F) {
	h := New(0)
	names := []string{"typescript", "python", "bash", "json", "mdx", "yaml", "html", "func", "fift", "dotenv", "kusto",
		"erb", "http", "rust", "sql"}
	for i, code := range []string{"a\n", "\"\\", "<a b={`", "```x\n---\n", "$(", "\xff\x00", "/*", "<<E\nx"} {
		f.Add(uint8(i), code)
	}
	f.Fuzz(func(t *testing.T, n uint8, code string) {
		if len(code) > 2000 {
			return
		}
		lines, _ := h.Lines(names[int(n)%len(names)], code)
		if got, want := textOf(lines),
			strings.ReplaceAll(code, "\x00", "\uFFFD"); got != html.UnescapeString(html.EscapeString(want)) {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

func BenchmarkLines(b *testing.B) {
	samples := map[string]string{
		"python":     "async def f(self, x: int = 0) -> str:\n    \"\"\"Doc.\"\"\"\n    return f\"{x}\" if x > 1 else await g(x, y=[1, 2])\n",
		"typescript": "export const client = new Client({ apiKey: process.env.KEY! });\nawait client.send(`hello ${name}`, { retries: 3 });\n",
		"bash":       "curl -X POST \"$URL/v1/items\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"name\": \"x\"}'\n",
		"json":       "{\n  \"name\": \"x\",\n  \"list\": [1, 2, true, null]\n}\n",
	}
	for name, code := range samples {
		b.Run(name, func(b *testing.B) {
			h, code := New(0), strings.Repeat(code, 20)
			h.Lines(name, code)
			b.SetBytes(int64(len(code)))
			b.ReportAllocs()
			for b.Loop() {
				h.Lines(name, code)
			}
		})
	}
}
