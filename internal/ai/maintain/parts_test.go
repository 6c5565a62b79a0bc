package maintain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAltTextComesFromFileName(t *testing.T) {
	for file, want := range map[string]string{
		"/img/first-steps.png": "First steps", "a/02_user_settings@2x.webp": "User settings",
		"x/apiKeyForm.svg?v=3": "API key form", "%C3%BCber-uns.jpg": "Über uns",
		"step-2.png": "Step 2", "logo.svg": "Logo", "GitHub-login.png": "GitHub login", "chart-light.png": "Chart",
		"og-1200x630.png": "",
		"image.png":       "", "Screenshot 2024-01-02.png": "", "IMG_2041.jpg": "", "deadbeef1234.png": "", "a.png": "",
		"badge": "", "doc.pdf": "", "": "",
	} {
		if got := imageText(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestDescriptionsEndAtSentenceOrWord(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for in, want := range map[string]string{
		"Short.": "Short.",
		"One sentence that is long enough to stand for all of the paragraph here. " +
			long: "One sentence that is long enough to stand for all of the paragraph here.",
		"Tiny. " + long:                       "Tiny. " + strings.TrimSpace(strings.Repeat("word ", 29)) + " word…",
		strings.Repeat("x", 200):              strings.Repeat("x", 159) + "…",
		strings.Repeat("字", 100) + "。" + long: strings.Repeat("字", 100) + "。",
	} {
		got := shorten(strings.TrimSpace(in))
		if got != want || utf8.RuneCountInString(got) > maxDescription {
			t.Errorf("%.30s: %q, want %q", in, got, want)
		}
	}
}

func TestNearestHeadingMustBeUnambiguous(t *testing.T) {
	ids := []string{"usage", "usage-2", "step-2", "what’s-new", "create-a-project", "create-b-project", "安装",
		"v4-5-wire-format"}
	for wanted, want := range map[string]string{
		"Usage": "usage", "usage-1": "usage-2", "step-1": "", "whats-new": "what’s-new", "what-s-new": "what’s-new",
		"create-c-project": "", "v45-wire-format": "v4-5-wire-format", "nothing": "", "": "",
		"v4-6-wire-format": "",
	} {
		if got, why := nearID(wanted, ids); got != want || (got == "") != (why != "") {
			t.Errorf("%s: %q (%s), want %q", wanted, got, why, want)
		}
	}
}

func TestReplacedTermKeepsCapitalization(t *testing.T) {
	for _, c := range []struct{ from, to, text, want string }{
		{"workspace", "project", "workspace Workspace WORKSPACE workspaces", "project Project PROJECT workspaces"},
		{"Foo", "Bar Baz", "Foo foo FOO Foo's Foo-like foo-cli foo.js a/foo",
			"Bar Baz bar baz BAR BAZ Bar Baz's Bar Baz-like foo-cli foo.js a/foo"},
		{"API key", "access token", "API key api key API Key API KEY API\nkey",
			"access token access token access token ACCESS TOKEN access\ntoken"},
		{"C#", "F#", "C# and C#, not C#x", "F# and F#, not C#x"},
		{"a", "b", "a A á", "b B á"},
	} {
		r := renamer{job: &job{}, term: newTerm(c.from, c.to)}
		if got := r.replaced("f", c.text, func(int) int { return 1 }); got != c.want {
			t.Errorf("%s → %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestOnlySmallTyposOutsideNumbersMatch(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"guides/start", "guides/strat"}: true, {"guides/instal", "guides/install"}: true,
		{"guide/install", "guides/install"}: true,
		{"a/v1", "a/v2"}:                    false, {"part-1-intro", "part-2-intro"}: false,
		{"api/get", "api/set"}: false, {"pricing", "billing"}: false, {"x", "y"}: false,
	} {
		if got := slip(pair[0], pair[1]); got != want {
			t.Errorf("%v: %v", pair, got)
		}
	}
}
