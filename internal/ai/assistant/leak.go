package assistant

// leakWidth is the number of bytes of the instructions that counts as a leak when an answer repeats them.
const leakWidth = 60

// leakGuard detects an answer that repeats the private instructions.
type leakGuard struct {
	windows map[string]bool // all windows of the private text, normalized for comparison
	seen    []byte          // end of the answer so far, normalized
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

// appendFlat appends a byte in normalized form: lower case, and one space for any white space or Markdown mark.
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
