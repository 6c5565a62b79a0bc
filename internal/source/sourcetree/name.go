package sourcetree

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Maximum length of a path and of a path element, in bytes. The latter is the limit of common file systems.
const (
	maxPath    = 1024
	maxElement = 255
)

// badName returns why p cannot be the path of a file in a snapshot, or "".
func badName(p string) string {
	switch {
	case p == "" || len(p) > maxPath:
		return "its path is empty or longer than 1024 bytes"
	case !utf8.ValidString(p):
		return "its name is not valid UTF-8"
	case strings.ContainsFunc(p, unicode.IsControl):
		return "its name has control characters"
	case strings.Contains(p, `\`):
		return "its name has a backslash"
	}
	for element := range strings.SplitSeq(p, "/") {
		switch {
		case element == "" || element == "." || element == "..":
			return "its path is not a plain relative path"
		case len(element) > maxElement:
			return "its name is longer than 255 bytes"
		case strings.EqualFold(element, ".git"):
			return "it is inside a .git folder"
		}
	}
	return ""
}

// printable makes a name safe to show in a diagnostic.
func printable(p string) string {
	p = strings.ToValidUTF8(p, "\uFFFD")
	p = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, p)
	return clip.Bytes(p, 200)
}
