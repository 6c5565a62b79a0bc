package expr

// Scanner finds the end of an expression in braces without understanding it. It knows just enough of JavaScript and JSX
// not to be deceived by braces in strings, templates, comments, regular expressions and JSX text. One byte is looked at
// once or twice, never more, and the only memory that grows is one byte for each open bracket.
//
//	code     = { token | "(" code ")" | "[" code "]" | "{" code "}" | string | template | comment | regex | element }
//	template = "`" { char | "${" code "}" } "`"
//	element  = "<" [name {attribute}] "/>" | "<" [name {attribute}] ">" {text | element | "{" code "}"} "</" [name] ">"
//
// Whether "/" starts a regular expression and "<" an element is decided by the token before it.
type Scanner struct {
	stack   []frame
	lex     lexeme
	quote   byte  // of the string that lex is in
	escaped bool  // the byte before was a backslash
	class   bool  // inside [] of a regular expression
	held    byte  // a byte whose meaning depends on the next: / * $ or the \r of an escaped line end
	last    byte  // the operator byte just before, for => ++ -- and ...
	prev    token // what the last token was
	before  token // what prev was before the last operator byte
	word    [maxKeyword + 1]byte
	wordLen int // 0 = not in a word; longer words stop counting at len(word)
	tag     tagState
	pos     int // bytes consumed in all
	program bool
	done    bool
	err     *SyntaxError
}

// frame is something open. The bottom of the stack, the expression itself, is not on it.
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

// lexeme is a token that the scanner is inside of and that can hold anything.
type lexeme uint8

const (
	lexNone lexeme = iota
	lexString
	lexTagString // an attribute's value: no escapes, and line ends are allowed
	lexRegex
	lexLineComment
	lexBlockComment
)

// token is what the last token means for the next one.
type token uint8

const (
	tokOperator  token = iota // an operand follows
	tokValue                  // an operator follows
	tokStatement              // a statement follows
	tokArrow
	tokDot       // a property name follows, be it spelt like a keyword
	tokCondition // if, for, while, with
	tokHeader    // import, export, const, from…: more of the statement follows
)

// NewScanner returns a scanner that stands just after an opening brace.
func NewScanner() *Scanner { return &Scanner{} }

// NewProgramScanner returns a scanner for statements. It is never done; AtRest reports whether a statement may end
// here.
func NewProgramScanner() *Scanner { return &Scanner{program: true, prev: tokStatement} }

// Reset makes the scanner as new, and keeps its memory.
func (s *Scanner) Reset() {
	*s = Scanner{stack: s.stack[:0], program: s.program}
	if s.program {
		s.prev = tokStatement
	}
}

// Feed reads on. Chunks may end anywhere, as if all were one, so lines must come with their line ends. It returns how
// much of chunk belongs to the expression: up to and including the brace that closes it, and then done; all of it when
// there is more to come; up to the offending byte when Err is not nil. After the end and after an error it takes
// nothing.
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

// Err is the error that stopped the scanner, always a *SyntaxError with an offset from the first byte that was fed.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// AtRest reports whether a program's statement may end after what was fed: nothing is open, not even a line, and no
// operand is missing.
func (s *Scanner) AtRest() bool {
	if s.err != nil || len(s.stack) > 0 || s.lex != lexNone || s.held == '/' {
		return false
	}
	if s.wordLen > 0 {
		return s.wordToken() == tokValue
	}
	return s.prev == tokValue || s.prev == tokStatement
}

// Open names what is still open, for messages about input that ends too early.
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

// step looks at chunk[i] and reports whether it is used up; if not, it is to be looked at again in the state that is
// now.
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
