package frontmatter

import (
	"bytes"
	"regexp"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Front matter that does not begin on the first line is text of the page, as for other readers of the format: what it
// says has no effect. The author rarely means that, and a page that names groups would be shown to everyone.

// noReader is the groups of a page that says who may read it in a way that is not understood: no reader is in a group
// without a name.
func noReader() []string { return []string{""} }

var readerKeys = regexp.MustCompile(`(?im)^[ \t{]*["']?(groups|public)["']?[ \t]*:`)

// checkStart reports front matter behind white space or marks that are not visible. A page whose block says who may
// read it gets a group without members: better hidden than shown to everyone.
func checkStart(file string, page *Page) (list diag.List) {
	src := page.Body
	start := bytes.TrimLeftFunc(src, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' })
	if len(start) == len(src) || !bytes.HasPrefix(start, []byte("---")) {
		return nil
	}
	head, _, found, closed := split(start)
	if found && !closed { // what stands before the first blank line
		_, rest, _ := cutLine(start)
		head, _, _ = bytes.Cut(bytes.ReplaceAll(rest, []byte("\r"), nil), []byte("\n\n"))
	}
	restricted := readerKeys.Match(head)
	if !found || !restricted && !(closed && looksLikeYAML(start)) {
		return nil
	}
	line, column := diag.Locate(src, len(src)-len(start))
	pos := diag.Pos{File: file, Line: line, Column: column}
	if restricted {
		page.Fields.Groups = noReader()
		list.Errorf(pos, "misplaced-groups",
			"The front matter does not begin on the first line and is not read. It says who may read the page, so no reader gets it.")
	} else {
		list.Warnf(pos, "front-matter-place",
			"The front matter does not begin on the first line. It is not read, and shown as text.")
	}
	list.Hint("Remove everything before the first ---, also spaces and blank lines.")
	return list
}
