package searchindex

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Sizes of a snippet, in characters as browsers count them.
const (
	snippetLength = 180
	snippetBefore = 40 // part of it before the first match
)

// mark is a match in a text.
type mark struct {
	start, end, unit int
	from, to         int // start and end in UTF-16 units, as in browsers
}

// marks finds the matches of a query in text.
func marks(text string, units []*unit) (out []mark) {
	t := tokenizer{}
	t.emit = func(_ int, term []byte, start, end int) {
		for i, u := range units {
			if u.forms[string(term)] {
				out = append(out, mark{start: start, end: end, unit: i})
				return
			}
		}
	}
	t.run(text)
	slices.SortStableFunc(out, func(a, b mark) int { return a.start - b.start })
	at, n := 0, 0
	for i := range out {
		m := &out[i]
		n += units16(text[at:m.start])
		at = m.start
		m.from, m.to = n, n+units16(text[m.start:m.end])
	}
	return out
}

// snippet extracts the part of a chunk with the most words of the query: from the text, or from the code if only the
// code has any.
func snippet(text, code string, units []*unit) Snippet {
	found := marks(text, units)
	if len(found) == 0 && code != "" {
		if inCode := marks(code, units); len(inCode) > 0 || text == "" {
			text, found = code, inCode
		}
	}
	from := window(text, found)
	to := from
	for n := 0; to < len(text) && n < snippetLength; {
		r, size := utf8.DecodeRuneInString(text[to:])
		to += size
		if n++; r > 0xFFFF {
			n++
		}
	}
	if to < len(text) {
		if i := strings.LastIndexAny(text[from:to], " \n"); i > (to-from)*3/4 {
			to = from + i
		}
	}
	return cutOut(text, found, from, to)
}

// window returns the start of the snippet. It is before the group of matches within the snippet's length that has the
// most different words.
func window(text string, found []mark) int {
	best, most := 0, -1
	for i := range found {
		seen, score := map[int]bool{}, 0
		for _, m := range found[i:] {
			if m.to-found[i].from > snippetLength-snippetBefore {
				break
			}
			if score++; !seen[m.unit] {
				seen[m.unit] = true
				score += 100
			}
		}
		if score > most {
			best, most = i, score
		}
	}
	if len(found) == 0 {
		return 0
	}
	from := found[best].start
	for n := 0; from > 0 && n < snippetBefore; {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if n++; r > 0xFFFF {
			n++
		}
		if r == '\n' {
			return from
		}
		from -= size
	}
	if from == 0 {
		return 0
	}
	if i := strings.IndexAny(text[from:found[best].start], " \n"); i >= 0 {
		from += i + 1
	}
	return from
}

// cutOut returns the text between two positions with the matches in it. Each match is included once.
func cutOut(text string, found []mark, from, to int) (s Snippet) {
	var b strings.Builder
	if from > 0 {
		b.WriteString("… ")
	}
	shift := b.Len() - from
	b.WriteString(strings.ReplaceAll(text[from:to], "\n", " "))
	if to < len(text) {
		b.WriteString(" …")
	}
	s.Text = b.String()
	for _, m := range found {
		if m.start < from || m.end > to {
			continue
		}
		if n := len(s.Marks); n > 0 && m.start+shift < s.Marks[n-1][1] {
			s.Marks[n-1][1] = max(s.Marks[n-1][1], m.end+shift)
			continue
		}
		s.Marks = append(s.Marks, [2]int{m.start + shift, m.end + shift})
	}
	return s
}
