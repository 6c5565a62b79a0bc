package pullreport

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// code returns untrusted text as an inline code span of at most size bytes. Not every code host documents that it
// ignores mentions there, so each at sign is followed by an invisible character that is not part of any name.
func code(text string, size int) string {
	text = strings.ReplaceAll(rest.Line(text, size), "@", "@\u200b")
	if text == "" {
		text = "(none)"
	}
	return codespan.Of(text)
}
