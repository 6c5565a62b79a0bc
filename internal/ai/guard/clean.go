package guard

import (
	"strings"
	"unicode/utf8"
)

// passes is how often comments are searched for in the remaining text, before they are removed wherever they are.
const passes = 4

// Clean removes from a text what its readers never saw, before a model reads it: invisible characters, escapes of
// terminals, comments of HTML, MDX and Markdown. What is visible stays as it is, code with comments too, and every line
// keeps its number. A comment without an end reaches to the end of the text, as in HTML. Cleaning twice is cleaning
// once.
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

// Visible leaves out terminal escapes and invisible characters alone, and writes U+FFFD for what is no UTF-8. It is for
// lists and patches, where half of a comment may stand.
func Visible(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := rune(0) // written last
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

// plain reports whether nothing has to be left out: printable ASCII and white space, the usual case.
func plain(text string) bool {
	for i := range len(text) {
		if b := text[i]; b >= 0x7f || b < 0x20 && b != '\n' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

// escapeEnd returns where the terminal escape ends whose introducer was before i.
func escapeEnd(text string, i int, control bool) int {
	if !control {
		if i == len(text) {
			return i
		}
		switch text[i] {
		case '[':
			i++
		case ']', 'P', 'X', '^', '_': // strings, up to BEL or ESC \; never past the line, so that a stray one hides nothing
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
