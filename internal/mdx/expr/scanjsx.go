package expr

// tagState is the position of the scanner between < and >.
type tagState uint8

const (
	tagStart tagState = iota // just after <
	tagBody
	tagEqual // a value must follow
)

func (s *Scanner) openTag() {
	s.push(inOpenTag)
	s.tag = tagStart
}

func (s *Scanner) inTag(c byte) bool {
	if s.held == '/' {
		return s.slashInTag(c)
	}
	top := len(s.stack) - 1
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
	case c == '/' && s.tag == tagStart:
		return s.startClosing()
	case c == '/':
		s.held = c
	case c == '>':
		s.endTag()
	case c == '=' && s.tag == tagBody && s.stack[top] == inOpenTag:
		s.tag = tagEqual
	case (c == '"' || c == '\'') && s.tag == tagEqual:
		s.lex, s.quote, s.tag = lexTagString, c, tagBody
	case c == '{' && s.tag != tagStart && s.stack[top] == inOpenTag:
		s.push(inContainer)
		s.prev = tokOperator
	case c == '<' && s.tag == tagEqual:
		s.openTag()
	case s.tag != tagEqual && (isWord(c) || c == '-' || c == ':' || c == '.'):
		s.tag = tagBody
	default:
		return s.fail("there is a " + quoteByte(c) + " inside a tag")
	}
	return true
}

// startClosing replaces the frame of the element that ends here with the frame of its closing tag.
func (s *Scanner) startClosing() bool {
	top := len(s.stack) - 1
	if top == 0 || s.stack[top-1] != inChildren {
		return s.fail("this closing tag has no opening tag")
	}
	s.pop()
	s.stack[top-1] = inCloseTag
	s.tag = tagBody
	return true
}

// slashInTag handles the byte after a slash in a tag.
func (s *Scanner) slashInTag(c byte) bool {
	s.held = 0
	switch {
	case c == '*':
		s.lex = lexBlockComment
	case c == '/':
		s.lex = lexLineComment
	case c == '>' && s.stack[len(s.stack)-1] == inOpenTag:
		s.endElement()
	case c == ' ' || c == '\t' || c == '\n' || c == '\r': // <br / >
		s.held = '/'
	default:
		return s.fail("there is a " + quoteByte(c) + " after the slash in a tag")
	}
	return true
}

func (s *Scanner) endTag() {
	top := len(s.stack) - 1
	if s.stack[top] == inOpenTag {
		s.stack[top] = inChildren
		return
	}
	s.endElement()
}

// endElement leaves an element, which was a value in code, an attribute or a child.
func (s *Scanner) endElement() {
	s.pop()
	s.prev = tokValue
	s.tag = tagBody
}

func (s *Scanner) inChildren(c byte) bool {
	switch c {
	case '<':
		s.openTag()
	case '{':
		s.push(inContainer)
		s.prev = tokOperator
	}
	return true
}

func quoteByte(c byte) string {
	if c < ' ' || c >= 0x7f {
		return "control character"
	}
	return string(rune(c))
}
