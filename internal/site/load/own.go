package load

import (
	"io/fs"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
)

// maxOwn limits one style sheet or script of the author, in bytes.
const maxOwn = 2 << 20

// ownFiles returns the author's style sheets and scripts for every page, in path order. It skips modules that pages
// import, and programs that do not run in a browser. A page could not load them as scripts.
func ownFiles(src fs.FS, cfg *docsjson.Config, files found) (styles, scripts []string, list diag.List) {
	have := map[string]bool{}
	take := func(name string, wanted func(text []byte) bool) bool {
		have[name] = true
		text, err := safefile.Read(src, name, maxOwn)
		if err != nil {
			list.Warnf(diag.Pos{File: name}, "file-unreadable", "The file cannot be read, or is larger than %d MB.",
				maxOwn>>20)
			return false
		}
		return wanted(text)
	}
	for _, name := range files.styles {
		if take(name, func([]byte) bool { return true }) {
			styles = append(styles, name)
		}
	}
	for _, name := range files.scripts {
		if take(name, browserScript) {
			scripts = append(scripts, name)
		}
	}
	for _, f := range slices.Concat(cfg.Styles, cfg.Scripts) {
		if !have[f.Path] {
			list.Warnf(f.Pos, "missing-file", "The site file refers to %q, which does not exist.", f.Path)
			list.Hint("Write its path relative to the docs folder, such as /styles.css.")
		}
	}
	return styles, scripts, list
}

// elsewhere matches, at the start of a line, code that a page cannot load as a script: imports and exports of modules,
// Node modules, and the first line of a program.
var elsewhere = lazyregexp.New(
	`(?m)^(?:(?:import|export)(?:[\s{*"']|$)|module\.exports|exports\.\w|(?:const|let|var)\s[^=\n]*=\s*require\(|#!)`)

func browserScript(text []byte) bool { return !elsewhere.Match(text) }
