// Package codespan encodes untrusted text as an inline code span of Markdown.
//
// Inputs: any text. Outputs: a code span on one line that the text cannot end, so that code hosts see no markup,
// links or mentions in it.
package codespan

import (
	"strings"
	"unicode"
)

// Of returns text as a code span. Backslashes have no effect inside a code span, and only a run of exactly as many
// backticks as at its start ends it. The span therefore starts with one backtick more than the longest run in the text.
func Of(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}
