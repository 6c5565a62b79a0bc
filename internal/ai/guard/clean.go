package guard

import (
	"strings"
	"unicode/utf8"
)

// passes is how many times Clean looks for comments outside code before it also removes comments in code.
const passes = 4

// Clean removes everything from a text that its readers do not see, before a model reads it: invisible characters,
// terminal escapes, and HTML, MDX and Markdown comments. Visible text is left unchanged, including comments in code,
// and all lines keep their numbers. An unclosed comment extends to the end of the text, as in HTML. Clean is
// idempotent.
func Clean(text string) string {
	text = Visible(text)
	for range passes {
		next := uncomment(text, true)
		if next == text {
			return text
		}
		text = next
	}
	return uncomment(text, false)
}

// Visible removes only terminal escapes and invisible characters, and replaces invalid UTF-8 with U+FFFD. It is meant
// for lists and patches, which may contain half of a comment.
func Visible(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := rune(0) // the last character written
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == 0x1b || r == 0x9b {
			i = escapeEnd(text, i+n, r == 0x9b)
			continue
		}
		i += n
		switch next, _ := utf8.DecodeRuneInString(text[i:]); {
		case r < 0x20 && r != '\n' && r != '\t' && r != '\r', r >= 0x7f && r < 0xa0, invisible(r) &&
			!joined(last, r, next):
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// plain reports whether nothing has to be removed: printable ASCII and white space, the usual case.
func plain(text string) bool {
	for i := range len(text) {
		if b := text[i]; b >= 0x7f || b < 0x20 && b != '\n' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

// escapeEnd returns the end of the terminal escape whose introducer precedes i.
func escapeEnd(text string, i int, control bool) int {
	if !control {
		if i == len(text) {
			return i
		}
		switch text[i] {
		case '[':
			i++
		case ']', 'P', 'X', '^', '_': // strings, up to BEL or ESC \; limited to the line, so that a stray one hides nothing
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b && text[i] != '\n'; i++ {
			}
			if i < len(text) && text[i] == 0x07 {
				i++
			}
			return i
		default:
			if text[i] < 0x20 || text[i] > 0x7e {
				return i
			}
			return i + 1
		}
	}
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x3f {
		i++
	}
	if i < len(text) && text[i] >= 0x40 && text[i] <= 0x7e {
		i++
	}
	return i
}
