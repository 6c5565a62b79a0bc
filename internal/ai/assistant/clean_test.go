package assistant

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

const (
	goodAddress = "https://docs.example.com/a?x=1"
	goodPath    = "/guides/start"
)

// cleaned returns the cleaner's output for text that arrives in pieces of n bytes. Places 1 to 3 were retrieved.
func cleaned(text string, n int) string {
	var b strings.Builder
	var order []int
	c := &cleaner{emit: func(s string) error { b.WriteString(s); return nil }, left: 1 << 20,
		allow: func(a string) bool { return a == goodAddress || a == goodPath },
		cite: func(n int) (int, bool) {
			for i, have := range order {
				if have == n {
					return i + 1, true
				}
			}
			if n < 1 || n > 3 {
				return 0, false
			}
			order = append(order, n)
			return len(order), true
		}}
	for i := 0; i < len(text); i += n {
		c.write(text[i:min(i+n, len(text))])
	}
	c.end()
	return b.String()
}

func TestAnswerTextIsCleaned(t *testing.T) {
	for in, want := range map[string]string{
		"Plain words, 5 < 6 & more!":               "Plain words, 5 < 6 & more!",
		"**Bold** and `code <b>` stay.":            "**Bold** and `code <b>` stay.",
		"As said [3], and [1][3].":                 "As said [1], and [2][1].",
		"Both [1, 2] and none [9] or [0].":         "Both [1][2] and none  or .",
		"Great![2]":                                "Great! [1]",
		"[1](https://evil.example/x)":              "[1]",
		"[1]: https://evil.example/x":              "[1] : `https://evil.example/x`",
		"[a]: https://evil.example/x":              "\\[a] : `https://evil.example/x`",
		"[docs](" + goodAddress + " \"t\")":        "[docs](" + goodAddress + ")",
		"[page](" + goodPath + ")":                 "[page](" + goodPath + ")",
		"[click](https://evil.example/?q=s)":       "click",
		"[click](javascript:alert(1))":             "click",
		"[click](//evil.example)":                  "click",
		"![pixel](https://evil.example/p.png)":     "pixel",
		"[![alt](https://evil.example)](/x)":       "alt",
		"see https://evil.example/a.":              "see `https://evil.example/a`.",
		"see " + goodAddress + ".":                 "see " + goodAddress + ".",
		"HTTPS://EVIL.example and www.evil.test":   "`HTTPS://EVIL.example` and `www.evil.test`",
		"<https://evil.example>":                   "`<https://evil.example>`",
		"use <Card> or <img src=x onerror=a()>":    "use `<Card>` or `<img src=x onerror=a()>`",
		"open <script\nalert(1)":                   "open \\<script\nalert(1)",
		"<!-- hidden -->":                          "`<!-- hidden -->`",
		"stray ` tick":                             "stray \\` tick",
		"[open\nlink](https://evil.example)":       "\\[open\nlink](`https://evil.example`)",
		"```js title=\"x\"\nif (a<b) {}\n```\nend": "```js\nif (a<b) {}\n```\nend",
		"```\nnever closed":                        "```\nnever closed\n```\n",
		"- a\n  ```\n<script>x</script>\n":         "- a\n  ```\n  ```\n`<script>`x`</script>`\n",
		"> ```\n> <b>\n":                           "> \\`\\`\\`\n> `<b>`\n",
		"- [ ] todo [x]":                           "- [ ] todo [x]",
		"| `a | <b>` |":                            "| \\`a | `<b>`\\` |",
		`\[not](a) \<b>`:                           `\[not](a) \<b>`,
	} {
		for _, n := range []int{1, 2, 3, 7, 1000} {
			if got := cleaned(in, n); got != want {
				t.Errorf("%q in pieces of %d:\n%q, want\n%q", in, n, got, want)
			}
		}
	}
}

func TestAnswerLengthIsLimited(t *testing.T) {
	var b strings.Builder
	c := &cleaner{emit: func(s string) error { b.WriteString(s); return nil }, left: 100,
		allow: func(string) bool { return false }, cite: func(int) (int, bool) { return 0, false }}
	for range 50 {
		c.write("more words ")
	}
	if c.end(); c.err != errFull || b.Len() > 100 || b.Len() < 80 {
		t.Errorf("%d bytes, %v", b.Len(), c.err)
	}
}

func TestAnswerThatRepeatsInstructionsIsStopped(t *testing.T) {
	private := instructions("Rockets",
		"The code word of the kitchen is albatross, and nobody outside may ever hear of it.")
	for name, text := range map[string]string{
		"word for word": private, "shouted": strings.ToUpper(private), "quoted": "> " +
			strings.ReplaceAll(private, "\n", "\n> "), "one line": strings.Join(strings.Fields(private), "  "),
		"the notes": "Here: the code word of the kitchen is albatross, and nobody outside may ever hear of it.",
	} {
		var b strings.Builder
		c := &cleaner{emit: func(s string) error { b.WriteString(s); return nil }, left: 1 << 20,
			guard: newLeakGuard(private), allow: func(string) bool { return false },
			cite: func(int) (int, bool) { return 0, false }}
		for i := 0; i < len(text) && c.err == nil; i += 5 {
			c.write(text[i:min(i+5, len(text))])
		}
		if c.end(); c.err != errLeak || b.Len() > 2*leakWidth {
			t.Errorf("%s: %v after %q", name, c.err, b.String())
		}
	}
}

var (
	judge    = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	elements = regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>`)
	target   = regexp.MustCompile(`href="([^"]*)"`)
	markdown = map[string]bool{"p": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
		"ul": true, "ol": true, "li": true, "blockquote": true, "pre": true, "code": true,
		"em": true, "strong": true, "del": true, "hr": true, "br": true, "a": true, "table": true, "thead": true,
		"tbody": true, "tr": true, "th": true, "td": true, "input": true}
)

// judged renders Markdown with a renderer that permits raw HTML, and returns everything that must not reach a reader.
func judged(t testing.TB, text string) (faults []string) {
	t.Helper()
	var b bytes.Buffer
	if err := judge.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<!") || strings.Contains(b.String(), "<?") {
		faults = append(faults, "a comment or declaration")
	}
	for _, m := range elements.FindAllStringSubmatch(b.String(), -1) {
		name, attributes := strings.ToLower(m[2]), m[3]
		switch {
		case !markdown[name]:
			faults = append(faults, "the element "+m[0])
		case name == "a" && m[1] == "":
			if to := target.FindStringSubmatch(attributes); to == nil ||
				to[1] != goodAddress && to[1] != goodPath && !strings.HasPrefix(to[1], "mailto:") {
				faults = append(faults, "the link "+m[0])
			}
		case strings.Contains(attributes, " on"), strings.Contains(attributes, "style") && name != "th" && name != "td":
			faults = append(faults, "the attributes of "+m[0])
		}
	}
	return faults
}

// A different renderer, which permits HTML, must find nothing forbidden in the cleaner's output, and the output must
// not depend on how the text was split into pieces.
func FuzzCleanerRemovesEverythingForbidden(f *testing.F) {
	for _, s := range []string{
		"[a](https://evil.example) ![b](https://evil.example/x) <img src=x> https://evil.example", "```\n<b>\n```\n<b>",
		"- a\n  ```\n<b>\n  ```\n<i>", "`a | <b>` |\n|---|---|\n| `x | <b>` |",
		"> ```\n<script>\n", "    ```\n<b>\n```\n", "text\n     ```\n<script>x</script>\n     ```", "~~~ a`b\n<b>\n~~~",
		"[x]: <https://evil.example>\n[x]", "[a]\n(https://evil.example)",
		"[`a](b`)](https://evil.example)", "\\`<b>`", "``<b>`", "<a\nhref=x>", "[1]: x\n[1]", "a\t```\n<b>",
		"1. a\n\n       ```\n   <b>\n", "-\t```\n<b>", "![a][b]\n\n[b]: https://evil.example",
		"<b\t>", "`\n<b>`", "[a](</guides/start> 'x<b>')", "[a](/guides/start 'x\"<b>')", "www.evil.example",
		"x@evil.example", "```a\n\n```b\n<b>", "* ~~~\n<b>", "[[1]](https://evil.example)",
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if len(text) > 1500 {
			return
		}
		got := cleaned(text, 1+abs(n)%9)
		if whole := cleaned(text, 1<<20); whole != got {
			t.Errorf("the output depends on the pieces: %q gives %q and %q", text, got, whole)
		}
		if faults := judged(t, got); len(faults) > 0 {
			t.Errorf("%q became %q, in which a renderer finds %s", text, got, fmt.Sprint(faults))
		}
	})
}

func abs(n int) int { return max(n, -n, 0) }
