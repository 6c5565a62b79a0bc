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
	maxIgnoreRules = 10_000  // that hold in one folder
)

// ignore holds the rules that leave files out: .mintignore and .lecternignore of a folder and of those above it, and our own. It does
// not change once made: folders with files of their own have another.
//
// Grammar, that of .gitignore, a line each: "#" starts a comment; "!" at the start takes files back; "\" before either, or before a
// space at the end, means the character; "/" at the end means folders only; a "/" elsewhere ties the rule to the folder of its file;
// "*", "?" and "[…]" match within a piece; "**" matches any number of pieces. The last match holds; what is in a folder that is left out
// cannot be taken back.
type ignore struct {
	rules []rule
	all   bool // the folder is left out; only pages that navigation names are looked for in it
	lost  bool // not every rule could be read
}

type rule struct {
	base    string // folder of the file it stands in; "" = the root
	pieces  []string
	last    string // the last piece when it is no pattern; "" = it is one
	negate  bool
	dirOnly bool
}

// standing are the rules of every site.
func standing() *ignore {
	ig := &ignore{}
	for _, line := range []string{"README.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md"} {
		ig.add("", line)
	}
	return ig
}

// inside are the rules for a folder with these entries. ok is false when they could not all be read: then everything in the folder is
// left out, since one of them may be about a file that nobody must see.
func (ig *ignore) inside(src fs.FS, dir string, entries []fs.DirEntry) (out *ignore, ok bool) {
	out = ig
	base := dir
	if dir == "." {
		base = ""
	}
	for _, name := range []string{".mintignore", ".lecternignore"} { // the latter has the last word
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

// match tells whether the file or folder is left out.
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

// globs matches as glob.Match does, but what ends in "**" is what is inside of a folder.
func globs(pattern, pieces []string) bool {
	if last := len(pattern) - 1; last > 0 && pattern[last] == "**" { // not the folder itself
		pattern = append(pattern[:last:last], "*", "**")
	}
	return glob.Match(pattern, pieces)
}
