package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file reads what stands around a page: navbar and footer.

func (d *decoder) navbar(v *jsontree.Value) (n site.Navbar) {
	if !d.is("navbar", v, jsontree.Object) {
		return n
	}
	n.Links = d.links("navbar.links", v.Get("links"))
	if p := v.Get("primary"); d.is("navbar.primary", p, jsontree.Object) {
		if l := d.link("navbar.primary", p); l.Href != "" {
			n.Primary = &l
		}
	}
	return n
}

func (d *decoder) footer(v *jsontree.Value) (f site.Footer) {
	if !d.is("footer", v, jsontree.Object) {
		return f
	}
	f.Socials = d.socials(v.Get("socials"))
	columns := v.Get("links")
	if !d.is("footer.links", columns, jsontree.List) {
		return f
	}
	for _, c := range columns.Items {
		if !d.is("footer.links[]", c, jsontree.Object) {
			continue
		}
		col := site.Column{Items: d.links("footer.links[].items", c.Get("items"))}
		d.text("header", c.Get("header"), &col.Header)
		f.Columns = append(f.Columns, col)
	}
	return f
}

func (d *decoder) links(name string, v *jsontree.Value) (out []site.Link) {
	if !d.is(name, v, jsontree.List) {
		return nil
	}
	for _, item := range v.Items {
		if !d.is(name+"[]", item, jsontree.Object) {
			continue
		}
		if l := d.link(name, item); l.Href != "" {
			out = append(out, l)
		}
	}
	return out
}

// link reads {label, href, type, icon}; the older form says name and url.
func (d *decoder) link(name string, v *jsontree.Value) (l site.Link) {
	for _, key := range []string{"label", "name"} {
		d.text(name+"."+key, v.Get(key), &l.Label)
	}
	for _, key := range []string{"href", "url"} {
		d.text(name+"."+key, v.Get(key), &l.Href)
	}
	if icon := v.Get("icon"); icon.Is(jsontree.String) {
		l.Icon = icon.Str
	}
	if t := v.Get("type"); t.Is(jsontree.String) && l.Label == "" && t.Str != "button" && t.Str != "link" {
		l.Label = brand(t.Str)
	}
	if l.Href == "" {
		d.list.Warnf(v.Pos(), "bad-link", "A link in %q has no address.", name)
	}
	if l.Label == "" {
		l.Label = l.Href
	}
	return l
}

func (d *decoder) socials(v *jsontree.Value) (out []site.Link) {
	if v.Is(jsontree.List) { // the older form: [{type, url}]
		return d.links("footer.socials", v)
	}
	if !d.is("footer.socials", v, jsontree.Object) {
		return nil
	}
	for _, m := range v.Members {
		if d.is("footer.socials."+m.Key, m.Value, jsontree.String) && m.Value.Str != "" {
			out = append(out, site.Link{Label: brand(m.Key), Href: m.Value.Str, Icon: m.Key})
		}
	}
	return out
}

// brand spells a network's name as its owner does.
func brand(key string) string {
	names := []string{"GitHub", "GitLab", "LinkedIn", "YouTube", "TikTok", "WhatsApp", "Hacker News", "Stack Overflow", "X", "Bluesky", "Discord", "Slack", "Telegram", "Reddit", "Facebook", "Instagram", "Medium", "Threads", "Website", "Podcast", "Earth"}
	i := slices.IndexFunc(names, func(n string) bool {
		return strings.EqualFold(strings.ReplaceAll(n, " ", ""), strings.NewReplacer("-", "", " ", "").Replace(key))
	})
	if i < 0 {
		return key
	}
	return names[i]
}
