package tex

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/web/npm"
)

func open(t testing.TB) *Typesetter {
	t.Helper()
	ts := New(npm.FS())
	t.Cleanup(func() {
		if err := ts.Close(); err != nil {
			t.Error(err)
		}
	})
	return ts
}

func TestFormulaHasHTMLAndMathML(t *testing.T) {
	ts := open(t)
	for tex, parts := range map[string][]string{
		`e^{i\pi}+1=0`: {`<msup><mi>e</mi>`,
			`<annotation encoding="application/x-tex">e^{i\pi}+1=0</annotation>`,
			`class="katex-html" aria-hidden="true"`},
		`\frac{a}{b}`:             {`<mfrac><mi>a</mi><mi>b</mi></mfrac>`},
		`\text{é "quoted" 5 < 6}`: {"é", `5&lt;6`},
		`x`:                       {`<mi>x</mi>`},
	} {
		for _, block := range []bool{false, true} {
			out, err := ts.Render(tex, block)
			if err != nil {
				t.Errorf("%s: %v", tex, err)
			}
			got := strings.ReplaceAll(strings.ReplaceAll(string(out), "\u00a0", ""), "&nbsp;", "")
			for _, part := range parts {
				if !strings.Contains(got, part) {
					t.Errorf("%s lacks %s: %s", tex, part, got)
				}
			}
			if want := map[bool]string{false: `<span data-math="inline"><span class="katex">`,
				true: `<span data-math="block"><span class="katex-display">`}[block]; !strings.HasPrefix(got, want) {
				t.Errorf("%s, block %v begins %.60s", tex, block, got)
			}
		}
	}
}

func TestInvalidFormulaReportsPosition(t *testing.T) {
	ts := open(t)
	for _, c := range []struct {
		tex, message string
		offset       int
	}{
		{`\foo`, `Undefined control sequence: \foo`, 0},
		{`é🚀 \foo`, `Undefined control sequence: \foo`, 7},
		{`x^`, "Expected group after '^'", 1},
		{`\frac{1}{`, "Unexpected end of input", 9},
		{`\def\x{\x\x}\x`, "Too many expansions", -1},
		{strings.Repeat("{", 4000), "nested too deeply", -1},
		{strings.Repeat(`\sqrt{`, 1400) + "x" + strings.Repeat("}", 1400), "nested too deeply", -1},
		{strings.Repeat("x", maxTeX+1), "10001 bytes", -1},
	} {
		for range 2 { // the second result comes from the cache
			_, err := ts.Render(c.tex, false)
			var wrong *Error
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Message, c.message) || wrong.Offset != c.offset {
				t.Errorf("%.30s: error %#v, want %q at %d", c.tex, err, c.message, c.offset)
			}
		}
	}
	if out, err := ts.Render("x", false); err != nil || len(out) == 0 {
		t.Errorf("after these formulas, x is %s, error %v", out, err)
	}
}

// harmless returns an error if the output contains elements, attributes or URLs that a formula must not add to a page.
func harmless(out []byte) error {
	tokens := html.NewTokenizer(strings.NewReader(string(out)))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			switch token.Data {
			case "script", "a", "img", "iframe", "style", "link", "object":
				return fmt.Errorf("element %s", token.Data)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "href" || a.Key == "src" || a.Key == "id" ||
					a.Key == "style" && strings.Contains(a.Val, "url(") {
					return fmt.Errorf("attribute %s=%q", a.Key, a.Val)
				}
			}
		}
	}
}

func TestFormulaContainsNoScriptOrRequest(t *testing.T) {
	ts := open(t)
	for _, tex := range []string{
		`\href{javascript:alert(1)}{x}`, `\url{https://example.com}`, `\includegraphics{https://example.com/x.png}`,
		`\htmlId{a}{b}`,
		`\htmlStyle{background:url(//x)}{b}`, `\htmlData{a=b}{c}`, `<script>alert(1)</script>`,
		`\text{</annotation><img src=x onerror=alert(1)>}`,
		`\textcolor{red;background:url(//x)}{x}`, `\rule{1000em}{1000em}`,
	} {
		out, err := ts.Render(tex, true)
		var wrong *Error
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("%s: %v", tex, err)
		}
		if err := harmless(out); err != nil {
			t.Errorf("%s: %v in %s", tex, err, out)
		}
	}
}

func TestMacrosDoNotLeakBetweenFormulas(t *testing.T) {
	ts := open(t)
	if _, err := ts.Render(`\gdef\mine{x}\mine`, false); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * cap(ts.engines) {
		if out, err := ts.Render(fmt.Sprintf(`\mine_{%d}`, i), false); err == nil {
			t.Fatalf("the macro is still defined: %s", out)
		}
	}
}

func TestConcurrentRenderingIsConsistent(t *testing.T) {
	ts := open(t)
	want, err := ts.Render(`\sum_{i=1}^n i`, true)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			if i%6 == 5 {
				if err := ts.Close(); err != nil { // while other goroutines are rendering; they open new engines
					t.Error(err)
				}
			}
			if _, err := ts.Render(fmt.Sprintf("x_%d", i%4), false); err != nil {
				t.Error(err)
			}
			if got, err := ts.Render(`\sum_{i=1}^n i`, true); err != nil || string(got) != string(want) {
				t.Errorf("got %s, error %v", got, err)
			}
		})
	}
	all.Wait()
}

func TestFormulaCacheIsBounded(t *testing.T) {
	var m memo
	for i := range 100 {
		m.add(formula{tex: fmt.Sprint(i)}, result{html: make([]byte, 1<<20)})
		if m.bytes > maxMemo || len(m.results) > 17 {
			t.Fatalf("%d bytes in %d formulas", m.bytes, len(m.results))
		}
	}
	if _, ok := m.find(formula{tex: "99"}); !ok {
		t.Error("the last formula is not cached")
	}
}

func TestFilesAreStyleSheetAndFonts(t *testing.T) {
	files, err := Files(npm.FS())
	if err != nil || len(files) < 15 || files[0].Name != "katex.css" {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	css := string(files[0].Data)
	for _, f := range files[1:] {
		if !strings.Contains(css, "url("+f.Name+")") || len(f.Data) == 0 {
			t.Errorf("%s is not named by the style sheet or empty", f.Name)
		}
	}
	if n := strings.Count(css, "url("); n != len(files)-1 {
		t.Errorf("the style sheet names %d files, there are %d", n, len(files)-1)
	}
}

func TestMissingPacksAreNotAuthorErrors(t *testing.T) {
	ts := New(fstest.MapFS{})
	var wrong *Error
	if _, err := ts.Render("x", false); err == nil || errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v", err)
	}
	if _, err := Files(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func FuzzRender(f *testing.F) {
	for _, seed := range []string{`x^2`, `\frac{1}{`, `\text{<b>}`, `\def\x{\x}\x`, `\begin{matrix}a&b\\c`, "\xff",
		`\left(`, `\verb|x|`, `\char"41`, `$x$`, `%`} {
		f.Add(seed, true)
	}
	ts := open(f)
	f.Fuzz(func(t *testing.T, tex string, block bool) {
		out, err := ts.Render(tex, block)
		var wrong *Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Offset > len(tex)) {
			t.Errorf("%q: %v", tex, err)
		}
		if err := harmless(out); err != nil {
			t.Errorf("%q: %v", tex, err)
		}
	})
}

func BenchmarkRender(b *testing.B) {
	ts := open(b)
	for i := 0; b.Loop(); i++ {
		if _, err := ts.Render(fmt.Sprintf(`\sum_{i=%d}^n \frac{i^2}{\sqrt{x+1}}`, i), true); err != nil {
			b.Fatal(err)
		}
	}
}
