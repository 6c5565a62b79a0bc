package load

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// This file removes links from the site file if they lead to pages that the readers of a view may not see. Their titles
// and URLs would reveal that such pages exist. Links in the text of pages are the author's responsibility. They are
// kept, just like links to any other page that does not exist.

// concealer determines which URLs in the site file lead to withheld pages.
type concealer struct {
	withheld map[string]bool
	kept     *site.Site
	from     link.From // resolves links for the site with all pages
}

// conceal removes links to withheld pages from the site and its navigation. whole is the site before pages were
// withheld.
func conceal(s *site.Site, nav []*site.Node, whole *site.Site, sel selected) []*site.Node {
	all := *whole
	all.Nav = nav
	c := &concealer{withheld: sel.withheld, kept: s, from: link.New(&all, link.Clean, "", "").From("index", "index")}
	s.Redirects = slices.DeleteFunc(slices.Clone(s.Redirects), c.hidesRule)
	s.Chrome = c.chrome(s.Chrome)
	s.Menu.Options = slices.DeleteFunc(s.Menu.Options, func(o site.MenuOption) bool { return c.hides(o.Href) })
	if c.hides(s.Logo.Href) {
		s.Logo.Href = ""
	}
	return c.nodes(nav)
}

// hides reports whether a URL leads to a withheld page.
func (c *concealer) hides(href string) bool {
	if href == "" {
		return false
	}
	if !strings.HasPrefix(href, "/") && !strings.Contains(href, ":") {
		href = "/" + href
	}
	t := c.from.Resolve(href)
	return (t.Kind == link.ToPage || t.Kind == link.ToAnchor) && c.withheld[t.Page]
}

// hidesRule reports whether a redirect begins at a withheld page or leads to one. A rule with a wildcard is hidden
// if it begins only at withheld pages, or leads only to them.
func (c *concealer) hidesRule(r site.Redirect) bool {
	if !link.Wildcard(r.Source) {
		return c.hides(r.Destination) || c.hides(r.Source)
	}
	if !link.Wildcard(r.Destination) {
		return c.hides(r.Destination) || c.hidesBelow(r.Source)
	}
	return c.hidesBelow(r.Destination) || c.hidesBelow(r.Source)
}

// hidesBelow reports whether a pattern matches at least one page and all the pages that it can match are withheld.
func (c *concealer) hidesBelow(pattern string) bool {
	start := strings.TrimPrefix(pattern, "/")
	if i := strings.IndexAny(start, ":*"); i >= 0 {
		start = start[:i]
	}
	below := func(path string) bool { return strings.HasPrefix(path, start) }
	for path := range c.withheld {
		if below(path) {
			return !slices.ContainsFunc(c.kept.Pages, func(p *site.Page) bool { return below(p.Path) })
		}
	}
	return false
}

// chrome returns the frame around pages, without links to withheld pages.
func (c *concealer) chrome(x site.Chrome) site.Chrome {
	hides := func(l site.Link) bool { return c.hides(l.Href) }
	x.Navbar.Links = slices.DeleteFunc(slices.Clone(x.Navbar.Links), hides)
	if x.Navbar.Primary != nil && hides(*x.Navbar.Primary) {
		x.Navbar.Primary = nil
	}
	x.Footer.Socials = slices.DeleteFunc(slices.Clone(x.Footer.Socials), hides)
	columns := slices.Clone(x.Footer.Columns)
	for i := range columns {
		columns[i].Items = slices.DeleteFunc(slices.Clone(columns[i].Items), hides)
	}
	x.Footer.Columns = slices.DeleteFunc(columns, func(l site.Column) bool { return len(l.Items) == 0 })
	return x
}

// nodes returns the navigation without links to withheld pages. The entries for the pages themselves are removed
// together with the pages.
func (c *concealer) nodes(list []*site.Node) (out []*site.Node) {
	for _, n := range list {
		if hidden := c.hides(n.Href); hidden && len(n.Children) == 0 && n.Page == "" {
			continue
		} else if hidden {
			n.Href = ""
		}
		more := n.Details()
		if more.Chrome != nil {
			own := c.chrome(*more.Chrome)
			more.Chrome = &own
			n.SetDetails(more)
		}
		n.Children = c.nodes(n.Children)
		out = append(out, n)
	}
	return out
}
