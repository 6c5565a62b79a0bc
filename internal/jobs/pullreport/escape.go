package pullreport

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// code returns untrusted text of at most size bytes as an inline code span: hosts find neither mentions nor links nor markup
// in one. Since not every host documents that for mentions, an at sign is followed by a character that cannot be seen and is
// part of no name. Backslashes mean nothing in a code span, so the only way out of it would be as many backticks as it
// begins with: it begins with one more than the text has in a row.
func code(text string, size int) string {
	text = strings.ReplaceAll(rest.Line(text, size), "@", "@\u200b")
	if text == "" {
		return "``(none)``"
	}
	longest, run := 0, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
