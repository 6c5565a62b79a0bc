package guard

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/glob"
)

// pattern is one of the operator's path patterns, split at slashes; "**" matches any number of elements. A pattern
// without a slash matches a file's name in any folder.
type pattern []string

func patterns(list []string) []pattern {
	var out []pattern
	for _, p := range list {
		p = strings.TrimPrefix(strings.TrimSpace(p), "/")
		if p == "" {
			continue
		}
		if inside, ok := strings.CutSuffix(p, "/"); ok {
			p = inside + "/**"
		}
		pieces := strings.Split(p, "/")
		if len(pieces) == 1 {
			pieces = []string{"**", p}
		}
		out = append(out, pieces)
	}
	return out
}

func (p pattern) matches(name string) bool { return glob.Match(p, strings.Split(name, "/")) }

// allowed reports whether the operator allows an agent to change the file.
func (c *checker) allowed(name string) bool {
	for _, p := range c.allow {
		if p.matches(name) {
			return true
		}
	}
	return false
}
