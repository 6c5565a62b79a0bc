package mdx

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// smart makes the quotes, dashes and ellipses in a leaf typographic. The form of a quote depends on the text around it,
// even if emphasis or a link begins or ends in between. Code counts as a word.
func (p *parser) smart(source string, nodes []ast.Node) {
	if !strings.ContainsAny(source, "\"'&") && !strings.Contains(source, "--") && !strings.Contains(source, "..") {
		return
	}
	q := quoter{runs: p.runs[:0]}
	q.collect(nodes)
	q.quotes()
	for _, r := range q.runs {
		if r.text != nil {
			r.text.Value = dashes(r.text.Value)
		}
	}
	clear(q.runs)
	p.runs = q.runs[:0]
}

// textRun is a text node, or code, which counts as a word.
type textRun struct {
	text *ast.Text // nil for code
}

type quoter struct {
	runs []textRun
}

func (q *quoter) collect(nodes []ast.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			q.runs = append(q.runs, textRun{n})
		case *ast.CodeSpan:
			q.runs = append(q.runs, textRun{})
		case *ast.Link:
			if n.Auto {
				q.runs = append(q.runs, textRun{})
				continue
			}
			q.collect(n.Children)
		case *ast.Element:
			if literal(n.Name) {
				q.runs = append(q.runs, textRun{})
				continue
			}
			q.collect(n.Children)
		case ast.Parent:
			q.collect(*n.List())
		}
	}
}

// side is the kind of text next to a quote.
type side uint8

const (
	sideNone side = iota
	sideSpace
	sidePunct
	sideWord
)

func sideOf(r rune) side {
	switch {
	case unicode.IsSpace(r):
		return sideSpace
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == utf8.RuneError:
		return sideWord
	}
	return sidePunct
}

// quotes replaces straight quotes in all runs.
func (q *quoter) quotes() {
	before := sideSpace // a block starts as if after a space
	for i, r := range q.runs {
		if r.text == nil {
			before = sideWord
			continue
		}
		s := r.text.Value
		if s == "" {
			continue
		}
		if strings.IndexByte(s, '"') >= 0 || strings.IndexByte(s, '\'') >= 0 {
			r.text.Value = q.replace(i, s, before)
		}
		last, _ := utf8.DecodeLastRuneInString(s)
		before = sideOf(last)
	}
}

func (q *quoter) replace(i int, s string, before side) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	done := 0
	for at := 0; at < len(s); {
		k := strings.IndexAny(s[at:], "\"'")
		if k < 0 {
			break
		}
		at += k
		n := run(s[at:], s[at])
		if n == 1 {
			if at > 0 {
				r, _ := utf8.DecodeLastRuneInString(s[:at])
				before = sideOf(r)
			}
			b.WriteString(s[done:at])
			b.WriteString(curly(s[at], q.opens(i, at+1, before)))
			done = at + 1
		}
		at += n
	}
	b.WriteString(s[done:])
	return b.String()
}

// curly returns the opening or closing form of a quote.
func curly(quote byte, opens bool) string {
	switch {
	case quote == '"' && opens:
		return "“"
	case quote == '"':
		return "”"
	case opens:
		return "‘"
	}
	return "’"
}

// opens reports whether the quote before runs[i][at:] is an opening quote.
func (q *quoter) opens(i, at int, before side) bool {
	ahead := q.ahead(i, at)
	next, after := sideAhead(ahead)
	switch {
	case next == sidePunct && after != sideWord:
		return false
	case next == sidePunct && (ahead[0] == '"' || ahead[0] == '\''):
		return true
	case next == sideWord && decade(ahead):
		return false
	case before != sideWord && next == sideWord:
		return true
	case before == sideWord || next == sideNone || next == sideSpace:
		return false
	}
	return true
}

// ahead returns as much of the text after a position, across runs, as opens needs to decide.
func (q *quoter) ahead(i, at int) string {
	const enough = 16
	s := q.runs[i].text.Value[at:]
	for i++; len(s) < enough && i < len(q.runs); i++ {
		if q.runs[i].text == nil {
			s += "A"
		} else {
			v := q.runs[i].text.Value
			s += v[:min(len(v), enough)]
		}
	}
	return s
}

// sideAhead returns what s starts with, and what follows a run of the same punctuation.
func sideAhead(s string) (next, after side) {
	if s == "" {
		return sideNone, sideNone
	}
	r, n := utf8.DecodeRuneInString(s)
	next = sideOf(r)
	if next != sidePunct {
		return next, sideNone
	}
	sign := s[:n]
	for strings.HasPrefix(s, sign) {
		s = s[n:]
	}
	if s == "" {
		return next, sideNone
	}
	r, _ = utf8.DecodeRuneInString(s)
	return next, sideOf(r)
}

// decade reports whether s starts with a word such as 90s.
func decade(s string) bool {
	if len(s) < 3 || !isDigit(s[0]) || !isDigit(s[1]) || s[2] != 's' {
		return false
	}
	r, n := utf8.DecodeRuneInString(s[3:])
	return n == 0 || sideOf(r) != sideWord
}

// dashes replaces two hyphens, three or more dots, and pairs of single quotes.
func dashes(s string) string {
	if !strings.Contains(s, "--") && !strings.Contains(s, "...") && !strings.Contains(s, "''") &&
		!strings.Contains(s, "``") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		switch c {
		case '-', '.', '\'', '`':
			n = run(s[i:], c)
		}
		switch {
		case c == '-' && n == 2:
			b.WriteString("—")
		case c == '.' && n >= 3:
			b.WriteString("…")
		case c == '\'' && n == 2:
			b.WriteString("”")
		case c == '`' && n == 2:
			b.WriteString("“")
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
