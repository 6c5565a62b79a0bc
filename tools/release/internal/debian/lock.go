package debian

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Package is one pinned package.
type Package struct {
	Arch    string // the image's architecture, even for architecture-independent packages
	Name    string
	Version string
	Size    int64
	SHA256  string // hexadecimal
	Path    string // path on a mirror: debian/pool/… or debian-security/pool/…
}

// Lock is the content of a lock file.
//
//	lock    = { comment | header | package }
//	header  = "suite" NAME | "release" NUMBER | "snapshot" TIME
//	package = ARCH NAME VERSION SIZE SHA256 PATH
//
// Words are separated by blanks; comments start with #.
type Lock struct {
	Suite    string // such as trixie
	Release  string // release number, such as 13
	Snapshot string // when the indexes were read, in the format of snapshot.debian.org
	Packages []Package
}

// For lists the packages of an architecture, sorted by name.
func (l Lock) For(arch string) []Package {
	var out []Package
	for _, p := range l.Packages {
		if p.Arch == arch {
			out = append(out, p)
		}
	}
	return out
}

// ParseLock parses a lock file.
func ParseLock(text string) (Lock, error) {
	var l Lock
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		var err error
		switch {
		case len(words) == 2 && words[0] == "suite":
			l.Suite = words[1]
		case len(words) == 2 && words[0] == "release":
			l.Release = words[1]
		case len(words) == 2 && words[0] == "snapshot":
			l.Snapshot = words[1]
		case len(words) == 6:
			var p Package
			if p, err = parsePackage(words); err == nil &&
				slices.ContainsFunc(l.Packages, func(o Package) bool { return o.Arch == p.Arch && o.Name == p.Name }) {
				err = errors.New("it appears twice")
			}
			l.Packages = append(l.Packages, p)
		default:
			err = errors.New("it is neither a header nor a package")
		}
		if err != nil {
			return Lock{}, fmt.Errorf("read lock, line %d: %w", n+1, err)
		}
	}
	if l.Suite == "" || l.Release == "" || l.Snapshot == "" || len(l.Packages) == 0 {
		return Lock{}, errors.New("read lock: it has no suite, release, snapshot or packages")
	}
	return l, nil
}

func parsePackage(words []string) (Package, error) {
	p := Package{Arch: words[0], Name: words[1], Version: words[2], SHA256: words[4], Path: words[5]}
	var err error
	if p.Size, err = strconv.ParseInt(words[3], 10, 64); err != nil || p.Size <= 0 {
		return p, fmt.Errorf("%q is not a size", words[3])
	}
	if raw, err := hex.DecodeString(p.SHA256); err != nil || len(raw) != 32 {
		return p, fmt.Errorf("%q is not a SHA-256", p.SHA256)
	}
	if path.Clean(p.Path) != p.Path ||
		!strings.HasPrefix(p.Path, "debian/pool/") && !strings.HasPrefix(p.Path, "debian-security/pool/") {
		return p, fmt.Errorf("%q is not a path of a package", p.Path)
	}
	return p, nil
}

// String formats the lock file.
func (l Lock) String() string {
	var b strings.Builder
	b.WriteString(
		"# Debian packages whose files are in the platform image. `make pin-debian` writes this file from indexes that Debian signed.\n")
	fmt.Fprintf(&b, "suite %s\nrelease %s\nsnapshot %s\n", l.Suite, l.Release, l.Snapshot)
	for _, p := range l.Packages {
		fmt.Fprintf(&b, "%s %s %s %d %s %s\n", p.Arch, p.Name, p.Version, p.Size, p.SHA256, p.Path)
	}
	return b.String()
}
