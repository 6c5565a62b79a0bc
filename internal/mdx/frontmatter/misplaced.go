package frontmatter

import (
	"bytes"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Front matter that does not begin on the first line is text of the page, as in other tools, and its fields have no
// effect. Authors rarely intend that, and a page with groups in such front matter would be public.

// noReader returns the groups of a page whose restriction could not be understood. No reader is in the group with
// an empty name.
func noReader() []string { return []string{""} }

var readerKeys = lazyregexp.New(`(?im)^[ \t{]*["']?(groups|public)["']?[ \t]*:`)

// checkStart reports front matter after white space or invisible characters. If it restricts the readers of the page,
// the page gets a group without members: it is better to hide the page from everyone than to show it to everyone.
func checkStart(file string, page *Page) (list diag.List) {
	src := page.Body
	start := bytes.TrimLeftFunc(src, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' })
	if len(start) == len(src) || !bytes.HasPrefix(start, []byte("---")) {
		return nil
	}
	head, _, found, closed := split(start)
	if found && !closed { // use the text before the first blank line
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
			"The front matter does not begin on the first line and is not read. It restricts who may read the page, so nobody sees it.")
	} else {
		list.Warnf(pos, "front-matter-place",
			"The front matter does not begin on the first line. It is not read but shown as text.")
	}
	list.Hint("Remove everything before the first ---, including spaces and blank lines.")
	return list
}
