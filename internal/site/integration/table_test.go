package integration

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/web/theme"
)

func TestEveryServiceHasAScriptAndValidSources(t *testing.T) {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
		if _, err := fs.Stat(theme.FS(), theme.Integration(s.Name)); err != nil {
			t.Error(err)
		}
		allow := s.Allow(nil)
		if len(allow["script"]) == 0 {
			t.Errorf("%s: its script is not allowed", s.Name)
		}
		for kind, sources := range allow {
			for _, source := range sources {
				if err := csp.Check(kind, source); err != nil {
					t.Errorf("%s: %s %s: %v", s.Name, kind, source, err)
				}
			}
		}
	}
	if !slices.IsSorted(names) {
		t.Error(names)
	}
}

// No value can end the URL or the string that contains it.
func TestValuesCannotCarryCode(t *testing.T) {
	for _, s := range All() {
		for _, f := range s.Fields {
			if f.Flag {
				continue
			}
			for _, bad := range []string{"", `"`, `'`, "`", "<", "\\", "\n", " ", "a b", "G-1\n", `G-1");alert(1)//`,
				"https://assets.adobedtm.com/../x.js?y", "javascript:alert(1)", "phc_a;b", "../x", "a/../../b", "a#b",
				"a?b", "user@host", "${x}", strings.Repeat("a", 400)} {
				if f.Form.MatchString(bad) {
					t.Errorf("%s.%s accepts %q", s.Name, f.Name, bad)
				}
			}
		}
	}
}

// The sources match the lists that vendors publish for sites with a content security policy, without the sources that
// every page may use.
func TestSourcesMatchVendorLists(t *testing.T) {
	for name, want := range map[string]csp.Allow{
		"intercom": {"script": {"https://app.intercom.io", "https://widget.intercom.io", "https://js.intercomcdn.com"},
			"font": {"https://js.intercomcdn.com", "https://fonts.intercomcdn.com"},
			"connect": {"wss://nexus-websocket-a.intercom.io", "wss://nexus-europe-websocket.intercom.io",
				"wss://a.intercom-messenger.com"}},
		"heap":   {"script": {"https://cdn.heapanalytics.com", "https://heapanalytics.com"}},
		"hotjar": {"script": {"https://static.hotjar.com", "https://surveystats.hotjar.com"}},
	} {
		s, _ := Find(name)
		for kind, sources := range want {
			for _, source := range sources {
				if !slices.Contains(s.Allow(nil)[kind], source) && !s.Allow(nil).Covers(kind, source+"/x") {
					t.Errorf("%s: %s %s is blocked", name, kind, source)
				}
			}
		}
	}
}

func TestSourcesFollowTheAuthorsHost(t *testing.T) {
	for _, c := range []struct{ name, field, value, want string }{
		{"plausible", "server", "", "https://plausible.io"},
		{"plausible", "server", "stats.example.com", "https://stats.example.com"},
		{"plausible", "server", "https://stats.example.com/", "https://stats.example.com"},
		{"posthog", "apiHost", "", "https://us-assets.i.posthog.com"},
		{"posthog", "apiHost", "https://eu.i.posthog.com", "https://eu-assets.i.posthog.com"},
		{"posthog", "apiHost", "https://docs.example.com/ph-proxy", "https://docs.example.com"},
	} {
		s, _ := Find(c.name)
		if got := s.Allow(map[string]string{c.field: c.value})["script"]; len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %q: %v", c.name, c.value, got)
		}
	}
}
