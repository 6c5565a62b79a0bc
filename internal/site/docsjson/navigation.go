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

func (d *decoder) navigation(v *jsontree.Value) {
	c := d.cfg
	switch {
	case v.Is(jsontree.List): // the older form, or a plain list of pages
		c.Nav = d.items(v, division{name: "group", kind: site.KindGroup}, "")
	case v.Is(jsontree.Object):
		listing := d.listing(v, "")
		c.Nav = d.children(v, listing)
		c.Specs.Root = d.sources(v)
		global := d.children(v.Get("global"), listing)
		for _, n := range global {
			n.Global = true
		}
		c.Nav = append(c.Nav, global...)
	}
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
		n := d.entry(site.KindPage, v)
		n.SetDetails(site.NodeDetails{Operation: v.Str})
		return n
	case strings.HasPrefix(v.Str, "http://") || strings.HasPrefix(v.Str, "https://"):
		n := d.entry(site.KindLink, v)
		n.Title, n.Href = v.Str, v.Str
		return n
	}
	p, ok := slug.Clean(v.Str)
	if !ok || v.Str == "" {
		d.list.Warnf(v.Pos(), "bad-page", "%q is not a page path.", v.Str)
		return nil
	}
	n := d.entry(site.KindPage, v)
	n.Page = p
	return n
}

// entry creates a node. Nodes are allocated in blocks, because there are many and they have the same lifetime.
func (d *decoder) entry(kind site.Kind, v *jsontree.Value) *site.Node {
	if len(d.free) == 0 {
		d.free = make([]site.Node, 64)
	}
	n := &d.free[0]
	d.free = d.free[1:]
	n.Kind, n.Pos = kind, v.Pos()
	return n
}

// node decodes a group or a division. Its name key determines the kind, or, if there is none, the list that
// contains it.
func (d *decoder) node(v *jsontree.Value, kind division, listing string) *site.Node {
	for _, other := range divisions() {
		if v.Get(other.name) != nil {
			kind = other
			break
		}
	}
	n, more := d.entry(kind.kind, v), site.NodeDetails{Color: colorPair(v.Get("color"))}
	textTo(v.Get(kind.name), &n.Title)
	textTo(v.Get("href"), &n.Href)
	textTo(v.Get("tag"), &more.Tag)
	textTo(v.Get("description"), &more.Text)
	n.Icon, more.IconType = icon(v.Get("icon"))
	textTo(v.Get("iconType"), &more.IconType)
	for key, to := range map[string]*bool{"expanded": &n.Expanded, "hidden": &n.Hidden, "default": &n.Default} {
		flagTo(v.Get(key), to)
	}
	if s := v.Get("searchable"); s.Is(jsontree.Bool) {
		n.Unsearchable = !s.True()
	}
	setNumber(v.Get("boost"), &more.Boost)
	if s := v.Get("public"); s.Is(jsontree.Bool) {
		public := s.True()
		more.Public = &public
	}
	if root := v.Get("root"); root.Is(jsontree.String) && root.Str != "" {
		if p := d.page(root); p != nil {
			n.Page = p.Page
		}
	}
	listing = d.listing(v, listing)
	if n.Kind == site.KindGroup {
		more.Listing = listing
	}
	more.Chrome = d.chrome(v)
	n.Children = d.children(v, listing)
	more.Sources = d.sources(v)
	n.SetDetails(more)
	return n
}

// listing returns how the groups below a navigation object list their pages: the object's own setting, or the
// inherited one.
func (d *decoder) listing(v *jsontree.Value, inherited string) string {
	if own := v.Get("directory"); own.Is(jsontree.String) {
		return strings.TrimPrefix(own.Str, "none")
	}
	return inherited
}

// chrome returns a language's own frame around pages, or nil.
func (d *decoder) chrome(v *jsontree.Value) *site.Chrome {
	own := d.cfg.Chrome
	has := false
	if b := v.Get("banner"); b.Is(jsontree.Object) {
		own.Banner, has = d.banner(b), true
	}
	if f := v.Get("footer"); f.Is(jsontree.Object) {
		own.Footer, has = d.footer(f), true
	}
	if n := v.Get("navbar"); n.Is(jsontree.Object) {
		own.Navbar, has = d.navbar(n), true
	}
	if !has {
		return nil
	}
	return &own
}
