package slug

import (
	"testing"
	"unicode/utf8"
)

func TestHeadingIDsFollowTheFormat(t *testing.T) {
	for in, want := range map[string]string{
		"What's new (v1.2) & a/b": "what’s-new-v1-2-&-a/b",
		"Getting  Started":        "getting-started",
		"🚀 Launch":                "launch",
		"安装 指南":                   "安装-指南",
		"snake_case -- dash":      "snake_case-dash",
		"1️⃣ First":               "1-first",
		"--- ":                    "",
	} {
		if got := Heading(in); got != want {
			t.Errorf("Heading(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSetNumbersDuplicatesFromTwo(t *testing.T) {
	var s Set
	got := []string{s.Heading("Usage"), s.Heading("Usage"), s.Claim("usage-3"), s.Heading("usage"), s.Heading("🚀")}
	want := []string{"usage", "usage-2", "usage-3", "usage-4", "section"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("ids = %q, want %q", got, want)
			break
		}
	}
}

func TestCleanAcceptsEverySpellingOfAPage(t *testing.T) {
	for in, want := range map[string]string{
		"/guides/start/": "guides/start", "guides/start.mdx": "guides/start", "./a": "a", "": "index", "/": "index",
		"a.html": "a", "v1.2/x": "v1.2/x",
	} {
		if got, ok := Clean(in); !ok || got != want {
			t.Errorf("Clean(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"../x", "/a/../../b", `a\b`, "a\x00"} {
		if got, ok := Clean(in); ok {
			t.Errorf("Clean(%q) accepted as %q", in, got)
		}
	}
}

func TestWordsMakesATitle(t *testing.T) {
	for in, want := range map[string]string{"guides/first-steps": "First steps", "api/index": "Api", "index": "Index",
		"été": "Été", "-": "Untitled"} {
		if got := Words(in); got != want {
			t.Errorf("Words(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzHeadingIsAStableSafeID(f *testing.F) {
	for _, s := range []string{"a b", "What's <b>new</b>", "\"'><script>", "İ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id := Heading(text)
		if !utf8.ValidString(id) {
			t.Fatalf("id %q is not UTF-8", id)
		}
		for _, r := range id {
			if r <= ' ' || r == '"' || r == '<' || r == '>' || r == '\'' || r == '%' || r == '#' {
				t.Fatalf("id %q holds %q", id, r)
			}
		}
	})
}
