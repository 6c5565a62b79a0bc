package guard_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// hostile lists texts for which careless code takes quadratic time; each is repeated up to a given size.
var hostile = []string{
	"<!--", "-->", "<!-- -->", "<!<!-- x -->", "{/*", "*/ }", "{ /* */ x", "[//]: ", "`", "``` ", "` <!-- ", "\\`",
	"~~~\n", "```\n", "\n", " ", "\t/*",
	"{\n/* x */}\n",
	"sk-", "ghp_", "eyJ.", "eyJ-", "eyJ.eyJ.", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "token=", "secret: \"",
	"://a:b@", "https://", "//", "\"//",
	"www.", "mailto:", "mailto:a@",
	"lectern_", "AKIA", "&#x68;", "\\u0068", "\\", "%68", "\u200b", "\u200d", "\U000e0041", "\x1b[", "\x1b]", "\xff",
	"é", "<a ", "<script", " onx=\"", "{a",
	"{`${", "@a ", "#1 ", "[x](", "![",
	"import x from '", "</untrusted mark=\"", "<Card a={", "key-value: ", "a1B2", "@import //", "/approve\n", "([{<",
	"]]]", "$$", "|a",
}

// All functions take linear time, so they process a hostile text of the given size long before the test's time limit.
func TestHostileTextTakesLinearTime(t *testing.T) {
	size := tier.Choose(1<<18, 1<<19)
	redactor := guard.NewRedactor([]string{"secret-value-1", strings.Repeat("a", 64), drawn(1, letters, 2000)})
	for _, piece := range append(hostile, strings.Repeat("a", 63)+"b") {
		text := strings.Repeat(piece, size/len(piece))
		for _, text := range []string{text, text + "*/" + strings.Repeat(" ", size/4), "{" + text + "}"} {
			guard.Clean(text)
			redactor.Redact(text)
			guard.Untrusted(text, text)
		}
		guard.Tame(text[:size/16], nil)
		for _, name := range []string{"a.mdx", "a.svg", "docs.json"} {
			guard.Check([]draft.Change{fresh(name, text[:size/16])}, guard.Rules{Allow: []string{"**/**/a*b"}})
		}
	}
}

func FuzzClean(f *testing.F) {
	for i, h := range hostile {
		f.Add(h + hostile[(i+7)%len(hostile)] + " x\n" + h)
	}
	f.Add("`` x `<!-- y -->``` A ```` ````` ```` <!-- k --> `````")
	f.Fuzz(func(t *testing.T, text string) {
		got := guard.Clean(text)
		if again := guard.Clean(got); again != got {
			t.Errorf("Clean is not idempotent: %q → %q → %q", text, got, again)
		}
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q: lines were lost: %q", text, got)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\x00\u202e\U000e0041") {
			t.Errorf("%q is not clean: %q", text, got)
		}
		if v := guard.Visible(text); guard.Visible(v) != v {
			t.Errorf("%q: Visible is not idempotent", text)
		}
	})
}

func FuzzRedact(f *testing.F) {
	f.Add("a secret b", "secret", "[redacted]")
	f.Add("xxsecrety", "xx]y", "ret\xe2")
	f.Add(secrets(1)["jwt"], "aaaa", "aaab")
	f.Fuzz(func(t *testing.T, text, one, two string) {
		values := []string{one, two, one + two}
		got := guard.Redact(text, values)
		for _, v := range values {
			if len(v) >= 4 && strings.Contains(got, v) {
				t.Errorf("%q without %q is %q", text, values, got)
			}
		}
		if clean := len(guard.Redact(text, nil)) == len(text); clean && got != text {
			for _, v := range values { // a text that contains neither a value nor an encoding of one stays unchanged
				if len(v) >= 4 {
					return
				}
			}
			t.Errorf("%q became %q", text, got)
		}
	})
}

func FuzzUntrusted(f *testing.F) {
	f.Add("a.mdx", "text")
	f.Add("\"><", guard.Untrusted("a", "b"))
	f.Fuzz(func(t *testing.T, label, text string) {
		got := guard.Untrusted(label, text)
		open, rest, _ := strings.Cut(got, "\n")
		_, after, _ := strings.Cut(open, `mark="`)
		mark, _, _ := strings.Cut(after, `"`)
		if mark == "" || strings.Contains(text, mark) || !strings.HasPrefix(rest, text) ||
			!strings.HasSuffix(got, "\n</untrusted mark=\""+mark+"\">") ||
			strings.Count(open, "\"") != 4 {
			t.Errorf("%q of %q is %q", text, label, got)
		}
	})
}

func FuzzTame(f *testing.F) {
	for _, h := range hostile {
		f.Add(h + " [x](https://evil.dev) ![y](https://acme.dev/z)\n" + h)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := guard.Tame(text, map[string]bool{"acme.dev": true})
		fenced := false
		for line := range strings.Lines(got) {
			trimmed := strings.TrimSpace(line)
			if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
				fenced = true
			}
			if strings.HasPrefix(trimmed, "/") && len(trimmed) > 1 && trimmed[1] >= 'a' && trimmed[1] <= 'z' {
				t.Errorf("%q commands: %q", text, got)
			}
		}
		if !fenced && (strings.ContainsAny(outOfTicks(got), "<") ||
			strings.Contains(outOfTicks(got), "](https://evil") || strings.Contains(got, "``")) {
			t.Errorf("%q is not tame: %q", text, got)
		}
	})
}

// outOfTicks removes code.
func outOfTicks(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for i, part := range strings.Split(line, "`") {
			if i%2 == 0 {
				b.WriteString(part)
			}
		}
	}
	return b.String()
}

func FuzzCheck(f *testing.F) {
	for _, name := range []string{"a.mdx", "x/.git/config", "docs.json", "a.svg", "a.css"} {
		for _, h := range hostile {
			f.Add(name, "# Title\n", h+"\n"+h)
		}
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		change := changed(name, before, after)
		for _, finding := range guard.Check([]draft.Change{change},
			guard.Rules{Allow: []string{name}, Secrets: []string{before}}) {
			lines := strings.Count(after, "\n") + 1
			if finding.Line < 0 || finding.Line > lines || finding.Code == "" || finding.Text == "" ||
				!utf8.ValidString(finding.Text) {
				t.Errorf("%+v of %d lines", finding, lines)
			}
		}
		same := changed(name, after, after)
		for _, finding := range guard.Check([]draft.Change{same}, guard.Rules{}) {
			if finding.Line != 0 { // findings about a whole file depend on its kind
				t.Errorf("an existing problem is reported: %+v", finding)
			}
		}
		_, _ = guard.Hosts(context.Background(), fstest.MapFS{"a.mdx": {Data: []byte(after)}})
	})
}
