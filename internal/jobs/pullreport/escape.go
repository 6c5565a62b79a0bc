package pullreport

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// code returns untrusted text of at most size bytes as an inline code span. Not every code host documents that it looks
// for no mentions in one, so an at sign is followed by a character that cannot be seen and is part of no name.
func code(text string, size int) string {
	text = strings.ReplaceAll(rest.Line(text, size), "@", "@\u200b")
	if text == "" {
		text = "(none)"
	}
	return codespan.Of(text)
}
