package esm

import "github.com/lectern-docs/lectern/internal/mdx/expr"

// Scanner finds the end of a run of import and export statements. The zero value is ready.
type Scanner struct {
	code *expr.Scanner
}

// Reset resets the scanner and keeps its memory.
func (s *Scanner) Reset() {
	if s.code != nil {
		s.code.Reset()
	}
}

// Feed reads a line, with its line end if it has one.
func (s *Scanner) Feed(line []byte) {
	if s.code == nil {
		s.code = expr.NewProgramScanner()
	}
	s.code.Feed(line)
	if len(line) > 0 && line[len(line)-1] != '\n' {
		s.code.Feed([]byte{'\n'}) // the last line of a file ends its comment too
	}
}

// Complete reports, at a blank line, whether the statements so far are complete: no bracket, template, comment or
// element is open and no operand is missing. After an error they never get complete; see Err.
func (s *Scanner) Complete() bool { return s.code == nil || s.code.AtRest() }

// Err is a *expr.SyntaxError with an offset from the first byte that was fed, or nil.
func (s *Scanner) Err() error {
	if s.code == nil {
		return nil
	}
	return s.code.Err()
}
