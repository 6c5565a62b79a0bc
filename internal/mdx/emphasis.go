package mdx

import (
	"unicode"
	"unicode/utf8"
)

// delim is a run of * _ or ~ that may open or close emphasis.
type delim struct {
	token       int // index of its token
	sign        byte
	size        int // length of the whole run, for the rule of three
	count       int // delimiters that are not used yet
	opens, shut bool
	prev        int // index of the previous delimiter that can still match; -1 if none
}

// mark is one emphasis with 1 or 2 delimiters, or strikethrough.
type mark struct {
	sign byte
	n    int
	id   int // both ends have the same id
}

func (in *inline) delimiter(sign byte) bool {
	s := in.t.s
	n := run(s[in.at:], sign)
	end := in.at + n
	if sign == '~' && n > 2 {
		in.at = end
		return true
	}
	before, after := classBefore(s[:in.at]), classAfter(s[end:])
	left := after == other || after == punct && before != other
	right := before == other || before == punct && after != other
	opens, shut := left, right
	if sign == '_' {
		opens = left && (!right || before == punct)
		shut = right && (!left || after == punct)
	}
	in.put(token{kind: tokDelim, left: int32(n)}, end)
	if opens || shut {
		in.delims = append(in.delims,
			delim{token: len(in.tokens) - 1, sign: sign, size: n, count: n, opens: opens, shut: shut})
	}
	return true
}

type class uint8

const (
	white class = iota
	punct
	other
)

func classBefore(s string) class {
	if s == "" {
		return white
	}
	if c := s[len(s)-1]; c < utf8.RuneSelf {
		return classByte(c)
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return classRune(r)
}

func classAfter(s string) class {
	if s == "" {
		return white
	}
	if s[0] < utf8.RuneSelf {
		return classByte(s[0])
	}
	r, _ := utf8.DecodeRuneInString(s)
	return classRune(r)
}

func classByte(c byte) class {
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		return white
	case isPunct(c):
		return punct
	}
	return other
}

func classRune(r rune) class {
	switch {
	case unicode.IsSpace(r):
		return white
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		return punct
	}
	return other
}

// emphasis matches the delimiters from index first on and removes them. bottom contains, for each kind of closer, the
// index below which there is no opener for it, so that no search is repeated.
func (in *inline) emphasis(first int) {
	ds := in.delims[first:]
	var bottom [15]int
	for i := range ds {
		ds[i].prev = i - 1
	}
	for c := 0; c < len(ds); c++ {
		for ds[c].shut && ds[c].count > 0 {
			k := bottomIndex(&ds[c])
			o := ds[c].prev
			for o >= bottom[k] && !matches(&ds[o], &ds[c]) {
				o = ds[o].prev
			}
			if o < bottom[k] || o < 0 {
				bottom[k] = c
				if !ds[c].opens {
					in.drop(ds, c)
				}
				break
			}
			in.pair(&ds[o], &ds[c])
			ds[c].prev = o
			if ds[o].count == 0 {
				ds[c].prev = ds[o].prev
			}
		}
		if ds[c].count == 0 {
			in.drop(ds, c)
		}
	}
	in.delims = in.delims[:first]
}

// drop removes a delimiter from the chain.
func (in *inline) drop(ds []delim, c int) {
	if c+1 < len(ds) {
		ds[c+1].prev = ds[c].prev
	}
}

func bottomIndex(d *delim) int {
	k := 0
	switch d.sign {
	case '_':
		k = 6
	case '~':
		return 12 + d.size
	}
	if d.opens {
		k += 3
	}
	return k + d.size%3
}

func matches(o, c *delim) bool {
	if o.sign != c.sign || !o.opens || o.count == 0 {
		return false
	}
	if o.sign == '~' {
		return o.size == c.size
	}
	if (o.shut || c.opens) && (o.size+c.size)%3 == 0 && (o.size%3 != 0 || c.size%3 != 0) {
		return false
	}
	return true
}

// pair creates emphasis between two delimiters.
func (in *inline) pair(o, c *delim) {
	n := 1
	if o.count >= 2 && c.count >= 2 {
		n = 2
	}
	o.count -= n
	c.count -= n
	open, shut := &in.tokens[o.token], &in.tokens[c.token]
	open.left -= int32(n)
	shut.left -= int32(n)
	m := mark{sign: o.sign, n: n, id: in.marks}
	in.marks++
	for _, t := range []*token{open, shut} {
		if t.marks == nil {
			t.marks = &marks{}
		}
	}
	open.marks.opens = append(open.marks.opens, m)
	shut.marks.closes = append(shut.marks.closes, m)
}
