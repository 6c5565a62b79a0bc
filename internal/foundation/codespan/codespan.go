// Package codespan writes untrusted text as an inline code span of Markdown.
//
// Inputs: any text.
// Outputs: a code span on one line that the text cannot leave, so that code hosts find no markup, links or mentions in it.
package codespan

import (
	"strings"
	"unicode"
)

// Of returns a text as a code span. Backslashes mean nothing in one, so the only way out would be as many backticks as it
// begins with: it begins with one more than the text has in a row.
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
