package blocked

import (
	"strings"
	"testing"
)

func TestReportsBecomeEntries(t *testing.T) {
	for _, c := range []struct{ directive, blocked, page, want string }{
		{"script-src-elem", "https://cdn.example.com/a.js?id=7", "https://docs.example.com/guides/start?x#y",
			`script https://cdn.example.com /guides/start "security": {"allow":{"script":["https://cdn.example.com"]}}`},
		{"style-src-attr", "inline", "https://docs.example.com/", `style inline / "security": {"allow":{"style":["'unsafe-inline'"]}}`},
		{"script-src-elem", "inline", "https://docs.example.com/", `script inline / `},
		{"script-src", "eval", "https://docs.example.com/", `script eval / `},
		{"connect-src", "wss://chat.example.com/socket", "https://docs.example.com/",
			`connect wss://chat.example.com / "security": {"allow":{"connect":["wss://chat.example.com"]}}`},
		{"worker-src", "blob:https://docs.example.com/1", "https://docs.example.com/",
			`worker blob / "security": {"allow":{"worker":["blob:"]}}`},
		{"font-src", "data", "https://docs.example.com/", `font data / `},
		{"script-src", "chrome-extension://abcdef/x.js", "https://docs.example.com/", ""},
		{"script-src", "https://user:pw@cdn.example.com/", "https://docs.example.com/", ""},
		{"script-src", "https://" + strings.Repeat("a", 400), "https://docs.example.com/", ""},
		{"script-src", "https://a.example/; object-src *", "https://docs.example.com/", `script https://a.example / ` +
			`"security": {"allow":{"script":["https://a.example"]}}`},
		{"script-src", "https://<b>.example", "https://docs.example.com/", ""},
		{"form-action", "https://a.example", "https://docs.example.com/", ""},
		{"script", "https://a.example", "https://docs.example.com/", ""},
		{"", "", "", ""},
		{"script-src", "https://a.example", "about:blank", ""},
	} {
		got := ""
		if e, ok := New("prj_a", c.directive, c.blocked, c.page); ok {
			got = e.Kind + " " + e.Source + " " + e.Page + " " + e.Allow()
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.directive, c.blocked, got, c.want)
		}
	}
}
