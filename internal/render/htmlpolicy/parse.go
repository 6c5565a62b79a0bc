package htmlpolicy

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

const (
	maxHTML  = 512 << 10 // bytes of one string
	maxNodes = 50_000
	maxDepth = 200
)

// ErrTooLarge is returned for HTML that exceeds the limits.
var ErrTooLarge = errors.New("the HTML is too large or too deeply nested")

// Parse parses a string of HTML the way a browser parses innerHTML, and returns elements and text without comments.
// Attributes become Props with string values and HTML's names. All nodes have the span at. It does not check the names;
// Element and Attr do.
func Parse(source string, at ast.Span) ([]ast.Node, error) {
	if len(source) > maxHTML {
		return nil, ErrTooLarge
	}
	parsed, err := html.ParseFragment(strings.NewReader(source),
		&html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return nil, fmt.Errorf("parse HTML: %w", err)
	}
	c := converter{at: at}
	var out []ast.Node
	for _, n := range parsed {
		out = c.add(out, n, 0)
	}
	if c.over {
		return nil, ErrTooLarge
	}
	return out, nil
}

type converter struct {
	at    ast.Span
	nodes int
	over  bool // a limit was exceeded
}

func (c *converter) add(to []ast.Node, n *html.Node, depth int) []ast.Node {
	if c.nodes++; c.nodes > maxNodes || depth > maxDepth {
		c.over = true
		return to
	}
	switch n.Type {
	case html.TextNode:
		return append(to, &ast.Text{Span: c.at, Value: n.Data})
	case html.ElementNode:
		e := &ast.Element{Span: c.at, Open: c.at, Name: n.Data}
		for _, a := range n.Attr {
			name := a.Key
			if a.Namespace != "" {
				name = a.Namespace + ":" + a.Key
			}
			e.Props = append(e.Props, ast.Prop{Name: name, Value: a.Val, Attr: c.at})
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			e.Children = c.add(e.Children, child, depth+1)
		}
		return append(to, e)
	}
	return to
}
