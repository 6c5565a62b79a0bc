package docsjson

import (
	"regexp"
	"strings"

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

func (d *decoder) navigation(v *value) {
	switch {
	case v.kind == list: // the older form, and a bare list of pages
		d.cfg.Nav = append(d.cfg.Nav, d.items(v, "group", site.KindGroup)...)
	case d.is("navigation", v, object):
		d.cfg.Nav = append(d.cfg.Nav, d.children(v)...)
		d.cfg.API.Root = d.sources(v)
		if g := v.get("global"); g != nil && g.kind == object {
			d.cfg.Nav = append(d.cfg.Nav, d.children(g)...)
		}
	}
}

// children reads every child list of a navigation object, in one fixed order.
func (d *decoder) children(v *value) (out []*site.Node) {
	for _, l := range lists {
		if c := v.get(l.key); c != nil && d.is(l.key, c, list) {
			out = append(out, d.items(c, l.name, l.kind)...)
		}
	}
	return out
}

func (d *decoder) items(v *value, name string, kind site.Kind) (out []*site.Node) {
	for _, item := range v.items {
		switch item.kind {
		case text:
			if n := d.page(item); n != nil {
				out = append(out, n)
			}
		case object:
			n := d.node(item, name, kind)
			if n.Title == "" && n.Kind == site.KindGroup && n.Page == "" && len(n.Sources) == 0 { // a group without a name is no more than its pages
				out = append(out, n.Children...)
			} else {
				out = append(out, n)
			}
		default:
			d.list.Warnf(item.pos, "wrong-type", "A navigation entry must be a page path or an object, not %s.", item.kind)
		}
	}
	return out
}

// page reads a page entry; nil when it names none.
func (d *decoder) page(v *value) *site.Node {
	switch {
	case operation.MatchString(v.str):
		return &site.Node{Kind: site.KindPage, Operation: v.str, Pos: v.pos}
	case strings.HasPrefix(v.str, "http://") || strings.HasPrefix(v.str, "https://"):
		return &site.Node{Kind: site.KindLink, Title: v.str, Href: v.str, Pos: v.pos}
	}
	p, ok := slug.Clean(v.str)
	if !ok || v.str == "" {
		d.list.Warnf(v.pos, "bad-page", "%q is no page path.", v.str)
		return nil
	}
	return &site.Node{Kind: site.KindPage, Page: p, Pos: v.pos}
}

// node reads a group or a division. Which one it is follows from its own name key, then from the list it stands in.
func (d *decoder) node(v *value, name string, kind site.Kind) *site.Node {
	for _, l := range lists {
		if v.get(l.name) != nil {
			name, kind = l.name, l.kind
			break
		}
	}
	n := &site.Node{Kind: kind, Pos: v.pos, Expanded: v.get("expanded").bool(), Hidden: v.get("hidden").bool(), Default: v.get("default").bool()}
	d.text(name, v.get(name), &n.Title)
	d.text("href", v.get("href"), &n.Href)
	for key, to := range map[string]*string{"icon": &n.Icon, "tag": &n.Tag} {
		if s := v.get(key); s != nil && s.kind == text {
			*to = s.str
		}
	}
	if root := v.get("root"); root != nil && root.kind == text && root.str != "" {
		if p := d.page(root); p != nil {
			n.Page = p.Page
		}
	}
	n.Children = d.children(v)
	n.Sources = d.sources(v)
	if n.Title == "" {
		d.list.Warnf(v.pos, "missing-key", "A navigation entry has no %q.", name)
	}
	return n
}
