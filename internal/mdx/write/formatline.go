package write

import (
	"bytes"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// trailingSpace removes white space at line ends, except for hard breaks and text inside code, expressions and
// values.
func trailingSpace(p page) (out []group) {
	kept := protected(p.root.Children)
	next := 0
	for start := 0; start < len(p.body); {
		end := len(p.body)
		if i := bytes.IndexByte(p.body[start:], '\n'); i >= 0 {
			end = start + i
		}
		text := start + len(bytes.TrimRight(p.body[start:end], " \t"))
		for next < len(kept) && kept[next].End <= text {
			next++
		}
		if text < end && (next == len(kept) || kept[next].Start >= end) {
			out = append(out, group{replace(text, end, "")})
		}
		start = end + 1
	}
	return out
}

// protected returns the spans that no rule may change, in order and without overlaps.
func protected(nodes []ast.Node) (spans []ast.Span) {
	ast.Walk(nodes, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Code, *ast.Math, *ast.CodeSpan, *ast.Expr, *ast.ESM, *ast.Break:
			spans = append(spans, n.Place())
		case *ast.Element:
			for _, a := range n.Attrs {
				spans = append(spans, a.Span)
			}
		}
		return true
	})
	slices.SortFunc(spans, func(a, b ast.Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// blankLines inserts an empty line above and below headings, code, tables and tags if other lines are directly next to
// them.
func blankLines(p page) (out []group) {
	var visit func(nodes []ast.Node)
	visit = func(nodes []ast.Node) {
		for i, n := range nodes {
			if i > 0 && apart(nodes[i-1], n) {
				if at, ok := adjoining(p.body, nodes[i-1].Place(), n.Place()); ok {
					out = append(out, group{insert(at, "\n")})
				}
			}
			if e, ok := n.(*ast.Element); ok && e.Flow { // lists and quotes would need a prefix, and would become loose
				visit(e.Children)
			}
		}
	}
	visit(p.root.Children)
	return out
}

// apart reports whether two adjacent nodes should be separated by an empty line.
func apart(a, b ast.Node) bool {
	for _, n := range []ast.Node{a, b} {
		switch n.(type) {
		case *ast.Expr, *ast.ESM, *ast.Footnote: // comments belong to the node below
			return false
		}
	}
	for _, n := range []ast.Node{a, b} {
		switch n.(type) {
		case *ast.Heading, *ast.Code, *ast.Table:
			return true
		}
	}
	_, first := a.(*ast.Element)
	_, second := b.(*ast.Element)
	return first != second
}

// adjoining returns the start of b's line if it directly follows a's.
func adjoining(body []byte, a, b ast.Span) (at int, ok bool) {
	if a.End > b.Start {
		return 0, false
	}
	gap := body[a.End:b.Start]
	if bytes.Count(gap, []byte{'\n'}) != 1 || len(bytes.TrimSpace(gap)) > 0 {
		return 0, false
	}
	return a.End + bytes.IndexByte(gap, '\n') + 1, true
}

// imports joins import statements that are separated only by empty lines.
func imports(p page) (out []group) {
	for i := 1; i < len(p.root.Children); i++ {
		a, ok := p.root.Children[i-1].(*ast.ESM)
		b, both := p.root.Children[i].(*ast.ESM)
		if !ok || !both || !onlyImports(a.Source) || !onlyImports(b.Source) {
			continue
		}
		gap := p.body[a.End:b.Start]
		if len(bytes.TrimSpace(gap)) == 0 && bytes.Count(gap, []byte{'\n'}) > 1 {
			out = append(out, group{replace(a.End, b.Start, "\n")})
		}
	}
	return out
}
