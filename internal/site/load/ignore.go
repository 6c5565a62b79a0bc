package load

import (
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/glob"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

const (
	maxIgnoreFile  = 1 << 20 // bytes
	maxIgnoreRules = 10_000  // rules that apply in one folder
)

// ignore holds the rules that exclude files: .mintignore and .lecternignore of a folder and its parents, and built-in
// rules. It is immutable; each folder with an ignore file has a value of its own.
//
// The grammar is that of .gitignore, with one rule per line: "#" starts a comment; "!" at the start includes files
// again; "\" before either of them, or before a space at the end, makes the character literal; "/" at the end means
// folders only; "/" elsewhere makes the rule relative to the folder of the ignore file; "*", "?" and "[…]" match within
// a piece; "**" matches any number of pieces. The last matching rule takes effect. Files in an excluded folder cannot
// be included again.
type ignore struct {
	rules []rule
	all   bool // the folder is excluded, except for pages that the navigation names
	lost  bool // some of the rules could not be read
}

type rule struct {
	base    string // folder of the ignore file; "" = the root
	pieces  []string
	last    string // the last piece if it is literal; "" = it is a pattern
	negate  bool
	dirOnly bool
}

// standing returns the built-in rules.
func standing() *ignore {
	ig := &ignore{}
	for _, line := range []string{"README.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md"} {
		ig.add("", line)
	}
	return ig
}

// inside returns the rules for a folder with these entries. ok is false if some rules could not be read. Everything in
// the folder is then excluded, because the missing rules may exclude private files.
func (ig *ignore) inside(src fs.FS, dir string, entries []fs.DirEntry) (out *ignore, ok bool) {
	out = ig
	base := dir
	if dir == "." {
		base = ""
	}
	for _, name := range []string{".mintignore", ".lecternignore"} { // the second one takes precedence
		for _, e := range entries {
			if e.Name() != name || e.IsDir() {
				continue
			}
			if out == ig {
				out = &ignore{rules: append([]rule{}, ig.rules...), all: ig.all}
			}
			text, err := safefile.Read(src, path.Join(dir, name), maxIgnoreFile)
			if err != nil || len(text) > maxIgnoreFile {
				out.lost = true
				continue
			}
			for line := range strings.SplitSeq(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
				out.add(base, line)
			}
		}
	}
	out.all = out.all || out.lost
	return out, !out.lost
}

func (ig *ignore) add(base, line string) {
	line = strings.TrimRight(line, "\t\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = strings.TrimRight(line[:len(line)-1], "\t\r")
	}
	if line == "" || line[0] == '#' {
		return
	}
	if len(ig.rules) >= maxIgnoreRules {
		ig.lost = true
		return
	}
	r := rule{base: base}
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return
	}
	tied := strings.Contains(line, "/")
	for _, piece := range strings.Split(strings.TrimPrefix(line, "/"), "/") {
		r.pieces = append(r.pieces, strings.ReplaceAll(piece, "[!", "[^"))
	}
	if !tied {
		r.pieces = append([]string{"**"}, r.pieces...)
	}
	if last := r.pieces[len(r.pieces)-1]; !strings.ContainsAny(last, `*?[\`) {
		r.last = last
	}
	ig.rules = append(ig.rules, r)
}

// match reports whether the file or folder is excluded.
func (ig *ignore) match(name string, dir bool) bool {
	if ig.all {
		return true
	}
	out := false
	pieces := strings.Split(name, "/")
	for i := range ig.rules {
		r := &ig.rules[i]
		if r.dirOnly && !dir || r.negate != out || r.last != "" && r.last != pieces[len(pieces)-1] {
			continue
		}
		rest := pieces
		if r.base != "" {
			if len(name) <= len(r.base) || name[:len(r.base)] != r.base || name[len(r.base)] != '/' {
				continue
			}
			rest = pieces[strings.Count(r.base, "/")+1:]
		}
		if globs(r.pieces, rest) {
			out = !r.negate
		}
	}
	return out
}

// globs matches like glob.Match, except that a final "**" does not match the folder itself.
func globs(pattern, pieces []string) bool {
	if last := len(pattern) - 1; last > 0 && pattern[last] == "**" { // not the folder itself
		pattern = append(pattern[:last:last], "*", "**")
	}
	return glob.Match(pattern, pieces)
}
