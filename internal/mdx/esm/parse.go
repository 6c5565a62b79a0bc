package esm

import (
	"errors"
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/expr"
)

// Parse parses a block of import and export statements. A returned error is an *Error; the statements before it are
// returned as well.
func Parse(source string) ([]Statement, error) {
	cuts, err := split(source)
	if err != nil {
		return nil, err
	}
	var list []Statement
	for i, from := range cuts {
		to := len(source)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		r := &reader{src: source[:to], pos: from, start: from}
		r.next()
		list = r.statement(list)
		if r.err != nil {
			return list, r.err
		}
	}
	return list, nil
}

// split returns the offsets at which statements start. A statement starts at each word import or export at which the
// preceding statement may end.
func split(source string) ([]int, error) {
	s := expr.NewProgramScanner()
	var cuts []int
	fed := 0
	for at := nextKeyword(source, 0); at >= 0; at = nextKeyword(source, at+6) {
		s.Feed([]byte(source[fed:at]))
		fed = at
		if s.AtRest() && !strings.HasPrefix(strings.TrimLeft(source[at+6:], " "), ".") {
			cuts = append(cuts, at)
		}
	}
	s.Feed([]byte(source[fed:]))
	s.Feed([]byte{'\n'})
	var syntax *expr.SyntaxError
	if errors.As(s.Err(), &syntax) {
		return nil, &Error{Offset: syntax.Offset, Message: syntax.Message}
	}
	start := 0
	if len(cuts) > 0 {
		start = cuts[len(cuts)-1]
	}
	if !s.AtRest() {
		return nil, unfinished(s.Open(), start)
	}
	r := &reader{src: source}
	if r.skip(); len(cuts) == 0 && r.pos < len(source) || len(cuts) > 0 && r.pos < cuts[0] {
		return nil, &Error{Offset: r.pos, Message: "only import and export statements are allowed here",
			Hint: "Start a new paragraph with a blank line, or put export before the declaration."}
	}
	return cuts, nil
}

func unfinished(open string, at int) error {
	if open == "statement" {
		return &Error{Offset: at, Message: "the statement is incomplete", Hint: "Complete the statement."}
	}
	return &Error{Offset: at, Message: "the statement has a " + open + " that is not closed",
		Hint: "Close it; a blank line does not end the statement."}
}

// nextKeyword finds the next word import or export at or after from, or returns -1.
func nextKeyword(source string, from int) int {
	for from < len(source) {
		i := strings.Index(source[from:], "port")
		if i < 0 {
			return -1
		}
		at := from + i - 2
		from += i + 4
		if at < 0 || from < len(source) && isWord(source[from]) ||
			at > 0 && (isWord(source[at-1]) || source[at-1] == '.') {
			continue
		}
		if w := source[at:from]; w == "import" || w == "export" {
			return at
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}
