package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
)

// operation matches a navigation entry for an API operation: "GET /users", "api.yaml POST /users".
var operation = lazyregexp.New(`(?i)^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+\S`)

// entry holds the settings of a navigation entry.
type entry struct {
	site.Node
	site.NodeDetails
	listing   string      // how groups in the entry list their pages
	chrome    site.Chrome // the site's frame around pages, with the parts that the entry replaces
	ownChrome bool        // the entry replaces at least one part
}

// navigation decodes the whole navigation. s is its shape.
func (d *decoder) navigation(v *jsontree.Value, s *shape) {
	c := d.cfg
	if v.Kind == jsontree.List { // the older form, or a plain list of pages
		c.Nav = d.items(v, division{name: "group", kind: site.KindGroup}, "")
		return
	}
	d.current = entry{}
	store(v, s)
	listing := d.current.listing
	c.Nav = d.children(v, listing)
	global := d.children(v.Get("global"), listing)
	for _, n := range global {
		n.Global = true
	}
	c.Nav = append(c.Nav, global...)
}

// children decodes all lists of children of a navigation object, in a fixed order. listing is the default for how
// groups list their pages.
func (d *decoder) children(v *jsontree.Value, listing string) (out []*site.Node) {
	for _, kind := range divisions() {
		if c := v.Get(kind.key); c.Is(jsontree.List) {
			out = append(out, d.items(c, kind, listing)...)
		}
	}
	return out
}

func (d *decoder) items(v *jsontree.Value, kind division, listing string) (out []*site.Node) {
	for _, item := range v.Items {
		if item.Kind == jsontree.String {
			if n := d.page(item); n != nil {
				out = append(out, n)
			}
			continue
		}
		n := d.node(item, kind, listing)
		// a group without a name is replaced by its pages
		if n.Title == "" && n.Kind == site.KindGroup && n.Page == "" && len(n.Details().Sources) == 0 {
			out = append(out, n.Children...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// page decodes a page entry. It returns nil if the entry names no page.
func (d *decoder) page(v *jsontree.Value) *site.Node {
	switch {
	case operation.MatchString(v.Str):
		n := d.newNode(site.Node{Kind: site.KindPage, Pos: v.Pos()})
		n.SetDetails(site.NodeDetails{Operation: v.Str})
		return n
	case strings.HasPrefix(v.Str, "http://") || strings.HasPrefix(v.Str, "https://"):
		return d.newNode(site.Node{Kind: site.KindLink, Title: v.Str, Href: v.Str, Pos: v.Pos()})
	}
	p, ok := slug.Clean(v.Str)
	if !ok || v.Str == "" {
		d.list.Warnf(v.Pos(), "bad-page", "%q is not a page path.", v.Str)
		return nil
	}
	return d.newNode(site.Node{Kind: site.KindPage, Page: p, Pos: v.Pos()})
}

// newNode allocates a copy. Nodes are allocated in blocks, because there are many of them and they all have the same
// lifetime.
func (d *decoder) newNode(from site.Node) *site.Node {
	if len(d.free) == 0 {
		d.free = make([]site.Node, 64)
	}
	n := &d.free[0]
	d.free = d.free[1:]
	*n = from
	return n
}

// node decodes a group or a division. The key for its name determines the kind. Without a name, the list that contains
// the node determines it. listing is the default for how groups list their pages.
func (d *decoder) node(v *jsontree.Value, kind division, listing string) *site.Node {
	kind = divisionOf(v, kind)
	d.current = entry{listing: listing, chrome: d.cfg.Chrome}
	store(v, d.entries[kind.name])
	e := d.current // decoding the entries inside this one overwrites d.current
	if kind.kind == site.KindGroup {
		e.Listing = e.listing
	}
	if e.ownChrome {
		own := e.chrome
		e.Chrome = &own
	}
	e.Kind, e.Pos = kind.kind, v.Pos()
	n := d.newNode(e.Node)
	n.Children = d.children(v, e.listing)
	n.SetDetails(e.NodeDetails)
	return n
}
