package load

import (
	"io/fs"
	"path"
	"strings"
)

// Keeps returns a function that reports whether the ignore files of the docs folder permit publishing a file. Load
// applies ignore files itself. The function is for files that Load skips because they are in folders whose names begin
// with a dot.
func Keeps(src fs.FS) func(name string) bool {
	folders := map[string]*ignore{}
	folders["."], _ = standing().inside(src, ".", entriesOf(src, "."))
	return func(name string) bool {
		rules := folders["."]
		for at := 0; ; {
			slash := strings.IndexByte(name[at:], '/')
			if slash < 0 {
				return !rules.match(name, false)
			}
			dir := name[:at+slash]
			if rules.match(dir, true) {
				return false
			}
			below, known := folders[dir]
			if !known {
				below, _ = rules.inside(src, path.Clean(dir), entriesOf(src, dir))
				folders[dir] = below
			}
			rules, at = below, at+slash+1
		}
	}
}
