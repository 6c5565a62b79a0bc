package ast

// WithChildren returns a copy of a parent with different children. Trees are shared between pages, so passes copy the
// nodes that they change.
func WithChildren(p Parent, kids []Node) Node {
	switch n := p.(type) {
	case *Root:
		return with(n, kids)
	case *Paragraph:
		return with(n, kids)
	case *Heading:
		return with(n, kids)
	case *Quote:
		return with(n, kids)
	case *List:
		return with(n, kids)
	case *Item:
		return with(n, kids)
	case *Table:
		return with(n, kids)
	case *Row:
		return with(n, kids)
	case *Cell:
		return with(n, kids)
	case *Footnote:
		return with(n, kids)
	case *Emphasis:
		return with(n, kids)
	case *Strong:
		return with(n, kids)
	case *Strike:
		return with(n, kids)
	case *Link:
		return with(n, kids)
	case *Element:
		return with(n, kids)
	case *Included:
		return with(n, kids)
	case *Island:
		return with(n, kids)
	case *Personal:
		return with(n, kids)
	}
	return p
}

// with copies a node and sets the children of the copy.
func with[T any, P interface {
	*T
	Parent
}](n P, kids []Node) Node {
	c := P(new(T))
	*c = *n
	*c.List() = kids
	return c
}
