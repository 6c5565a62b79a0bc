package git

import (
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits on paths in bytes, as in a snapshot.
const (
	maxPath    = 1024
	maxElement = 255
)

// checkName rejects a path that is not valid for a file below a folder.
func checkName(p string) error {
	bad := !fs.ValidPath(p) || p == "." || len(p) > maxPath || !utf8.ValidString(p) || strings.ContainsRune(p, '\\') ||
		strings.ContainsFunc(p, unicode.IsControl)
	for element := range strings.SplitSeq(p, "/") {
		bad = bad || len(element) > maxElement
	}
	if bad {
		return fault.Newf(fault.Invalid, "bad_file_name", "%q is not a file path.", p)
	}
	return nil
}

// reserved are names with a meaning to git itself in any folder: such a file can make a checkout on another machine run
// programs or fetch from other repositories.
var reserved = []string{".git", ".gitmodules", ".gitattributes"}

// isReserved reports whether an element of the path is a reserved name, or a name that some file system treats as
// one.
func isReserved(p string) bool {
	for element := range strings.SplitSeq(p, "/") {
		name := strings.ToLower(visible(element))
		name, _, _ = strings.Cut(name, ":") // NTFS: alternate data stream of a file
		name = strings.TrimRight(name, ". ")
		for _, r := range reserved {
			if name == r {
				return true
			}
		}
		if short, digits, ok := strings.Cut(name, "~"); ok && digits != "" &&
			strings.Trim(digits, "0123456789") == "" && strings.HasPrefix(short, "git") {
			return true // NTFS: git~1 is .git, gitmod~1 is .gitmodules
		}
		// NTFS short names of .gitmodules and .gitattributes if there are four similar names
		if strings.HasPrefix(name, "gi7eba~") || strings.HasPrefix(name, "gi7d29~") {
			return true
		}
	}
	return false
}

// visible removes the characters that HFS+ ignores in names.
func visible(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, name)
}

// checkChange refuses to write or remove a file that proposals may not change (G3).
func checkChange(p string) error {
	if err := checkName(p); err != nil {
		return err
	}
	if isReserved(p) {
		return fault.Newf(fault.Forbidden, "path_not_allowed", "%q is one of git's own files and cannot be proposed.",
			p)
	}
	return nil
}
