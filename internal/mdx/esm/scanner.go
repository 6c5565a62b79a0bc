package esm

import "github.com/lectern-docs/lectern/internal/mdx/expr"

// Scanner finds the end of a group of import and export statements. The zero value is ready to use.
type Scanner struct {
	code *expr.Scanner
}

// Reset resets the scanner and keeps its memory.
func (s *Scanner) Reset() {
	if s.code != nil {
		s.code.Reset()
	}
}

// Feed reads a line, including its line break if it has one.
func (s *Scanner) Feed(line []byte) {
	if s.code == nil {
		s.code = expr.NewProgramScanner()
	}
	s.code.Feed(line)
	if len(line) > 0 && line[len(line)-1] != '\n' {
		s.code.Feed([]byte{'\n'}) // so that a comment also ends at the end of a file without a final line break
	}
}

// Complete is called at a blank line. It reports whether the statements so far are complete: no bracket, template,
// comment or element is open and no operand is missing. It stays false after an error; see Err.
func (s *Scanner) Complete() bool { return s.code == nil || s.code.AtRest() }

// Err returns nil or a *expr.SyntaxError, with an offset from the first byte that was fed.
func (s *Scanner) Err() error {
	if s.code == nil {
		return nil
	}
	return s.code.Err()
}
