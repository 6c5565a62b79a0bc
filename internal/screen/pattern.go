package screen

import (
	"path"
	"strings"
)

// pattern is a path pattern of the operator: pieces between slashes, "**" for any number of them. A pattern without a slash is tried on a
// file's last piece, wherever it is.
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

// matches takes time in proportion to the product of both lengths: after a failure only the last "**" takes one piece more.
func (p pattern) matches(name string) bool {
	pieces := strings.Split(name, "/")
	at, i, star, taken := 0, 0, -1, 0
	for i < len(pieces) {
		switch {
		case at < len(p) && p[at] == "**":
			star, taken = at, i
			at++
		case at < len(p) && piece(p[at], pieces[i]):
			at, i = at+1, i+1
		case star >= 0:
			taken++
			at, i = star+1, taken
		default:
			return false
		}
	}
	for at < len(p) && p[at] == "**" {
		at++
	}
	return at == len(p)
}

func piece(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// allowed reports whether the operator lets an agent change the file.
func (c *checker) allowed(name string) bool {
	for _, p := range c.allow {
		if p.matches(name) {
			return true
		}
	}
	return false
}
