package scan

import (
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/plainfile"
)

const (
	maxIgnoreFile  = 64 << 10 // bytes
	maxIgnoreRules = 1000
)

// ignore holds the rules of .mintignore and our own.
//
// Grammar, a line each: "#" starts a comment; "!" at the start takes files back; "/" at the end means folders only; a "/" elsewhere
// ties the rule to the root; "*", "?" and "[…]" match within a piece; "**" matches any number of pieces. The last match holds.
type ignore struct{ rules []rule }

type rule struct {
	pieces  []string
	negate  bool
	dirOnly bool
}

var standing = []string{"README.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md"}

func loadIgnore(src fs.FS) *ignore {
	ig := &ignore{}
	for _, line := range standing {
		ig.add(line)
	}
	text, err := plainfile.Read(src, ".mintignore", maxIgnoreFile)
	if err != nil {
		return ig
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		ig.add(line)
	}
	return ig
}

func (ig *ignore) add(line string) {
	line = strings.TrimRight(line, " \t\r")
	if line == "" || line[0] == '#' || len(ig.rules) >= maxIgnoreRules {
		return
	}
	var r rule
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	rooted := strings.Contains(line, "/")
	r.pieces = strings.Split(strings.TrimPrefix(line, "/"), "/")
	if !rooted {
		r.pieces = append([]string{"**"}, r.pieces...)
	}
	if strings.Count(line, "**") <= 4 && line != "" { // more could take very long to match
		ig.rules = append(ig.rules, r)
	}
}

// match tells whether the file or folder is left out.
func (ig *ignore) match(name string, dir bool) bool {
	pieces := strings.Split(name, "/")
	out := false
	for _, r := range ig.rules {
		if (!r.dirOnly || dir) && r.negate == out && globs(r.pieces, pieces) {
			out = !r.negate
		}
	}
	return out
}

func globs(pattern, pieces []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(pieces) + 1 {
				if globs(pattern[1:], pieces[i:]) {
					return true
				}
			}
			return false
		}
		if len(pieces) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], pieces[0]); err != nil || !ok {
			return false
		}
		pattern, pieces = pattern[1:], pieces[1:]
	}
	return len(pieces) == 0
}
