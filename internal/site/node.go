package site

import "github.com/lectern-docs/lectern/internal/diag"

// Kind says what a navigation node is. Divisions split the site into parts of which a reader sees one at a time.
type Kind string

const (
	KindPage     Kind = "page"
	KindGroup    Kind = "group"
	KindLink     Kind = "link"
	KindTab      Kind = "tab"
	KindAnchor   Kind = "anchor"
	KindDropdown Kind = "dropdown"
	KindProduct  Kind = "product"
	KindVersion  Kind = "version"
	KindLanguage Kind = "language"
	KindMenu     Kind = "menu" // an item of a tab's menu
)

// Division tells whether a node of this kind is a part of the site on its own.
func (k Kind) Division() bool { return k != KindPage && k != KindGroup && k != KindLink }

// Node is one entry of the navigation tree.
type Node struct {
	Kind         Kind
	Title        string
	Icon         string
	IconType     string // style of Icon: "solid", "regular", …; "" = the library's own
	Tag          string
	Text         string  // what a product or menu item says of itself
	Color        Pair    // of an anchor; hexadecimal
	Listing      string  // KindGroup: how its own page lists its pages: "card", "accordion" or ""
	Boost        float64 // weight of its pages in search; 0 = that of the node above
	Global       bool    // it stands beside whatever division is shown
	Unsearchable bool    // the site's own search leaves its pages out
	Chrome       *Chrome // KindLanguage: its own navbar, footer, banner; nil = the site's
	Href         string  // KindLink, and divisions that lead away
	Page         string  // KindPage: its path; KindGroup: the group's own page, or ""
	Expanded     bool
	Hidden       bool
	Default      bool
	Children     []*Node
	Pos          diag.Pos

	Operation string   // KindPage: an API operation as written; scan gives it a page
	Sources   []Source // API descriptions whose pages belong here; scan makes them
}

// Walk calls f for each node in reading order, parents first. f returns false to skip a node's children.
func Walk(nodes []*Node, f func(*Node) bool) {
	for _, n := range nodes {
		if f(n) {
			Walk(n.Children, f)
		}
	}
}

// First is the path of the first page at or below n, or "".
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

// Prune returns the tree without page entries that keep refuses and without the groups and divisions that are empty then.
// Nodes that change are copied.
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
