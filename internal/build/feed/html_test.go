package feed

import (
	"strings"
	"testing"
)

func TestMarkdownBecomesPlainHTML(t *testing.T) {
	for markdown, want := range map[string]string{
		"First, see [home](https://a.example/).":  `<p>First, see <a href="https://a.example/">home</a>.</p>`,
		"## New\n\n- a\n- ~~b~~":                  "<h2>New</h2>\n<ul>\n<li>a</li>\n<li><del>b</del></li>\n</ul>",
		"| a |\n|---|\n| H<sub>2</sub>O<br />x |": "<sub>2</sub>O<br />x</td>",
		"```go\na < b\n```":                       "<pre><code class=\"language-go\">a &lt; b\n</code></pre>",
		`1 \< 2 \{x\}`:                            "<p>1 &lt; 2 {x}</p>",
	} {
		if got := contentHTML([]byte(markdown)); !strings.Contains(got, want) {
			t.Errorf("%q became %q, want %q", markdown, got, want)
		}
	}
}

// C7: HTML from authors adds no tag, attribute or script to the feed.
func TestHostileMarkdownIsEscaped(t *testing.T) {
	for _, markdown := range []string{
		"<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<sub onclick=alert(1)>x</sub>",
		"<div>\n<script>\n\nx",
		"[x](javascript:alert(1))", "<!-- a --><svg/onload=x>", "<javascript:alert(1)>",
		strings.Repeat("<script>", maxText),
	} {
		got := contentHTML([]byte(markdown))
		for _, bad := range []string{"<script", "<img", "<sub on", "<svg", "<div", `"javascript:`} {
			if strings.Contains(got, bad) {
				t.Errorf("%.60q became %.200q", markdown, got)
			}
		}
	}
}

func TestBlocksAreSeparatedInSummary(t *testing.T) {
	content := contentHTML([]byte(
		"First *sen*tence.\n\nSecond `a<b`.\n\n- one\n- two & [three](https://a.example/)\n\n| x | y |\n|---|---|\n| 1 | 2 |"))
	if got, want := summary(plainText(content)), "First sentence. Second a<b. one two & three x y 1 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSummaryIsCutBetweenWords(t *testing.T) {
	if got := summary("  one\n two "); got != "one two" {
		t.Errorf("%q", got)
	}
	if got := summary(strings.Repeat("größe ", 100)); len([]rune(got)) > maxSummary+1 ||
		!strings.HasSuffix(got, " größe…") {
		t.Errorf("%q", got)
	}
}
