package bundlecheck

import (
	"hash/maphash"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// names is the set of names of the entries so far. It stores hashes, because a bundle may have a million entries.
type names struct {
	seed  maphash.Seed
	taken map[uint64]kind
}

type kind uint8

const (
	isFile   kind = iota + 1
	isFolder      // has its own entry
	implied       // contains a file
)

func newNames() *names { return &names{seed: maphash.MakeSeed(), taken: map[uint64]kind{}} }

// take adds a name. Names that differ only in letter case are equal, because one file would overwrite the other on
// some file systems.
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

// nameFault returns the reason why a name cannot be unpacked safely on every system, or "".
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
