package searchindex

import (
	"slices"
	"strings"
)

// Names that a query may equal exactly. web/theme/src/search/same.ts has the same: change both.

// plainName returns a name or a query in the form in which names and queries are compared: ASCII letters in lower case,
// and one space between words.
func plainName(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	space := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			space = out.Len() > 0
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteByte(c)
	}
	return out.String()
}

// markDigits is the number of digits, of six bits each, in the mark of a name.
const markDigits = 2

// nameMark returns a digest of a plain name: FNV-1a of its UTF-16 units, folded to the size of markDigits.
func nameMark(plain string) uint16 {
	h := uint32(2166136261)
	for _, r := range plain {
		if r > 0xFFFF {
			h = (h ^ uint32(0xD7C0+r>>10)) * 16777619
			r = 0xDC00 | r&0x3FF
		}
		h = (h ^ uint32(r)) * 16777619
	}
	return uint16((h ^ h>>12 ^ h>>24) & (1<<(6*markDigits) - 1))
}

// appendMark appends the distance from the preceding page, and a mark.
func appendMark(to []byte, distance int, mark uint16) []byte {
	return append(appendNumber(to, distance), digits[mark&63], digits[mark>>6])
}

// marked returns the pages that have a mark in a list of marks, in order.
func marked(list string, mark uint16, pages int) (out []int, ok bool) {
	d := numbers{text: list}
	for page := -1; d.more(); {
		if page += d.next(); d.bad || page < 0 || page >= pages || d.at+markDigits > len(list) {
			return nil, false
		}
		low, high := digitOf(list[d.at]), digitOf(list[d.at+1])
		if d.at += markDigits; low < 0 || high < 0 {
			return nil, false
		}
		if uint16(low|high<<6) == mark && (len(out) == 0 || out[len(out)-1] != page) {
			out = append(out, page)
		}
	}
	return out, !d.bad
}

// same finds the pages whose name probably equals the query, although nothing that was read contains their names. These
// are the pages that all words that were looked up list with the mark of the query.
func (r *reading) same(units []*unit) (out []int, err error) {
	mark, first := nameMark(r.plain), true
	for _, u := range units {
		if u.optional || u.dropped {
			continue
		}
		part, err := r.termPart(r.part(u.ways[0][0]))
		if err != nil {
			return nil, err
		}
		list := part.marks[u.ways[0][0]]
		if list == "" {
			return nil, nil // the shard contains the names of all its pages
		}
		own, ok := marked(list, mark, len(r.facet))
		switch {
		case !ok:
			return nil, errForm
		case first:
			out, first = own, false
		default:
			out = slices.DeleteFunc(out, func(page int) bool {
				_, has := slices.BinarySearch(own, page)
				return !has
			})
		}
	}
	return out, nil
}
