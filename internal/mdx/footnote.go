package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// note is a footnote: its definition and the number of references to it.
type note struct {
	label  string
	block  *block
	number int // 0 until the first reference
	refs   int
}

// noteLabel reads [^label] at the start of s. n is its length, or 0 if there is none.
func noteLabel(s string) (label string, n int) {
	if !strings.HasPrefix(s, "[^") {
		return "", 0
	}
	for i := 2; i < len(s) && i < 1002; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[', ' ', '\t', '\n', '\r':
			return "", 0
		case ']':
			if i == 2 {
				return "", 0
			}
			return s[2:i], i + 1
		}
	}
	return "", 0
}

// noteMark reads [^label]: and the white space after it.
func noteMark(s string) (label string, n int) {
	label, n = noteLabel(s)
	if n == 0 || n >= len(s) || s[n] != ':' {
		return "", 0
	}
	return label, n + 1
}

// defineNote records the definition of a label. Only the first definition of a label has output.
func (p *parser) defineNote(label string, b *block) *note {
	if p.notes == nil {
		p.notes = map[string]*note{}
	}
	n := &note{label: label, block: b}
	if key := normalLabel(label); p.notes[key] == nil {
		p.notes[key] = n
	}
	return n
}

// noteRef turns [^label] into a reference if the note is defined.
func (in *inline) noteRef(b bracket) bool {
	p, s := in.p, in.t.s
	if in.plain || len(p.notes) == 0 || b.nested || !strings.HasPrefix(s[b.from:in.at], "^") {
		return false
	}
	label, size := noteLabel(s[b.from-1 : in.at+1])
	n := p.notes[normalLabel(label)]
	if size != in.at+2-b.from || n == nil {
		return false
	}
	if n.number == 0 {
		p.noteList = append(p.noteList, n)
		n.number = len(p.noteList)
	}
	n.refs++
	start, end := in.tokens[b.token].from, in.at+1
	clear(in.tokens[b.token:])
	in.delims = in.delims[:b.delims]
	in.tokens = append(in.tokens[:b.token], token{kind: tokNode, from: start, to: end,
		node: &ast.FootnoteRef{Span: in.t.span(start, end), Number: n.number, Nth: n.refs}})
	in.at, in.from = end, end
	return true
}

// footnotes builds the footnotes that are referenced. Building one of them may add references to others.
func (p *parser) footnotes() []ast.Node {
	var made []*ast.Footnote
	for i := 0; i < len(p.noteList); i++ {
		n := p.noteList[i]
		p.nest = 0
		made = append(made, &ast.Footnote{Span: ast.Span{Start: n.block.start, End: n.block.end}, Label: n.label,
			Number:   n.number,
			Children: p.content(n.block)})
	}
	out := make([]ast.Node, len(made))
	for i, f := range made {
		f.Refs = p.noteList[i].refs
		out[i] = f
	}
	return out
}
