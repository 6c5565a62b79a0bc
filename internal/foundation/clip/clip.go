// Package clip cuts texts that others wrote to a length, so that messages do not grow with them.
//
// Inputs: a text and a length in bytes or characters.
// Outputs: the text, or its beginning with an ellipsis.
// Never: half a character.
package clip

import (
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// Bytes returns s, or its first n bytes without a character cut in half, and an ellipsis.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + ellipsis
}

// Runes returns s, or its first n characters and an ellipsis.
func Runes(s string, n int) string {
	if head, cut := first(s, n); cut {
		return head + ellipsis
	}
	return s
}

// Words returns s, or its beginning up to a space and an ellipsis, n characters at most in all. Where the last space is
// in the first half, it cuts inside a word.
func Words(s string, n int) string {
	if _, cut := first(s, n); !cut {
		return s
	}
	if n < 2 {
		return "" // there is no room for a character and an ellipsis
	}
	head, _ := first(s, n-1)
	if i := strings.LastIndexByte(head, ' '); i > n/2 {
		head = head[:i]
	}
	return head + ellipsis
}

// first returns the first n characters of s; cut reports whether s has more.
func first(s string, n int) (head string, cut bool) {
	if len(s) <= n {
		return s, false
	}
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return strings.ToValidUTF8(s[:at], "\uFFFD"), at < len(s)
}
