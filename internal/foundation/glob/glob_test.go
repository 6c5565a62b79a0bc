package glob_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", false}, {"a/*", "a/b", true}, {"a/*", "a/b/c", false}, {"**", "", true},
		{"**", "a/b", true}, {"**/c", "c", true}, {"**/c", "a/b/c", true},
		{"a/**", "a", true}, {"a/**", "a/b/c", true}, {"a/**/c/**/e", "a/b/c/c/d/e", true},
		{"a/**/c/**/e", "a/b/d/e", false}, {"*.md?", "a.mdx", true}, {"[", "[", false}, {"", "", true},
	} {
		if got := glob.Match(strings.Split(c.pattern, "/"), strings.Split(c.name, "/")); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.name, got)
		}
	}
}
