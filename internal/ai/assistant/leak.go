package assistant

// leakWidth is how many bytes of the instructions an answer may repeat before it counts as a leak.
const leakWidth = 60

// leakGuard detects an answer that repeats its private instructions.
type leakGuard struct {
	windows map[string]bool // of what is private, in the form in which it is compared
	seen    []byte          // the last of what was passed, in that form
}

func newLeakGuard(private string) *leakGuard {
	g := &leakGuard{windows: map[string]bool{}}
	var flat []byte
	for i := range len(private) {
		flat = appendFlat(flat, private[i])
	}
	all := string(flat)
	for i := 0; i+leakWidth <= len(all); i++ {
		g.windows[all[i:i+leakWidth]] = true
	}
	return g
}

// appendFlat adds a byte as it is compared: lower case, and one space for any white space or mark of Markdown.
func appendFlat(to []byte, b byte) []byte {
	switch {
	case b >= 'A' && b <= 'Z':
		b |= 0x20
	case b <= ' ' || b == '*' || b == '_' || b == '`' || b == '>' || b == '#' || b == '-' || b == '\\':
		if len(to) == 0 || to[len(to)-1] == ' ' {
			return to
		}
		b = ' '
	}
	return append(to, b)
}

// leaks takes the next text and reports whether it completes a repetition.
func (g *leakGuard) leaks(s string) bool {
	for i := range len(s) {
		g.seen = appendFlat(g.seen, s[i])
		n := len(g.seen)
		if n >= leakWidth && g.windows[string(g.seen[n-leakWidth:])] {
			return true
		}
		if n > 4*leakWidth {
			g.seen = append(g.seen[:0], g.seen[n-leakWidth:]...)
		}
	}
	return false
}
