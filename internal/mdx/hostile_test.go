package mdx_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/testkit/cputime"
)

// hostile returns about n bytes of each pattern for which a careless parser takes quadratic time.
func hostile(n int) map[string]string {
	rep := func(s string) string { return strings.Repeat(s, n/len(s)+1) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, format, i, i)
		}
		return b.String()
	}
	ladder := func(sign string) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(sign, i) + " a ")
		}
		return b.String()
	}
	half := n / 2
	return map[string]string{
		"emphasis openers": rep("*a_ "), "emphasis mix": rep("*a __b ~c "), "emphasis closers": rep("a*_ "),
		"delimiter mix":   rep("_*~"),
		"emphasis nested": strings.Repeat("*a **a ", n/14) + strings.Repeat("b** b*", n/12), "one long run": rep("*"),
		"tildes": rep("~"), "tilde pairs": rep("~a~~ "),
		"brackets": rep("["), "brackets both": strings.Repeat("[", half) + strings.Repeat("]", half),
		"images": rep("![["), "bracket pairs": rep("[a]"),
		"resource open": rep("[a]("), "resource parens": rep("[a](("), "resource angle": rep("[a](<b"),
		"resource title": rep(`[a](b "c`), "links in links": rep("[") + rep("[a](b) "),
		"images nested": strings.Repeat("![", n/4) + strings.Repeat("](u)", n/4), "full references": rep("[a][b"),
		"link in unclosed": strings.Repeat("[", half) + strings.Repeat("[a](b)", half/6),
		"tag start":        rep("<a "), "tag attribute": rep("<a b"), "tag string": rep("<a b=\""),
		"tag brace": rep("<a {"), "tag value brace": rep("<a b={"), "less than": rep("<"),
		"tag lines": rep("<a\n"), "tag brace lines": rep("<a b={\n"), "string lines": rep("<a b='\n<c d=\"\n"),
		"unclosed tags": rep("<A>\n"), "unclosed inline tags": rep("x <a>"),
		"closing tags": rep("</a>"), "closing tag lines": rep("</a>\n"), "crossed tags": rep("<a><b></a>"),
		"deep tags":      strings.Repeat("<a>", n/7) + strings.Repeat("</a>", n/7),
		"deep tag lines": strings.Repeat("<A>\n", n/9) + strings.Repeat("</A>\n", n/9), "void tags": rep("<br>"),
		"comments": rep("<!--"), "comment lines": rep("<!--\n"), "doctypes": rep("<!doctype "),
		"angle address": rep("<https://a"), "placeholders": rep("<a_b> "),
		"braces": rep("{"), "brace lines": rep("{\n"), "brace and space": rep("{ "), "brace template": rep("{`"),
		"brace regex": rep("{/"), "closing braces": rep("}"), "closed braces": rep("{a}"),
		"backticks": rep("`a``b"), "backtick ladder": ladder("`"), "dollars": rep("$a$$b"),
		"dollar ladder": ladder("$"), "math fences": rep("$$\n"), "fences": rep("```\n~~~\n"),
		"quotes": rep("> "), "quote run": rep(">"), "quote lines": rep("> a\n"), "nested lists": rep("- "),
		"numbered lists": rep("1. "), "stairs": stairs(n), "list lines": rep("- a\n"), "blank items": rep("-\n"),
		"quote list mix": rep("> - "), "tabs": rep("\t- a\n"), "lazy": "> " + rep("a\n"),
		"deep lazy": strings.Repeat("> ", 90) + rep("a\n"), "long indent": rep(" ") + "a",
		"pipes": "a|b\n-|-\n" + rep("|"), "pipe rows": "a|b\n-|-\n" + rep("|a\n"), "delimiter rows": rep("a\n|-|\n"),
		"wide delimiter": rep("a|") + "\n" + rep("-|"), "wide table": rep("a|") + "\n" + rep("-|") + "\n" + rep("b|"),
		"table padding": rep("a|") + "\n" + rep("-|") + "\n" + rep("b\n"), "long definition": "[a]: /" + rep("b") +
			"\n\n" + rep("[a] "),
		"definitions": numbered("[a%d]: /b%d\n"), "definition open": rep("[a]: b \""),
		"definition lines": rep("[a]:\n"), "definition uses": numbered("[a%d]: /b\n\n[a%d]\n\n"),
		"footnotes": numbered("[^a%d]\n\n[^a%d]: x\n\n"), "footnote refs": "[^a]: x\n\n" + rep("[^a]"),
		"footnote open": rep("[^"), "footnote chain": footnoteChain(n),
		"entities": rep("&"), "entity open": rep("&amp"), "numeric entities": rep("&#x"), "escapes": rep(`\`),
		"setext": rep("a\n=\n"), "setext lines": "a" + rep("\n="), "hard breaks": rep("a  \n"),
		"spaces":    rep("a      "),
		"addresses": rep("http://"), "long address": rep("http://a.b!"), "www": rep("www.a_"), "emails": rep("a@b."),
		"email run": rep("a.b-c_"), "address code": rep("`http://a`"), "address brackets": rep("[http://a.b "),
		"address tail": "http://a.b/" + rep(")"),
		"quotes smart": rep("\"'"), "quotes words": rep("'a\"b "), "dashes": rep("--."),
		"imports": rep("import a from 'b'\n\n"), "import open": "import {" + rep("a\n\n"), "exports": rep("export {\n"),
		"headings": rep("# {#"), "heading ids": rep("# a {#b}\n"), "carriage returns": rep("a\r"), "nul": rep("\x00*"),
		"broken utf-8": rep("\xff_"), "html": rep("<div\nclass=\"a\">\n"), "tag then text": rep("<a\n/> b\n"),
	}
}

func stairs(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("  ", i%200) + "- a\n")
	}
	return b.String()
}

func footnoteChain(n int) string {
	var b strings.Builder
	b.WriteString("[^0]\n\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "[^%d]: [^%d]\n\n", i, i+1)
	}
	return b.String()
}

// TestHostileInputTakesLinearTime parses each pattern in two sizes and compares the processor time, which does not
// depend on other programs. Four times the input may take eight times as long, because timers are coarse and larger
// memory is slower. A parser that reads its input repeatedly takes at least sixteen times as long.
func TestHostileInputTakesLinearTime(t *testing.T) {
	small, large := hostile(20_000), hostile(80_000)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // collect garbage between the measurements, not during them
	for name := range small {
		a, b := time.Hour, time.Hour
		ratio := 0.0
		for range 12 {
			// both parse the same total, so that the cost of memory is the same
			a, b = min(a, cost(t, small[name], 4)), min(b, cost(t, large[name], 1))
			ratio = 4 * float64(b) / float64(max(a, 8*time.Millisecond))
			if ratio < 8 {
				break
			}
		}
		if ratio >= 8 {
			t.Errorf("%s: four times the input takes %.1f times as long", name, ratio)
		}
	}
}

// cost returns the processor time for parsing s the given number of times.
func cost(t *testing.T, s string, times int) time.Duration {
	t.Helper()
	runtime.GC()
	before := cputime.Used(t)
	for range times {
		mdx.Parse("a.mdx", []byte(s), 1)
		mdx.Inline(s)
	}
	return cputime.Used(t) - before
}
