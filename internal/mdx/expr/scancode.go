package expr

// maxKeyword is the length of the longest keyword that matters: instanceof.
const maxKeyword = 10

// inCode handles a byte outside of strings and JSX.
func (s *Scanner) inCode(chunk []byte, i int) bool {
	c := chunk[i]
	if s.wordLen > 0 {
		if isWord(c) && !isWideSpace(chunk, i) || c == '.' && isDigit(s.word[0]) {
			s.spell(c)
			return true
		}
		s.prev, s.wordLen = s.wordToken(), 0
	}
	if s.held == '/' {
		return s.slash(c)
	}
	last := s.last
	s.last = 0
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
	case isWideSpace(chunk, i):
	case isWord(c):
		if c < 0x80 || !isWideSpaceTail(chunk, i) {
			s.spell(c)
		}
	case c == '/':
		s.held = c
	case c == '"' || c == '\'':
		s.lex, s.quote = lexString, c
	case c == '`':
		s.push(inTemplate)
	case c == '<' && s.prev != tokValue && last != '<': // not the second < of a shift
		s.openTag()
	case c == '(' || c == '[' || c == '{':
		s.open(c)
	case c == ')' || c == ']' || c == '}':
		return s.shut(c)
	default:
		s.operator(c, last)
	}
	return true
}

// slash handles the byte after a slash, which starts a comment, a division or a regular expression.
func (s *Scanner) slash(c byte) bool {
	s.held = 0
	switch {
	case c == '/':
		s.lex = lexLineComment
		return true
	case c == '*':
		s.lex = lexBlockComment
		return true
	case s.prev == tokValue:
		s.prev = tokOperator
		return false
	}
	s.lex, s.class = lexRegex, false
	return false
}

func (s *Scanner) operator(c, last byte) {
	s.last = c
	switch {
	case c == ';':
		s.prev = tokStatement
	case c == '>' && last == '=':
		s.prev = tokArrow
	case (c == '+' || c == '-') && last == c: // a++ is a value; ++ before a is not
		s.prev, s.last = s.before, 0
		if s.prev != tokValue {
			s.prev = tokOperator
		}
	case c == '.' && last == '.': // a spread
		s.prev = tokOperator
	case c == '.':
		s.prev = tokDot
	default:
		s.before, s.prev = s.prev, tokOperator
	}
}

func (s *Scanner) open(c byte) {
	f := inParen
	next := tokOperator
	switch {
	case c == '[':
		f = inBracket
	case c == '(' && s.prev == tokCondition:
		f = inCondition
	case c == '{' && s.prev == tokHeader: // import {a}: the content is not a block of statements
		f = inObject
	case c == '{' && s.prev == tokOperator:
		f = inObject
	case c == '{':
		f, next = inBlock, tokStatement
	}
	s.push(f)
	s.prev = next
}

func (s *Scanner) shut(c byte) bool {
	if len(s.stack) == 0 {
		if c != '}' || s.program {
			return s.fail("no opening bracket for this " + string(c))
		}
		s.done = true
		return true
	}
	top := s.stack[len(s.stack)-1]
	want := byte('}')
	if top == inParen || top == inCondition {
		want = ')'
	} else if top == inBracket {
		want = ']'
	}
	if c != want {
		return s.fail("there is a " + string(c) + " where " + string(want) + " should come first")
	}
	s.pop()
	s.prev = tokValue
	switch top {
	case inBlock, inCondition:
		s.prev = tokStatement
	case inContainer:
		s.tag = tagBody
	}
	return true
}

func (s *Scanner) spell(c byte) {
	if s.wordLen < len(s.word) {
		s.word[s.wordLen] = c
		s.wordLen++
	}
}

// wordToken returns what the last word means for the next token.
func (s *Scanner) wordToken() token {
	if s.prev == tokDot {
		return tokValue
	}
	switch string(s.word[:s.wordLen]) {
	case "return", "typeof", "case", "in", "instanceof", "new", "void", "delete", "throw", "yield", "await", "extends":
		return tokOperator
	case "else", "do", "try", "finally":
		return tokStatement
	case "if", "for", "while", "with":
		return tokCondition
	case "import", "export", "const", "let", "var", "default", "from", "as", "function", "class":
		if s.program && len(s.stack) == 0 {
			return tokHeader
		}
		if string(s.word[:s.wordLen]) == "default" {
			return tokOperator
		}
	}
	return tokValue
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether a byte can be part of a name or number. All bytes of multi-byte characters can.
func isWord(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' ||
		c == '#' || c == '\\'
}

// isWideSpace reports whether a no-break space, a byte order mark or a line separator starts at i.
func isWideSpace(chunk []byte, i int) bool {
	switch chunk[i] {
	case 0xC2:
		return i+1 < len(chunk) && chunk[i+1] == 0xA0
	case 0xEF:
		return i+2 < len(chunk) && chunk[i+1] == 0xBB && chunk[i+2] == 0xBF
	case 0xE2:
		return i+2 < len(chunk) && chunk[i+1] == 0x80 && (chunk[i+2] == 0xA8 || chunk[i+2] == 0xA9)
	}
	return false
}

// isWideSpaceTail reports whether i is inside a character that isWideSpace found.
func isWideSpaceTail(chunk []byte, i int) bool {
	return i >= 1 && isWideSpace(chunk, i-1) || i >= 2 && chunk[i-2] != 0xC2 && isWideSpace(chunk, i-2)
}

// inString handles a byte inside a string in quotes.
func (s *Scanner) inString(c byte) bool {
	if s.held == '\r' { // after a backslash, \r\n is one line break
		s.held = 0
		if c == '\n' {
			return true
		}
	}
	switch {
	case s.escaped:
		s.escaped = false
		if c == '\r' {
			s.held = c
		}
	case c == '\\':
		s.escaped = true
	case c == s.quote:
		s.lex, s.prev = lexNone, tokValue
	case c == '\n' || c == '\r':
		return s.fail("a quoted string must end on the same line; use a template string with ` for several lines")
	}
	return true
}

func (s *Scanner) inRegex(c byte) bool {
	switch {
	case c == '\n' || c == '\r':
		return s.fail("a regular expression must end on the same line")
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '[':
		s.class = true
	case c == ']':
		s.class = false
	case c == '/' && !s.class:
		s.lex, s.prev = lexNone, tokValue // the flags that follow are read as a word, which is a value too
	}
	return true
}

func (s *Scanner) inBlockComment(c byte) bool {
	if c == '/' && s.held == '*' {
		s.lex, s.held = lexNone, 0
		return true
	}
	s.held = 0
	if c == '*' {
		s.held = c
	}
	return true
}

func (s *Scanner) inTemplate(c byte) bool {
	dollar := s.held == '$'
	s.held = 0
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '`':
		s.pop()
		s.prev = tokValue
	case c == '{' && dollar:
		s.push(inSubstitution)
		s.prev = tokOperator
	case c == '$':
		s.held = c
	}
	return true
}
