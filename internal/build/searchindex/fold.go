package searchindex

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Classes of characters. web/theme/src/search/token.ts has the same ranges: change both.
const (
	other  = iota // separates words
	word          // letters, digits and their marks
	dense         // scripts written without spaces: indexed by pairs of characters
	hangul        // written with spaces, but with endings: indexed by word and by pairs
)

// classOf returns the class of a character.
func classOf(r rune) int {
	switch {
	case r < 0x80:
		if r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' {
			return word
		}
		return other
	case r >= 0xAC00 && r <= 0xD7A3:
		return hangul
	case isDense(r):
		return dense
	case r >= 0x3000 && r <= 0x303F || r == 0x30FB:
		return other
	}
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return word
	}
	return other
}

// isDense reports whether r is Han, Kana, Thai, Lao, Burmese or Khmer.
func isDense(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00:
		return r >= 0x0E01 && r <= 0x0E4E && r != 0x0E3F || r >= 0x0E81 && r <= 0x0ECE
	case r < 0x3000:
		return r >= 0x1000 && r <= 0x103F || r >= 0x1780 && r <= 0x17D3
	case r < 0xAC00:
		return r >= 0x3005 && r <= 0x3007 || r >= 0x3041 && r <= 0x30FF && r != 0x30FB || r >= 0x31F0 && r <= 0x31FF ||
			r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF
	}
	return r >= 0xF900 && r <= 0xFAFF || r >= 0xFF66 && r <= 0xFF9F || r >= 0x20000 && r <= 0x3FFFF
}

// clings reports whether r is a mark of a dense script that belongs to the preceding character.
func clings(r rune) bool {
	return r == 0x0E31 || r >= 0x0E34 && r <= 0x0E3A || r >= 0x0E47 && r <= 0x0E4E ||
		r == 0x0EB1 || r >= 0x0EB4 && r <= 0x0EBC || r >= 0x0EC8 && r <= 0x0ECE ||
		r >= 0x102B && r <= 0x103E || r >= 0x17B4 && r <= 0x17D3 || r == 0xFF9E || r == 0xFF9F || r == 0x3099 ||
		r == 0x309A
}

// appendFolded appends a character without case, accents and width.
func appendFolded(to []byte, r rune) []byte {
	switch {
	case r < 0x80:
		if r >= 'A' && r <= 'Z' {
			r |= 0x20
		}
		return append(to, byte(r))
	case r >= 0xC0 && r <= 0x5FF || r >= 0x600 && r <= 0x6FF || r >= 0x1E00 && r <= 0x1FFF ||
		r >= 0xFF00 && r <= 0xFFEF:
		if s, ok := special(r); ok {
			return append(to, s...)
		}
		return decomposed(to, r)
	case r >= 0x300 && r <= 0x36F:
		return to
	}
	return utf8.AppendRune(to, unicode.ToLower(r))
}

// decomposed appends the characters that r is composed of, without marks.
func decomposed(to []byte, r rune) []byte {
	var buf [utf8.UTFMax]byte
	n := utf8.EncodeRune(buf[:], r)
	parts := norm.NFKD.Properties(buf[:n]).Decomposition()
	if parts == nil {
		parts = buf[:n]
	}
	for len(parts) > 0 {
		c, size := utf8.DecodeRune(parts)
		parts = parts[size:]
		if c >= 0x300 && c <= 0x36F || c == 0x3099 || c == 0x309A {
			continue
		}
		if s, ok := special(c); ok {
			to = append(to, s...)
			continue
		}
		to = utf8.AppendRune(to, unicode.ToLower(c))
	}
	return to
}

// special returns the replacement of letters that readers write differently and Unicode does not decompose, and of
// marks that they omit.
func special(r rune) (string, bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ', 'Æ':
		return "ae", true
	case 'œ', 'Œ':
		return "oe", true
	case 'ø', 'Ø':
		return "o", true
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d", true
	case 'ł', 'Ł':
		return "l", true
	case 'þ', 'Þ':
		return "th", true
	case 'ı', 'İ':
		return "i", true
	case 'ς':
		return "σ", true
	case 'أ', 'إ', 'آ', 'ٱ':
		return "ا", true
	case 'ى':
		return "ي", true
	case 'ة':
		return "ه", true
	}
	if r >= 0x591 && r <= 0x5C7 && r != 0x5BE && r != 0x5C0 && r != 0x5C3 && r != 0x5C6 ||
		r >= 0x64B && r <= 0x65F || r == 0x670 || r == 0x640 {
		return "", true
	}
	return "", false
}
