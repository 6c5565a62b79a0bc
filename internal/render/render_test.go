package render

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/diag"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fakeSite answers like the link room: it refuses what is not http, https, mailto or a path, and notes what it was asked.
type fakeSite struct{ asked []Ref }

func (f *fakeSite) Resolve(ref Ref) (string, bool) {
	f.asked = append(f.asked, ref)
	if scheme, _, ok := strings.Cut(ref.Dest, ":"); ok && !strings.ContainsAny(scheme, "/#?") {
		switch strings.ToLower(strings.TrimSpace(scheme)) {
		case "http", "https", "mailto":
		default:
			return "", false
		}
	}
	return ref.Dest, !strings.ContainsAny(ref.Dest, "\n\t\x00\x01")
}

func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/in.mdx")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, in := range cases {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			src, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			site := &fakeSite{}
			page, err := New().Render(Source{File: "in.mdx", Body: src, BodyLine: 1}, site)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			got.Write(page.HTML)
			got.WriteString("----\n")
			for _, h := range page.Headings {
				fmt.Fprintf(&got, "heading %d %s: %s\n", h.Level, h.ID, h.Text)
			}
			for _, r := range site.asked {
				fmt.Fprintf(&got, "ref %d:%d %s\n", r.Pos.Line, r.Pos.Column, r.Dest)
			}
			fmt.Fprintf(&got, "lead %s\n", page.Lead)
			want := filepath.Join(dir, "want.txt")
			if *update {
				if err := os.WriteFile(want, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(golden) {
				t.Errorf("got\n%s\nwant\n%s", got.String(), golden)
			}
		})
	}
}

func TestDropTitleRemovesOnlyTheOpeningHeading(t *testing.T) {
	page, err := New().Render(Source{Body: []byte("# Title\n\ntext\n\n# Second\n"), BodyLine: 1, DropTitle: true}, &fakeSite{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(page.HTML); strings.Contains(got, "Title") || !strings.Contains(got, "<h2 id=\"second\">") || strings.Contains(got, "<h1") {
		t.Errorf("got %s", got)
	}
}

// dangerous finds what no page may hold: elements that run or embed, event handlers, inline styles, other schemes. Only tags are
// looked at; the same letters as text are harmless.
var (
	tags      = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)
	dangerous = regexp.MustCompile(`(?i)^<(?:script|style|iframe|object|embed|svg|math|link|meta|base|form|button|template|noscript|!)|\s(?:on[a-z]+|style|srcdoc|formaction)\s*=|(?:href|src)="\s*(?:javascript|data|vbscript|file|blob):`)
	attrs     = regexp.MustCompile(`"[^"]*"`)
)

func checkSafe(t *testing.T, src, html string) {
	t.Helper()
	for _, tag := range tags.FindAllString(html, -1) {
		bare := attrs.ReplaceAllStringFunc(tag, func(v string) string { // handler names inside attribute values are text
			if strings.Contains(v, ":") {
				return v[:min(len(v), 24)] + `"`
			}
			return `""`
		})
		if dangerous.MatchString(bare) {
			t.Fatalf("source %q gives %q in %q", src, tag, html)
		}
	}
}

// Claim C6: raw HTML never reaches the page, and addresses are limited.
func TestHostileContentNeverReachesThePage(t *testing.T) {
	for _, src := range []string{
		"<script>alert(1)</script>", "<ScRiPt src=//evil></sCrIpT>", "<scr<script>ipt>alert(1)</scr</script>ipt>", "<img src=x onerror=alert(1)>",
		"[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](java\tscript:alert(1))", "[a](&#106;avascript:alert(1))", "[a](&#x6A&#x61;vascript:alert(1))",
		"[a](\\javascript:alert(1))", "<javascript:alert(1)>", "<data:text/html,<script>alert(1)</script>>", "![a](data:image/svg+xml;base64,PHN2Zz4=)",
		"[a]: javascript:alert(1)\n\n[a]", "[a](vbscript:x)", "![x](x \"\\\" onerror=alert(1) x=\\\"\")", "[x](<x\" onclick=\"alert(1)>)", "## <svg onload=alert(1)>",
		"## x {#a\" onclick=\"alert(1)}", "``` js\" onclick=\"x\n```", "```a\"><script>alert(1)</script>\nx\n```", "```x <script>alert(1)</script>\n```",
		"<svg><style><img src=x onerror=alert(1)></style></svg>", "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
		"<a href=\"javascript:alert(1)\">x</a>", "{<script>alert(1)</script>}", "<!--><script>alert(1)</script>", "<!-- --!><script>alert(1)</script> -->",
		"| <script> | a |\n|---|---|\n| <b onclick=x> | [y](javascript:z) |", "- <script>\n  alert(1)\n  </script>", "> <iframe srcdoc=\"<script>\">",
		"[^1]\n\n[^1]: <script>alert(1)</script>", "~~<style>*{}</style>~~", "\\<script>alert(1)\\</script>", "&lt;script&gt;alert(1)&lt;/script&gt;", "<script\x00>alert(1)</script>",
		"<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "http://x.y/\"onmouseover=alert(1)", "www.x.y/<script>", "`<script>`", "<div style=\"x\">", "<x y={`>`} z=\"<script>\">",
	} {
		page, err := New().Render(Source{Body: []byte(src), BodyLine: 1}, &fakeSite{})
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		checkSafe(t, src, string(page.HTML))
	}
}

func TestRenderTimeGrowsNoFasterThanThePage(t *testing.T) {
	const size = 128 << 10
	many := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, src := range map[string]string{
		"quotes": many(">"), "quotes spaced": many("> "), "lists": many("- "), "numbers": many("1. "), "mixed": many("> - "), "tags": many("<a "), "tag braces": many("<a {"),
		"tag quotes": many("<a \""), "open tags": many("<a>"), "open tag lines": many("<a>\n"), "comments": many("<!--"), "mdx comments": many("{/*"), "code": many("` `` "),
		"backticks": strings.Repeat("`", size), "brackets": many("["), "links": many("[a]("), "images": many("!["), "emphasis": many("*a **a "), "underscores": many("_a __a "),
		"tables": "|a|\n|-|\n" + many("|a"), "fences": many("```\n"), "headings": many("# a\n"), "good links": many("[a](b) "), "link lines": many("[a](b)\n"), "strikes": many("~a~~"),
		"entities": many("&amp;"), "footnotes": many("[^a]"), "export": many("export const a = {\n"), "nest": many("![a](b"), "urls": many("http://a."),
		"link titles": many("[a](b (x "), "link angles": many("[a](<b"), "link quotes": many("[a](b \"x "), "closed links": strings.Repeat("[a](", size/8) + strings.Repeat(")", size/8),
		"reference": many("[a]: b\n"), "reference uses": "[a]: b\n\n" + many("[a] "), "autolinks": many("<a:b"), "mails": many("a@"), "setext": many("a\n=\n"), "tabs": many("\t- a\n"), "hard breaks": many("a  \n"),
		"quote lines": many(strings.Repeat(">", 99) + "\n"), "list stairs": stairs(700), "long line": strings.Repeat("a", size), "quotation": many("\"a '"), "dashes": many("--- "), "img nest": many("![a]("),
		"checkboxes": many("- [ ] "), "custom ids": many("# a {#b}\n"), "braces": many("{"), "slashes": many("\\"), "closers": many("</a>"), "table rows": "|a|b|\n|-|-|\n" + many("|a|b|\n"), "wide table": many("|a") + "\n" + many("|-") + "\n" + many("|b"),
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() {
				_, err := New().Render(Source{Body: []byte(src), BodyLine: 1}, &fakeSite{})
				done <- err
			}()
			select {
			case <-done: // an error is fine: the page fails, the build goes on
			case <-time.After(5 * time.Second):
				t.Error("still rendering after 5 s")
			}
		})
	}
}

func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	return b.String()
}

func FuzzRenderIsSafe(f *testing.F) {
	for _, s := range []string{"# a\n\n<Note>\n  x `<b>`\n</Note>\n", "import A from 'a'\n\n- [a](javascript:x)\n", "```js t {1}\n<x>\n```", "<a {`}`}>x</a>", "a\n<!-- b\n\n--> c", "|a|\n|-|\n|<b>|"} {
		f.Add(s)
	}
	r := New()
	f.Fuzz(func(t *testing.T, src string) {
		site := &fakeSite{}
		page, err := r.Render(Source{File: "f", Body: []byte(src), BodyLine: 1}, site)
		if err != nil {
			return
		}
		checkSafe(t, src, string(page.HTML))
		lines := 1 + strings.Count(src, "\n")
		for _, ref := range site.asked {
			if ref.Pos != (diag.Pos{File: "f"}) && (ref.Pos.Line < 1 || ref.Pos.Line > lines) {
				t.Fatalf("position %+v outside %d lines of %q", ref.Pos, lines, src)
			}
		}
	})
}
