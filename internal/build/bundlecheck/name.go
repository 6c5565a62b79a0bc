package bundlecheck

import (
	"hash/maphash"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// names are those of the entries so far. Hashes stand for them: a bundle may have a million.
type names struct {
	seed  maphash.Seed
	taken map[uint64]kind
}

type kind uint8

const (
	isFile   kind = iota + 1
	isFolder      // named as an entry of its own
	implied       // a file stands in it
)

func newNames() *names { return &names{seed: maphash.MakeSeed(), taken: map[uint64]kind{}} }

// take enters a name. Names that differ in letter case only are one, since some file systems would lay one over the
// other.
func (n *names) take(name string, dir bool) error {
	if fault := nameFault(name); fault != "" {
		return refuse(Unsafe, name, "%s", fault)
	}
	low := strings.ToLower(name)
	key := maphash.String(n.seed, low)
	switch was := n.taken[key]; {
	case dir && was == isFile, !dir && was != 0:
		return refuse(Unsafe, name,
			"The name appears in the bundle twice, or differs from another only in letter case.")
	case dir && was == isFolder:
		return refuse(Unsafe, name,
			"The folder appears in the bundle twice, or differs from another only in letter case.")
	}
	n.taken[key] = isFile
	if dir {
		n.taken[key] = isFolder
	}
	for up := path.Dir(low); up != "."; up = path.Dir(up) {
		key := maphash.String(n.seed, up)
		switch n.taken[key] {
		case isFile:
			return refuse(Unsafe, name, "There is a file where the name needs a folder.")
		case 0:
			n.taken[key] = implied
		}
	}
	return nil
}

// nameFault says why a name cannot be unpacked safely on every system, or "".
func nameFault(name string) string {
	switch {
	case name == "":
		return "An entry has no name."
	case strings.HasPrefix(name, "/"):
		return "The name is an absolute path."
	case strings.Contains("/"+name+"/", "/../"):
		return "The name points outside its folder."
	case strings.Contains(name, "\x00"):
		return "The name contains a NUL character."
	case strings.Contains(name, `\`):
		return "The name contains a backslash."
	case !output.ValidPath(name):
		return "The name cannot be used on every system."
	}
	return ""
}
