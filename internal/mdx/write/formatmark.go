package write

import (
	"bytes"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
)

// marks changes bullets to dashes and leaves one space after the signs of a heading.
func marks(p page) (out []group) {
	ast.Walk(p.root.Children, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.List:
			if g := bullets(p.body, n); len(g) > 0 {
				out = append(out, g)
			}
		case *ast.Heading:
			if g := headingSpace(p.body, n); len(g) > 0 {
				out = append(out, g)
			}
		}
		return true
	})
	return out
}

func bullets(body []byte, list *ast.List) (g group) {
	if list.Ordered {
		return nil
	}
	for _, n := range list.Children {
		at := n.Place().Start
		if at < len(body) && (body[at] == '*' || body[at] == '+') {
			g = append(g, replace(at, at+1, "-"))
		}
	}
	return g
}

func headingSpace(body []byte, h *ast.Heading) group {
	text := body[h.Start:h.End]
	signs := len(text) - len(bytes.TrimLeft(text, "#"))
	if signs != h.Level { // underlined
		return nil
	}
	blank := len(text[signs:]) - len(bytes.TrimLeft(text[signs:], " \t"))
	if signs+blank >= len(text) || string(text[signs:signs+blank]) == " " {
		return nil
	}
	return group{replace(h.Start+signs, h.Start+signs+blank, " ")}
}

// onlyImports reports whether a block contains only imports.
func onlyImports(source string) bool {
	list, err := esm.Parse(source)
	if err != nil {
		return false
	}
	for _, s := range list {
		if _, ok := s.(*esm.Import); !ok {
			return false
		}
	}
	return true
}
