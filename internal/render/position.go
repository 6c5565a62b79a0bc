package render

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/lectern-docs/lectern/internal/diag"
)

// maxLine bounds the search for a column: beyond it a page of one long line would cost its square.
const maxLine = 4 << 10

// pos finds where a reference was written: the line by the node's place in the prepared text, which has the file's lines, and the
// column by looking for its address in the file's own line.
func (b *build) pos(n ast.Node, dest []byte) diag.Pos {
	p := diag.Pos{File: b.src.File}
	i := b.line(n)
	if i < 0 {
		return p
	}
	p.Line = i + b.src.BodyLine
	if i >= len(b.srcLines) {
		return p
	}
	line := b.src.Body[b.srcLines[i]:]
	line, _, _ = bytes.Cut(line[:min(len(line), maxLine)], []byte{'\n'})
	if j := bytes.Index(line, dest); j >= 0 {
		p.Column = 1 + utf8.RuneCount(line[:j])
	}
	return p
}

// line is the line that a node starts on, from 0; -1 when it is not known.
func (b *build) line(n ast.Node) int {
	at := n.Pos()
	for up := n; at < 0 && up != nil; up = up.Parent() {
		if up.Type() == ast.TypeBlock && up.Lines() != nil && up.Lines().Len() > 0 {
			at = up.Lines().At(0).Start
		}
	}
	if at < 0 {
		return -1
	}
	if b.lines == nil {
		b.lines, b.srcLines = lineStarts(b.body), lineStarts(b.src.Body)
	}
	return sort.SearchInts(b.lines, at+1) - 1
}

func lineStarts(src []byte) []int {
	out := []int{0}
	for i, c := range src {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}
