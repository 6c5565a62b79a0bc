package ogimage

import (
	"strings"
	"unicode"
)

// Maximum length of each text, in characters. Longer texts do not fit on a card.
const (
	titleMax   = 240
	leadMax    = 320
	sectionMax = 90
	nameMax    = 60
	hostMax    = 60
)

// words returns s on one line, without control characters, pictographs and variation selectors. It returns "" if the
// font lacks any letter of s, because an incomplete line is worse than none.
func (f *face) words(s string, limit int) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range s {
		if count == limit {
			break
		}
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.In(r, unicode.C, unicode.Me, unicode.Variation_Selector) || r == unicode.ReplacementChar:
			continue
		case f.letter(r).font < 0 && unicode.IsSymbol(r):
			if r != '→' {
				space = b.Len() > 0
				continue
			}
			r = '›'
		}
		if unicode.Is(unicode.M, r) || f.letter(r).font < 0 {
			return ""
		}
		if space {
			b.WriteByte(' ')
			space = false
			count++
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// width returns the width of text in font units.
func (f *face) width(text []rune) int32 {
	sum := int32(0)
	for i, r := range text {
		sum += f.letter(r).advance
		if i > 0 {
			sum += f.kern(text[i-1], r)
		}
	}
	return sum
}

// wrap breaks text into at most limit lines of at most width pixels. whole is false if the last line was truncated.
func (f *face) wrap(text string, size, width, limit int) (lines [][]rune, whole bool) {
	room := int32(width * f.em / size)
	rest := []rune(text)
	for len(rest) > 0 {
		end, next := f.breakAt(rest, room)
		if len(lines) == limit-1 && next < len(rest) {
			return append(lines, f.cut(rest, room)), false
		}
		lines = append(lines, rest[:end])
		rest = rest[next:]
	}
	return lines, true
}

// breakAt returns the end of the first line of text and the start of the next one: at the last space that fits,
// otherwise inside a word.
func (f *face) breakAt(text []rune, room int32) (end, next int) {
	sum := int32(0)
	for i, r := range text {
		if r == ' ' {
			end, next = i, i+1
		}
		sum += f.letter(r).advance
		if i > 0 {
			sum += f.kern(text[i-1], r)
		}
		if sum > room && r != ' ' {
			if next == 0 {
				end, next = max(i, 1), max(i, 1)
			}
			return end, next
		}
	}
	return len(text), len(text)
}

// cut ends a line with an ellipsis.
func (f *face) cut(text []rune, room int32) []rune {
	const ellipsis = '…'
	n, sum := 0, f.letter(ellipsis).advance
	for n < len(text) {
		sum += f.letter(text[n]).advance
		if n > 0 {
			sum += f.kern(text[n-1], text[n])
		}
		if sum > room {
			break
		}
		n++
	}
	for n > 0 && strings.ContainsRune(" .,:;–—-", text[n-1]) {
		n--
	}
	return append(append([]rune{}, text[:n]...), ellipsis)
}
