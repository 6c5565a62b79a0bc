// Package clip cuts texts that others wrote to a length, so that messages do not grow with them.
//
// In: a text and a length in bytes.
// Out: the text, or its beginning with an ellipsis.
// Never: half a character.
package clip

import "strings"

// Bytes returns s, or its first n bytes without a character cut in half, and an ellipsis.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
