package jsx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// Expression reads the {…} whose "{" is at offset at. value is the source between the braces. Continuation lines
// lose up to two columns of indentation, as the dialect requires, so that template strings are the same in every
// renderer. end is the offset after the "}".
func Expression(in Input, at int) (value string, end int, err *Error) {
	end, err = closeBrace(in, at+1)
	if err != nil {
		return "", 0, err
	}
	return dedent(in.Text()[at+1 : end-1]), end, nil
}

// closeBrace finds the end of an expression whose source starts at from. It feeds the scanner in pieces that end at
// each "}", because the expression can only end there. No byte is fed twice.
func closeBrace(in Input, from int) (int, *Error) {
	scanner := expr.NewScanner()
	for at := from; ; {
		text := in.Text()
		piece := text[at:]
		i := strings.IndexByte(piece, '}')
		if i >= 0 {
			piece = piece[:i+1]
		}
		n, done := scanner.Feed([]byte(piece))
		at += n
		if done {
			return at, nil
		}
		if scanner.Err() != nil {
			return 0, &Error{At: at, Message: "The expression cannot be parsed: " + scanner.Err().Error(), EOF: true}
		}
		if i < 0 && !in.More() {
			return 0, &Error{At: len(text), Message: "The expression has no closing brace",
				Hint: "To show the brace itself, write \\{", EOF: true}
		}
	}
}

// dedent removes up to two columns of white space from every line but the first.
func dedent(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
		var spaces int
		s, spaces = unindent(s)
		b.WriteString("  "[:spaces])
	}
}

// unindent removes two columns. It returns the number of spaces that remain of a partially removed tab.
func unindent(s string) (rest string, spaces int) {
	for col := 0; col < 2 && s != ""; {
		switch s[0] {
		case ' ':
			col++
		case '\t':
			return s[1:], 2
		default:
			return s, 0
		}
		s = s[1:]
	}
	return s, 0
}
