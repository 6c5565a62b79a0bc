package guard

import "strings"

// ticks copies a run of backticks and the code up to the closing run on the same line. A run without a closing one
// is text.
func (u *uncommenter) ticks() {
	if u.at >= u.ticked {
		u.pairTicks()
	}
	end := u.at + len(u.text[u.at:]) - len(strings.TrimLeft(u.text[u.at:], "`"))
	slashes := len(u.text[:u.at]) - len(strings.TrimRight(u.text[:u.at], `\`))
	switch partner, ok := u.pairs[u.at]; {
	case slashes%2 == 1:
		end = u.at + 1 // escaped: text
	case ok:
		end = partner
	}
	u.out = append(u.out, u.text[u.at:end]...)
	u.at = end
}

// pairTicks finds, for each run of backticks from here to the end of the line, the end of the next run of the same
// length. An escaped backtick cannot be part of an opening run, but can be part of a closing one.
func (u *uncommenter) pairTicks() {
	u.ticked = len(u.text)
	if n := strings.IndexByte(u.text[u.at:], '\n'); n >= 0 {
		u.ticked = u.at + n
	}
	u.pairs = map[int]int{}
	next := map[int]int{} // length of a run → its end, for the runs further right
	for end := u.ticked; end > u.at; {
		if u.text[end-1] != '`' {
			end--
			continue
		}
		from := end
		for from > u.at && u.text[from-1] == '`' {
			from--
		}
		if partner, ok := next[end-from]; ok {
			u.pairs[from] = partner
		}
		next[end-from] = end
		if partner, ok := next[end-from-1]; ok { // for the case that its first backtick is escaped
			u.pairs[from+1] = partner
		}
		end = from
	}
}
