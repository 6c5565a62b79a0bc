package searchindex

import "encoding/binary"

// list holds the postings of one term in the same form as in shards, so that lists are joined by copying: the first
// chunk, the distances to the others, each minus one, and the levels, in digits.
type list struct {
	n           int
	first, last int // chunks
	rest        []byte
	levels      []byte
	heading     bool // some level is at least headingLevel
}

// headingLevel is the lowest level that only headings can have.
const headingLevel = 17

func (l *list) reset() { *l = list{rest: l.rest[:0], levels: l.levels[:0]} }

// add appends a posting. Its chunk must follow the last one.
func (l *list) add(chunk int, level uint8) {
	l.next(chunk, chunk, 1)
	l.levels = append(l.levels, digits[level&31])
	l.heading = l.heading || level >= headingLevel
}

// next adds n postings from a first to a last chunk. The caller appends the distances between them and their
// levels.
func (l *list) next(first, last, n int) {
	if l.n == 0 {
		l.first = first
	} else {
		l.rest = appendNumber(l.rest, first-l.last-1)
	}
	l.last = last
	l.n += n
}

// listMax limits the number of chunks that are kept for one term. Those with the highest levels are kept and, among
// those with equal levels, the first. A term in more chunks says little about any of them.
const listMax = 8192

// best encodes at most listMax postings, in their order: their number minus one, chunks, levels.
func (l *list) best(out []byte) []byte {
	if l.n <= listMax {
		out = appendNumber(appendNumber(out, l.n-1), l.first)
		return append(append(out, l.rest...), l.levels...)
	}
	keep, left := l.keep()
	out = appendNumber(out, listMax-1)
	levels := make([]byte, 0, listMax)
	at, last, next := l.first, -1, 0
	for i, c := range l.levels {
		if i > 0 {
			var d int
			if next < len(l.rest) && uint8(digitValues[l.rest[next]]) < 32 { // one digit, as for most
				d, next = digitOf(l.rest[next]), next+1
			} else {
				d, next = numberAt(l.rest, next)
			}
			at += d + 1
		}
		switch keep[c] {
		case 0:
			continue
		case 1:
			if left == 0 {
				continue
			}
			left--
		}
		out = appendNumber(out, at-last-1)
		last = at
		levels = append(levels, c)
	}
	return append(out, levels...)
}

// keep returns, for the digit of each level, how many of the level's postings listMax leaves room for: 2 = all, 1 =
// only left of them, 0 = none.
func (l *list) keep() (keep [256]uint8, left int) {
	var have [256]int
	for _, c := range l.levels {
		have[c]++
	}
	left = listMax
	for level := 31; level >= 0; level-- {
		c := digits[level]
		if have[c] > left {
			keep[c] = 1
			return keep, left
		}
		keep[c] = 2
		left -= have[c]
	}
	return keep, left
}

// numberAt decodes the number at an offset of text, and returns the offset after it. After the end, numbers are zero.
func numberAt(text []byte, at int) (n, after int) {
	for shift := 0; at < len(text); shift += 5 {
		v := digitOf(text[at])
		at++
		if n |= v & 31 << min(shift, 25); v < 32 {
			break
		}
	}
	return n, at
}

// listWriter writes a sequence of terms with their lists: the length of the common prefix with the preceding term
// in bytes, the rest of the term, and the list. A list of one posting consists of its chunk and level. Others
// include the distance from first to last, so that a reader can skip the ones in between.
type listWriter struct {
	list list
	last string
}

func (w *listWriter) append(out []byte, term string) []byte {
	same := 0
	for same < len(term) && same < len(w.last) && term[same] == w.last[same] {
		same++
	}
	out = appendText(appendUvarints(out, same), term[same:])
	w.last = term
	l := &w.list
	n := l.n << 1
	if l.heading {
		n |= 1
	}
	if out = appendUvarints(out, n, l.first); l.n > 1 {
		out = appendUvarints(out, l.last-l.first, len(l.rest))
		out = append(out, l.rest...)
	}
	return append(out, l.levels...)
}

func appendUvarints(to []byte, numbers ...int) []byte {
	for _, n := range numbers {
		to = binary.AppendUvarint(to, uint64(n))
	}
	return to
}

func appendText[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}
