package expr

// Scanner finds the end of an expression in braces without parsing it. It implements just enough of JavaScript and
// JSX to recognize braces in strings, templates, comments, regular expressions and JSX text. It examines each byte
// at most twice, and needs one byte of memory for each open bracket.
//
//	code     = { token | "(" code ")" | "[" code "]" | "{" code "}" | string | template | comment | regex | element }
//	template = "`" { char | "${" code "}" } "`"
//	element  = "<" [name {attribute}] "/>" | "<" [name {attribute}] ">" {text | element | "{" code "}"} "</" [name] ">"
//
// The preceding token decides whether "/" starts a regular expression and "<" an element.
type Scanner struct {
	stack   []frame
	lex     lexeme
	quote   byte  // of the string that lex is in
	escaped bool  // the previous byte was a backslash
	class   bool  // inside [] of a regular expression
	held    byte  // a byte whose meaning depends on the next byte: / * $ or the \r of an escaped line break
	last    byte  // the previous byte if it was an operator, to recognize => ++ -- and ...
	prev    token // the kind of the last token
	before  token // the value of prev before the last operator byte
	word    [maxKeyword + 1]byte
	wordLen int // 0 = not in a word; counting stops at len(word)
	tag     tagState
	pos     int // total of bytes consumed
	program bool
	done    bool
	err     *SyntaxError
}

// frame is an open construct. The expression itself is not on the stack.
type frame uint8

const (
	inParen     frame = iota
	inCondition       // the parentheses of if, for, while: a statement follows, not an operator
	inBracket
	inBlock
	inObject
	inSubstitution // ${ } in a template
	inContainer    // { } in JSX
	inTemplate
	inOpenTag
	inCloseTag
	inChildren
)

// lexeme is a token that may contain any byte, while the scanner is inside it.
type lexeme uint8

const (
	lexNone lexeme = iota
	lexString
	lexTagString // an attribute's value: no escapes, and line breaks are allowed
	lexRegex
	lexLineComment
	lexBlockComment
)

// token is the kind of the last token. It only distinguishes what matters for the next token.
type token uint8

const (
	tokOperator  token = iota // an operand follows
	tokValue                  // an operator follows
	tokStatement              // a statement follows
	tokArrow
	tokDot       // a property name follows, which may look like a keyword
	tokCondition // if, for, while, with
	tokHeader    // import, export, const, from…: more of the statement follows
)

// NewScanner returns a scanner that starts after an opening brace.
func NewScanner() *Scanner { return &Scanner{} }

// NewProgramScanner returns a scanner for statements. Feed never reports that it is done. Instead, AtRest reports
// whether a statement may end here.
func NewProgramScanner() *Scanner { return &Scanner{program: true, prev: tokStatement} }

// Reset resets the scanner to its initial state and keeps its memory.
func (s *Scanner) Reset() {
	*s = Scanner{stack: s.stack[:0], program: s.program}
	if s.program {
		s.prev = tokStatement
	}
}

// Feed reads the next chunk. Chunks may end anywhere, so lines must include their line breaks. It returns how many
// bytes of chunk belong to the expression: up to and including the closing brace if done is true, all of them if
// more must follow, or up to the offending byte if Err is not nil. After the end or an error it reads nothing.
func (s *Scanner) Feed(chunk []byte) (n int, done bool) {
	if s.done || s.err != nil {
		return 0, s.done
	}
	for i := 0; i < len(chunk); i++ {
		for !s.step(chunk, i) {
		}
		if s.err != nil {
			return i, false
		}
		s.pos++
		if s.done {
			return i + 1, true
		}
	}
	return len(chunk), false
}

// Err returns the error that stopped the scanner. It is always a *SyntaxError with an offset from the first byte
// that was fed.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// AtRest reports whether a statement of a program may end here. That is the case if nothing is open, not even a line,
// and no operand is missing.
func (s *Scanner) AtRest() bool {
	if s.err != nil || len(s.stack) > 0 || s.lex != lexNone || s.held == '/' {
		return false
	}
	if s.wordLen > 0 {
		return s.wordToken() == tokValue
	}
	return s.prev == tokValue || s.prev == tokStatement
}

// Open names the construct that is still open, for messages about input that ends too early.
func (s *Scanner) Open() string {
	switch s.lex {
	case lexString, lexTagString:
		return "string"
	case lexRegex:
		return "regular expression"
	case lexBlockComment:
		return "comment"
	}
	if len(s.stack) == 0 && s.program {
		return "statement"
	}
	if len(s.stack) == 0 {
		return "{"
	}
	return [...]string{"(", "(", "[", "{", "{", "${", "{", "template string", "tag", "closing tag",
		"element"}[s.stack[len(s.stack)-1]]
}

// step handles chunk[i] and reports whether the byte was consumed. If it was not, step must be called again for the
// same byte in the new state.
func (s *Scanner) step(chunk []byte, i int) bool {
	c := chunk[i]
	switch s.lex {
	case lexString:
		return s.inString(c)
	case lexTagString:
		if c == s.quote {
			s.lex = lexNone
		}
		return true
	case lexRegex:
		return s.inRegex(c)
	case lexLineComment:
		if c == '\n' || c == '\r' {
			s.lex = lexNone
		}
		return true
	case lexBlockComment:
		return s.inBlockComment(c)
	}
	if len(s.stack) == 0 {
		return s.inCode(chunk, i)
	}
	switch s.stack[len(s.stack)-1] {
	case inTemplate:
		return s.inTemplate(c)
	case inOpenTag, inCloseTag:
		return s.inTag(c)
	case inChildren:
		return s.inChildren(c)
	}
	return s.inCode(chunk, i)
}

func (s *Scanner) push(f frame) { s.stack = append(s.stack, f) }

func (s *Scanner) pop() { s.stack = s.stack[:len(s.stack)-1] }

func (s *Scanner) fail(message string) bool {
	s.err = &SyntaxError{Offset: s.pos, Message: message}
	return true
}
