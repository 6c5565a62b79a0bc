package ast

import "strings"

// Walk calls f for each node in reading order, parents first. f returns false to skip a node's children.
func Walk(nodes []Node, f func(Node) bool) {
	for _, n := range nodes {
		if !f(n) {
			continue
		}
		if p, ok := n.(Parent); ok {
			Walk(*p.List(), f)
		}
	}
}

// PlainText returns the text of nodes as readers see it, with code and image descriptions, but without attributes
// of components.
func PlainText(nodes []Node) string {
	var b strings.Builder
	Walk(nodes, func(n Node) bool {
		switch n := n.(type) {
		case *Text:
			b.WriteString(n.Value)
		case *CodeSpan:
			b.WriteString(n.Value)
		case *Code:
			b.WriteString(n.Text)
		case *Math:
			b.WriteString(n.Text)
		case *Image:
			b.WriteString(n.Alt)
		case *Break:
			b.WriteByte('\n')
		}
		return true
	})
	return b.String()
}

// Prop returns an evaluated attribute, or Undefined if the author did not write it.
func (e *Element) Prop(name string) Value {
	for i := len(e.Props) - 1; i >= 0; i-- {
		if e.Props[i].Name == name {
			return e.Props[i].Value
		}
	}
	return Undefined{}
}

// Has reports whether the author wrote the attribute with a value other than undefined.
func (e *Element) Has(name string) bool { return e.Prop(name) != Value(Undefined{}) }

// Str returns an attribute as text, or "" if it is absent, null or false.
func (e *Element) Str(name string) string {
	switch v := e.Prop(name).(type) {
	case nil, Undefined, bool, *Object, Opaque:
		return ""
	default:
		return String(v)
	}
}

// Flag interprets an attribute as a switch. It returns true if the attribute is present without a value, or has a
// truthy value other than "false".
func (e *Element) Flag(name string) bool {
	v := e.Prop(name)
	return Truthy(v) && v != "false"
}

// Only returns the single node of type T in nodes. ok is false if nodes contain anything else except white space.
func Only[T Node](nodes []Node) (found T, ok bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case T:
			if ok {
				return found, false
			}
			found, ok = n, true
		case *Text:
			if strings.TrimSpace(n.Value) != "" {
				return found, false
			}
		default:
			return found, false
		}
	}
	return found, ok
}
