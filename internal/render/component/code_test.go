package component

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/highlight"
)

func fence(lang, meta, text string) *ast.Code { return &ast.Code{Lang: lang, Meta: meta, Text: text} }

var preTag = regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>`)
var anyTag = regexp.MustCompile(`<[^>]*>`)

// preTexts returns the text of each pre as a browser parses it.
func preTexts(page string) []string {
	var out []string
	for _, m := range preTag.FindAllStringSubmatch(page, -1) {
		out = append(out, html.UnescapeString(anyTag.ReplaceAllString(strings.TrimPrefix(m[1], "\n"), "")))
	}
	return out
}

func TestFenceMetaIsParsed(t *testing.T) {
	ranges := func(n ...int) (list []LineRange) {
		for i := 0; i < len(n); i += 2 {
			list = append(list, LineRange{n[i], n[i+1]})
		}
		return list
	}
	for _, c := range []struct {
		lang, meta string
		want       CodeBlock
	}{
		{"js", `a b.js {1,2} highlight={1} icon="x" lines wrap`, CodeBlock{Lang: "js", Title: "a b.js", Icon: "x",
			Lines: true, Wrap: true, Highlight: ranges(1, 1, 2, 2, 1, 1)}},
		{"ts", `title="src/a.ts" {1, 3-5}`, CodeBlock{Lang: "ts", Title: "src/a.ts", Highlight: ranges(1, 1, 3, 5)}},
		{"ts", `filename='b c.ts' focus={2-4} nocopy expandable twoslash`, CodeBlock{Lang: "ts", Title: "b c.ts",
			Focus: ranges(2, 4), NoCopy: true, Expandable: true, Twoslash: true}},
		{"py", `highlight="1,3-5" lines=false wrap={true}`,
			CodeBlock{Lang: "py", Highlight: ranges(1, 1, 3, 5), Wrap: true}},
		{"js", `theme={null} theme={"system"} What's new.js`, CodeBlock{Lang: "js", Title: "What's new.js"}},
		{"js", `"Quoted title" diff`, CodeBlock{Lang: "js", Title: "Quoted title", Diff: true}},
		{"bash", `https://x.y/z?a=b`, CodeBlock{Lang: "bash", Title: "https://x.y/z?a=b"}},
		{"js{1}", ``, CodeBlock{Lang: "js{1}"}},
		{`title="a.ts"`, `lines`, CodeBlock{Title: "a.ts", Lines: true}},
		{"", ``, CodeBlock{}},
		{"js", `{1-999999999}`, CodeBlock{Lang: "js", Highlight: ranges(1, 999999999)}},
		{"js", `{5-3,0,-1,x,99999999999999999999}`, CodeBlock{Lang: "js", Title: `{5-3,0,-1,x,99999999999999999999}`}},
		{"js", `highlight={5-3,0,x}`, CodeBlock{Lang: "js", Highlight: ranges(3, 5)}},
		{"js", `{ "a`, CodeBlock{Lang: "js", Title: `{ a`}},
		{"mermaid", `placement="top-left" actions={false}`,
			CodeBlock{Lang: "mermaid", Placement: "top-left", Actions: "off"}},
	} {
		got := ParseMeta(c.lang, c.meta)
		if !slices.Equal(got.Highlight, c.want.Highlight) || !slices.Equal(got.Focus, c.want.Focus) {
			t.Errorf("%s %s: lines %v %v, want %v %v", c.lang, c.meta, got.Highlight, got.Focus, c.want.Highlight,
				c.want.Focus)
		}
		got.Highlight, got.Focus, c.want.Highlight, c.want.Focus = nil, nil, nil, nil
		if got.Title != c.want.Title || got.Lang != c.want.Lang || got.Icon != c.want.Icon ||
			got.Lines != c.want.Lines || got.Wrap != c.want.Wrap ||
			got.NoCopy != c.want.NoCopy || got.Expandable != c.want.Expandable || got.Twoslash != c.want.Twoslash ||
			got.Diff != c.want.Diff ||
			got.Actions != c.want.Actions || got.Placement != c.want.Placement {
			t.Errorf("%s %s:\n got %+v\nwant %+v", c.lang, c.meta, got, c.want)
		}
	}
}

func TestCodeAnnotationsMarkLinesAndAreRemoved(t *testing.T) {
	for _, c := range []struct{ in, text, marks string }{
		{"a // [!code ++]\nb # [!code --]\nc", "a\nb\nc", "+-."},
		{"a <!-- [!code highlight] -->\nb /* [!code focus] */\n-- [!code hl]\nc", "a\nb\nc", "HFH"},
		{"// [!code ++:2]\na\nb\nc", "a\nb\nc", "++."},
		{"a // [!code --:99999999]\nb", "a\nb", "--"},
		{"a // keep [!code ++]", "a // keep", "+"},
		{"{/* [!code highlight:1] */}\na", "a", "H"},
		{"a // [!code ++] // [!code focus]", "a", "*"},
		{"a [!code nonsense] [!code", "a [!code nonsense] [!code", "."},
		{"x = y # [!code word:y]", "x = y", "."},
		{"const s = `[!code`", "const s = `[!code`", "."},
	} {
		text, lines := codeText(&CodeBlock{Text: c.in})
		got := ""
		for _, m := range lines {
			got += map[marks]string{0: ".", added: "+", removed: "-", marked: "H", focused: "F",
				added | focused: "*"}[m]
		}
		if text != c.text || got != c.marks {
			t.Errorf("%q: %q %s, want %q %s", c.in, text, got, c.text, c.marks)
		}
	}
}

func TestTwoslashDirectivesAreRemoved(t *testing.T) {
	text, _ := codeText(&CodeBlock{Twoslash: true,
		Text: "// @errors: 2322\nimport a\n// ---cut---\nconst b = a\n//    ^?\n// plain"})
	if text != "const b = a\n// plain" {
		t.Errorf("%q", text)
	}
}

func TestCodeTextIsPreservedExactly(t *testing.T) {
	for _, text := range []string{"a\n\nb\n", "</pre><script>x</script>", "\nfirst line is empty", "",
		"  indented\t\"&amp;\"\r\nx", "é 🚀 <b>"} {
		s := newSheet()
		s.w.Highlight = highlight.New(0)
		s.Render([]ast.Node{fence("ts", "", text), fence("nobody", "", text), fence("mermaid", "", text)})
		for i, got := range preTexts(string(s.w.Bytes())) {
			if i == 2 || !strings.HasPrefix(text, "\n") {
				if got != text {
					t.Errorf("block %d: %q became %q", i, text, got)
				}
			} else if got != text && "\n"+got != text {
				t.Errorf("block %d: %q became %q", i, text, got)
			}
		}
	}
}

func TestCodeHasOneMarkedSpanPerLine(t *testing.T) {
	out, _ := draw(t, fence("go", `main.go {2} focus={3} lines wrap icon="file"`, "a\nb\nc"))
	wants(t, out, `<figure class="code code-numbered code-wrap code-focused">`, `<figcaption class="code-head">`,
		`data-name="file"`, `<span class="code-title">main.go</span>`,
		`<pre tabindex="0" role="group" aria-label="main.go"><code class="language-go"><span class="line">a</span>`+
			"\n"+`<span class="line line-mark">b</span>`+"\n"+
			`<span class="line line-focus">c</span></code></pre></figure>`)
	out, _ = draw(t, fence("js{1}", "", "x"), fence("x\" onload=", "nocopy", "y"))
	wants(t, out, `<code class="language-text">`, `data-nocopy`, `<code class="language-text">`)
}

func TestLongCodeIsCollapsedOnlyOnRequest(t *testing.T) {
	long := strings.Repeat("x\n", 40)
	out, _ := draw(t, fence("go", "expandable", long))
	wants(t, out, `class="code code-long"`, strings.Repeat("<span class=\"line\">x</span>\n", 40),
		`<button type="button" class="code-more" aria-expanded="false" data-platform>`, `41 lines`)
	out, _ = draw(t, fence("go", "expandable", "short"), fence("go", "", long))
	refuses(t, out, "code-more", "code-long")
}

func TestHugeRangesAndManyAnnotationsAreCheap(t *testing.T) {
	begin := time.Now()
	out, _ := draw(t, fence("js", "{1-999999999} focus={1-2147483647}", "a\nb"))
	wants(t, out, `<span class="line line-mark line-focus">a</span>`,
		`<span class="line line-mark line-focus">b</span>`)
	meta := "highlight={" + strings.Repeat("1-99999,", 20_000) + "}"
	draw(t, fence("js", meta, strings.Repeat("a\n", 20_000)))
	draw(t, fence("js", "", strings.Repeat("[!code ++]", 20_000)),
		fence("js", "", strings.Repeat("a // [!code ++:1000000]\n", 20_000)))
	draw(t, fence("js", "", strings.Repeat("[!code ", 20_000)), fence("js", strings.Repeat("{", 50_000), ""),
		fence("js", strings.Repeat(`a="`, 20_000), ""))
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestMarkupInTitlesIsEscaped(t *testing.T) {
	evil := `"><img src=x onerror=alert(1)>`
	out, _ := draw(t, fence("js", `title='`+evil+`'`, "x"),
		tag("CodeGroup", props{"dropdown", true}, fence("js", `title='`+evil+`'`, "x"), fence("js", "", "y")),
		tag("ParamField", props{"query", evil, "type", evil, "default", evil, "pre", evil}),
		tag("Update", props{"label", evil, "tags", []ast.Value{evil}}),
		tag("View", props{"title", evil}), tag("Tree.File", props{"name", evil, "comment", evil}),
		tag("Color.Item", props{"name", evil, "value", evil}),
		tag("Prompt", props{"description", evil, "actions", []ast.Value{"cursor", evil}}, para(say(evil))),
		tag("Expandable", props{"title", evil}))
	refuses(t, out, "<img")
}

func TestMermaidKeepsItsSource(t *testing.T) {
	out, _ := draw(t, fence("mermaid", `placement="top-left" actions={false}`, "graph TD\n A --> B"),
		fence("mermaid", `placement="evil"`, "x"))
	wants(t, out, `<figure class="mermaid" data-actions="off" data-placement="top-left"><pre tabindex="0">graph TD`+
		"\n"+` A --&gt; B</pre></figure>`, `<figure class="mermaid"><pre`)
}

func FuzzFenceIsReadAndWritten(f *testing.F) {
	for _, s := range [][2]string{{`a {1} b="c"`, "x // [!code ++]"}, {`{`, "[!code --:2]\n"}, {`highlight={1-`, ""},
		{"title='", "\r\n"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, meta, code string) {
		s := newSheet()
		s.Render([]ast.Node{fence("js", meta, code), tag("CodeGroup", nil, fence("js", meta, code))})
		if n := strings.Count(string(s.w.Bytes()), "<pre"); n != 2 {
			t.Fatalf("%d blocks", n)
		}
	})
}

func TestSequenceDiagramsReserveSpace(t *testing.T) {
	const talk = "sequenceDiagram\n  participant a-b as Browser\n  a-b->>S: Sign in\n  S-->>a-b: Code\n  loop Each\n    S->>S: Check\n  end\n" +
		"  Note over S: one<br/>two\n"
	// Two participants at the minimum distance; a name, two messages (one from a participant to itself), a loop, and a
	// note with two lines.
	if got := sequenceRoom(talk); got != "min(561px, calc(95vw + 62px))" {
		t.Error(got)
	}
	// A wide diagram shrinks to the column, so it needs less height.
	wide := strings.Replace(talk, "Sign in", strings.Repeat("long ", 40), 1)
	if got := sequenceRoom(wide); got != "min(226px, calc(23vw + 62px))" {
		t.Error(got)
	}
	for _, other := range []string{"graph TD\n  a --> b\n", "sequenceDiagram\n", ""} {
		if got := sequenceRoom(other); got != "" {
			t.Errorf("%q: %s", other, got)
		}
	}
}
