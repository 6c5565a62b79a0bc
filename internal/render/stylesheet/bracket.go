package stylesheet

// brackets are those that are open, by what closes each. As in CSS, a bracket that closes another than the last one is
// a character like any other.
type brackets []byte

// take follows a token; c is its byte, or 0.
func (b *brackets) take(t token, c byte) {
	switch open := *b; {
	case t.kind == function || c == '(':
		*b = append(open, ')')
	case c == '[':
		*b = append(open, ']')
	case c == '{':
		*b = append(open, '}')
	case len(open) > 0 && c == open[len(open)-1]:
		*b = open[:len(open)-1]
	}
}

// inBraces reports whether the last one that is open is a brace: declarations stand there.
func (b brackets) inBraces() bool { return len(b) > 0 && b[len(b)-1] == '}' }
