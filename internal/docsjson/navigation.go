package docsjson

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/slug"
)

// lists are the keys that hold navigation children, with the key of a child's name and the kind it becomes.
var lists = []struct {
	key, name string
	kind      site.Kind
}{
	{"languages", "language", site.KindLanguage},
	{"versions", "version", site.KindVersion},
	{"products", "product", site.KindProduct},
	{"dropdowns", "dropdown", site.KindDropdown},
	{"tabs", "tab", site.KindTab},
	{"menu", "item", site.KindMenu},
	{"anchors", "anchor", site.KindAnchor},
	{"groups", "group", site.KindGroup},
	{"pages", "group", site.KindGroup},
}

// operation matches a navigation entry that names an API operation: "GET /users", "api.yaml POST /users".
var operation = regexp.MustCompile(`(?i)^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+\S`)

func (d *decoder) navigation(v *jsontree.Value) {
	switch {
	case v.Kind == jsontree.List: // the older form, and a bare list of pages
		d.cfg.Nav = append(d.cfg.Nav, d.items(v, "group", site.KindGroup)...)
	case d.is("navigation", v, jsontree.Object):
		d.cfg.Nav = append(d.cfg.Nav, d.children(v)...)
		d.cfg.Specs.Root = d.sources(v)
		if g := v.Get("global"); g.Is(jsontree.Object) {
			d.cfg.Nav = append(d.cfg.Nav, d.children(g)...)
		}
	}
}

// children reads every child list of a navigation object, in one fixed order.
func (d *decoder) children(v *jsontree.Value) (out []*site.Node) {
	for _, l := range lists {
		if c := v.Get(l.key); c != nil && d.is(l.key, c, jsontree.List) {
			out = append(out, d.items(c, l.name, l.kind)...)
		}
	}
	return out
}

func (d *decoder) items(v *jsontree.Value, name string, kind site.Kind) (out []*site.Node) {
	for _, item := range v.Items {
		switch item.Kind {
		case jsontree.String:
			if n := d.page(item); n != nil {
				out = append(out, n)
			}
		case jsontree.Object:
			n := d.node(item, name, kind)
			if n.Title == "" && n.Kind == site.KindGroup && n.Page == "" && len(n.Sources) == 0 { // a group without a name is no more than its pages
				out = append(out, n.Children...)
			} else {
				out = append(out, n)
			}
		default:
			d.list.Warnf(item.Pos(), "wrong-type", "A navigation entry must be a page path or an object, not %s.", item.Kind)
		}
	}
	return out
}

// page reads a page entry; nil when it names none.
func (d *decoder) page(v *jsontree.Value) *site.Node {
	switch {
	case operation.MatchString(v.Str):
		return &site.Node{Kind: site.KindPage, Operation: v.Str, Pos: v.Pos()}
	case strings.HasPrefix(v.Str, "http://") || strings.HasPrefix(v.Str, "https://"):
		return &site.Node{Kind: site.KindLink, Title: v.Str, Href: v.Str, Pos: v.Pos()}
	}
	p, ok := slug.Clean(v.Str)
	if !ok || v.Str == "" {
		d.list.Warnf(v.Pos(), "bad-page", "%q is no page path.", v.Str)
		return nil
	}
	return &site.Node{Kind: site.KindPage, Page: p, Pos: v.Pos()}
}

// node reads a group or a division. Which one it is follows from its own name key, then from the list it stands in.
func (d *decoder) node(v *jsontree.Value, name string, kind site.Kind) *site.Node {
	for _, l := range lists {
		if v.Get(l.name) != nil {
			name, kind = l.name, l.kind
			break
		}
	}
	n := &site.Node{Kind: kind, Pos: v.Pos(), Expanded: v.Get("expanded").True(), Hidden: v.Get("hidden").True(), Default: v.Get("default").True()}
	d.text(name, v.Get(name), &n.Title)
	d.text("href", v.Get("href"), &n.Href)
	for key, to := range map[string]*string{"icon": &n.Icon, "tag": &n.Tag} {
		if s := v.Get(key); s.Is(jsontree.String) {
			*to = s.Str
		}
	}
	if root := v.Get("root"); root.Is(jsontree.String) && root.Str != "" {
		if p := d.page(root); p != nil {
			n.Page = p.Page
		}
	}
	n.Children = d.children(v)
	n.Sources = d.sources(v)
	if title := v.Get(name); n.Title == "" && !title.Is(jsontree.String) { // a blank one is meant: the pages stand without a heading
		d.list.Warnf(v.Pos(), "missing-key", "A navigation entry has no %q.", name)
	}
	return n
}
