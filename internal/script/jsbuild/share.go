package jsbuild

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Authors write component files that use each other without importing each other. This works on the original platform
// if the page imports both files, because that platform puts all code of a page into one scope. Here, every file has
// its own scope. The page therefore shares those of its names that its files use without defining them.

// shareNames writes getters for names of the page. Getters are needed because the values may not be initialized
// yet.
func (t *text) shareNames(names []string) {
	if len(names) == 0 {
		return
	}
	t.line(";__lectern.lend({__proto__:null,")
	for _, n := range names {
		t.line("get " + n + "(){return " + n + "},")
	}
	t.line("});")
}

// wanted returns the page's names that some script file mentions but does not define. The list may include local names
// and words in comments. This only makes the script longer: the extra names have no effect, because inner scopes take
// precedence.
func (r *run) wanted() (out []string) {
	for _, n := range r.src.Names {
		if !slices.Contains(out, n) &&
			slices.ContainsFunc(r.modules.code, func(f readFile) bool { return !f.defines[n] && mentions(f.text, n) }) {
			out = append(out, n)
		}
	}
	return out
}

// mentions reports whether name occurs in src as a whole word.
func mentions(src, name string) bool {
	for rest, before := src, true; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		if i > 0 {
			before = !wordByte(rest[i-1])
		}
		if rest = rest[i+len(name):]; before && (rest == "" || !wordByte(rest[0])) {
			return true
		}
		before = false
	}
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// statement matches the list of names of an import, or the beginning of a declaration.
var statement = lazyregexp.New(`\b(?:import\b[^'"` + "`" + `;]*|(?:const|let|var|function|class)\s+[\w$]+)`)

// defined returns the names that a source file imports or declares. The set may contain some words that are not
// names.
func defined(src string) map[string]bool {
	out := map[string]bool{}
	for _, s := range statement.FindAllString(src, -1) {
		for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && !wordByte(byte(r)) }) {
			out[name] = true
		}
	}
	return out
}
