// Package clip shortens text from untrusted sources, so that messages stay short.
//
// Inputs: a text and a length in bytes or characters. Outputs: the text, or its beginning with an ellipsis. It
// never splits a character.
package clip

import (
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// Bytes returns s if it has at most n bytes. Otherwise it returns its first n bytes without a partial character,
// and an ellipsis.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + ellipsis
}

// Runes returns s if it has at most n characters, and otherwise its first n characters and an ellipsis.
func Runes(s string, n int) string {
	if head, cut := first(s, n); cut {
		return head + ellipsis
	}
	return s
}

// Words returns s if it has at most n characters. Otherwise it cuts s at a space and adds an ellipsis, for at most
// n characters in total. It cuts inside a word if the last space is in the first half.
func Words(s string, n int) string {
	if _, cut := first(s, n); !cut {
		return s
	}
	if n < 2 {
		return "" // no room for a character and an ellipsis
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
