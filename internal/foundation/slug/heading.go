package slug

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Heading converts the text of a heading to its id: lower case; white space and dots become "-"; apostrophes become
// ’; "/" and "&" and letters, digits, "_" and "-" of any script are kept; everything else (brackets, emoji, quotes)
// is dropped.
func Heading(text string) string {
	var b strings.Builder
	dash := false // write a "-" before the next character
	for _, r := range strings.ToLower(text) {
		switch {
		case r == '\'' || r == '’' || r == '‘':
			r = '’'
		case unicode.IsSpace(r) || r == '.' || r == '-':
			dash = true
			continue
		case r == '/' || r == '&' ||
			r == '_', unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && !selector(r):
		default:
			continue
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		b.WriteRune(r)
	}
	return b.String()
}

// selector reports whether a character is an emoji variation selector or the keycap mark. Unicode classifies them
// as marks, but they are never text.
func selector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r == 0x20E3 }

// Set generates ids that are unique on one page. The zero value is ready to use. It is not safe for concurrent use.
type Set struct{ used map[string]int }

// Heading returns the id for a heading. The second heading with the same text gets "-2", the third "-3".
func (s *Set) Heading(text string) string {
	base := Heading(text)
	if base == "" {
		base = "section"
	}
	return s.Claim(base)
}

// Claim reserves an id that an author chose, and makes it unique in the same way.
func (s *Set) Claim(id string) string {
	if s.used == nil {
		s.used = map[string]int{}
	}
	n := s.used[id]
	if n == 0 {
		s.used[id] = 1
		return id
	}
	for {
		n++
		next := id + "-" + strconv.Itoa(n)
		if s.used[next] == 0 {
			s.used[id], s.used[next] = n, 1
			return next
		}
	}
}

// Take records an id that is on the page exactly as written, even if it is a duplicate.
func (s *Set) Take(id string) {
	if s.used == nil {
		s.used = map[string]int{}
	}
	if s.used[id] == 0 {
		s.used[id] = 1
	}
}

// All returns the used ids, sorted.
func (s *Set) All() []string { return slices.Sorted(maps.Keys(s.used)) }
