package site

import (
	"reflect"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Node is one entry of the navigation tree. Most nodes are pages, which have only a path. To save memory, rare
// properties are in NodeDetails.
type Node struct {
	Kind         Kind
	Global       bool // shown in every division
	Unsearchable bool // the site's own search omits the pages in the node
	Expanded     bool
	Hidden       bool
	Default      bool
	Title        string
	Icon         string
	Href         string // KindLink, and divisions that link to another site
	Page         string // KindPage: its path; KindGroup: the group's own page, or ""
	Children     []*Node
	Pos          diag.Pos
	details      *NodeDetails // replaced, but never modified; nil = no details
}

// NodeDetails holds properties that few nodes have.
type NodeDetails struct {
	IconType  string // style of the icon: "solid", "regular", …; "" = the library's default
	Tag       string
	Text      string   // description of a product or menu item
	Color     Pair     // colours of an anchor; hexadecimal
	Listing   string   // KindGroup: how the group's own page lists its pages: "card", "accordion" or ""
	Boost     float64  // search weight of the node's pages; 0 = inherited
	Public    *bool    // whether everyone may read the node's pages; nil = inherited
	Chrome    *Chrome  // KindLanguage: the language's own navbar, footer and banner; nil = the site's
	Operation string   // KindPage: an API operation as the author wrote it; package load creates its page
	Sources   []Source // API descriptions whose pages belong here; package load creates them
}

// Details returns a copy of the node's rarer properties. To change them, modify the copy and pass it to SetDetails.
func (n *Node) Details() (d NodeDetails) {
	if n.details != nil {
		d = *n.details
	}
	return d
}

// SetDetails replaces the rarer properties. Copies of the node keep the old properties.
func (n *Node) SetDetails(d NodeDetails) {
	n.details = nil
	if !reflect.ValueOf(d).IsZero() {
		n.details = &d
	}
}

// Walk calls f for each node in reading order, parents first. If f returns false, Walk skips the node's children.
func Walk(nodes []*Node, f func(*Node) bool) {
	for _, n := range nodes {
		if f(n) {
			Walk(n.Children, f)
		}
	}
}

// First returns the path of the first page at or below n, or "".
func (n *Node) First() string {
	if n.Page != "" {
		return n.Page
	}
	for _, c := range n.Children {
		if p := c.First(); p != "" {
			return p
		}
	}
	return ""
}

// Prune returns the tree without the page entries that keep rejects, and without groups and divisions that become empty
// as a result. It copies the nodes that change.
func Prune(nodes []*Node, keep func(page string) bool) []*Node {
	var out []*Node
	for _, n := range nodes {
		if n.Kind == KindPage {
			if keep(n.Page) {
				out = append(out, n)
			}
			continue
		}
		m := *n
		if m.Page != "" && !keep(m.Page) {
			m.Page = ""
		}
		m.Children = Prune(n.Children, keep)
		if len(m.Children) > 0 || m.Page != "" || m.Href != "" {
			out = append(out, &m)
		}
	}
	return out
}
