package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// This file reads what stands around a page: navbar and footer.

func (d *decoder) navbar(v *value) (n site.Navbar) {
	if !d.is("navbar", v, object) {
		return n
	}
	n.Links = d.links("navbar.links", v.get("links"))
	if p := v.get("primary"); d.is("navbar.primary", p, object) {
		if l := d.link("navbar.primary", p); l.Href != "" {
			n.Primary = &l
		}
	}
	return n
}

func (d *decoder) footer(v *value) (f site.Footer) {
	if !d.is("footer", v, object) {
		return f
	}
	f.Socials = d.socials(v.get("socials"))
	columns := v.get("links")
	if !d.is("footer.links", columns, list) {
		return f
	}
	for _, c := range columns.items {
		if !d.is("footer.links[]", c, object) {
			continue
		}
		col := site.Column{Items: d.links("footer.links[].items", c.get("items"))}
		d.text("header", c.get("header"), &col.Header)
		f.Columns = append(f.Columns, col)
	}
	return f
}

func (d *decoder) links(name string, v *value) (out []site.Link) {
	if !d.is(name, v, list) {
		return nil
	}
	for _, item := range v.items {
		if !d.is(name+"[]", item, object) {
			continue
		}
		if l := d.link(name, item); l.Href != "" {
			out = append(out, l)
		}
	}
	return out
}

// link reads {label, href, type, icon}; the older form says name and url.
func (d *decoder) link(name string, v *value) (l site.Link) {
	for _, key := range []string{"label", "name"} {
		d.text(name+"."+key, v.get(key), &l.Label)
	}
	for _, key := range []string{"href", "url"} {
		d.text(name+"."+key, v.get(key), &l.Href)
	}
	if icon := v.get("icon"); icon != nil && icon.kind == text {
		l.Icon = icon.str
	}
	if t := v.get("type"); t != nil && t.kind == text && l.Label == "" && t.str != "button" && t.str != "link" {
		l.Label = brand(t.str)
	}
	if l.Href == "" {
		d.list.Warnf(v.pos, "bad-link", "A link in %q has no address.", name)
	}
	if l.Label == "" {
		l.Label = l.Href
	}
	return l
}

func (d *decoder) socials(v *value) (out []site.Link) {
	if v != nil && v.kind == list { // the older form: [{type, url}]
		return d.links("footer.socials", v)
	}
	if !d.is("footer.socials", v, object) {
		return nil
	}
	for _, m := range v.members {
		if d.is("footer.socials."+m.key, m.val, text) && m.val.str != "" {
			out = append(out, site.Link{Label: brand(m.key), Href: m.val.str, Icon: m.key})
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
