package stylesheet

// brackets is the stack of open brackets. Each is represented by its closing bracket. As in CSS, a closing bracket that
// does not match the last open one is an ordinary character.
type brackets []byte

// take processes a token. c is its byte, or 0.
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

// inBraces reports whether the innermost bracket is a brace, which contains declarations.
func (b brackets) inBraces() bool { return len(b) > 0 && b[len(b)-1] == '}' }
