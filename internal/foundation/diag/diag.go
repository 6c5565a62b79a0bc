package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Severity is Error if a finding makes a page fail, and Warning if it only lowers the page's quality.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Pos is a position in a source file. Line and Column count from 1; 0 means unknown. Column counts Unicode characters.
type Pos struct {
	File   string
	Line   int
	Column int
}

// Diagnostic is one finding. File is relative to the docs folder and uses slashes.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// List is a list of findings. A nil List is empty and usable.
type List []Diagnostic

// Errorf adds an error at p.
func (l *List) Errorf(p Pos, code, format string, args ...any) {
	l.add(p, Error, code, fmt.Sprintf(format, args...))
}

// Warnf adds a warning at p.
func (l *List) Warnf(p Pos, code, format string, args ...any) {
	l.add(p, Warning, code, fmt.Sprintf(format, args...))
}

// Hint sets the hint of the last finding. It does nothing on an empty list.
func (l List) Hint(text string) {
	if len(l) > 0 {
		l[len(l)-1].Hint = text
	}
}

func (l *List) add(p Pos, s Severity, code, message string) {
	*l = append(*l, Diagnostic{File: p.File, Line: p.Line, Column: p.Column, Severity: s, Code: code, Message: message})
}

// HasErrors reports whether any finding is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort sorts by file, line, column, code and message, so that a list does not depend on the order in which findings are
// discovered.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
}

// String returns the one-line form for terminals: file:line:column: severity: message [code]. It replaces control
// characters, which file names may contain and terminals interpret.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.Place() + ": ")
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, d.Message, d.Code)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, b.String())
}

// Place returns file:line:column, without the parts that are unknown.
func (d Diagnostic) Place() string {
	out := d.File
	if d.Line > 0 {
		out += ":" + strconv.Itoa(d.Line)
		if d.Column > 0 {
			out += ":" + strconv.Itoa(d.Column)
		}
	}
	return out
}
