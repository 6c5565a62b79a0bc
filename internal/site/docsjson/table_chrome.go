package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for the frame around pages, which the site and each of its languages may have.

// chromeKeys returns keys that replace parts of *to.
func (d *decoder) chromeKeys(to *site.Chrome) []key {
	return []key{bannerKey(&to.Banner), d.footerKey(&to.Footer), d.navbarKey(&to.Navbar)}
}

func (d *decoder) navbarKey(to *site.Navbar) key {
	primary, set := eachObject(link{}, func(l *link) *shape {
		return linkShape(l, wordKey("type", &l.kind, "button", "link", "github", "discord"))
	}, func(l link, v *jsontree.Value) {
		if done, ok := d.link(l, v); ok {
			to.Primary = &done
		}
	})
	return resetKey("navbar", to, object(
		d.linksKey("links", &to.Links, func(l *link) *shape {
			return linkShape(l, wordKey("type", &l.kind, "link", "button", "github", "discord"),
				key{name: "primary", idle: "the main button is navbar.primary"})
		}),
		key{name: "primary", shape: primary, set: set}))
}

func (d *decoder) footerKey(to *site.Footer) key {
	column, set := eachObject(site.Column{}, func(c *site.Column) *shape {
		items := func(l *link) *shape { return linkShape(l) }
		return object(textKey("header", &c.Header), d.linksKey("items", &c.Items, items)).needing("", "items")
	}, func(c site.Column, _ *jsontree.Value) { to.Columns = append(to.Columns, c) })
	columns := listOf(column)
	columns.most = 4
	return resetKey("footer", to, object(socialsKey(&to.Socials), key{name: "links", shape: columns, set: set}))
}

// link is a link being decoded.
type link struct {
	site.Link
	kind string // "github" and "discord" provide a label and an icon
}

func linkShape(to *link, more ...key) *shape {
	return object(append([]key{
		textKey("label", &to.Label), textKey("href", &to.Href), iconKey(&to.Icon, &to.IconType),
		textKey("iconType", &to.IconType),
	}, more...)...).needing("bad-link", "href")
}

func (d *decoder) linksKey(name string, to *[]site.Link, item func(*link) *shape) key {
	s, set := eachObject(link{}, item, func(l link, v *jsontree.Value) {
		if done, ok := d.link(l, v); ok {
			*to = append(*to, done)
		}
	})
	return key{name: name, shape: listOf(s), set: set}
}

// link completes the link that v contains. It reports a link without an address.
func (d *decoder) link(l link, v *jsontree.Value) (site.Link, bool) {
	if l.kind == "github" || l.kind == "discord" {
		if l.Label == "" {
			l.Label = brand(l.kind)
		}
		if l.Icon == "" {
			l.Icon = l.kind
		}
	}
	if l.Href == "" {
		d.list.Warnf(v.Pos(), "bad-link", "This link has no address.")
		return l.Link, false
	}
	if l.Label == "" {
		l.Label = l.Href
	}
	return l.Link, true
}

// iconKey returns a key for an icon's name, or {name, style, library}.
func iconKey(name, style *string) key {
	var library string
	s := text().or(object(textKey("name", name), textKey("style", style),
		wordKey("library", &library, "fontawesome", "lucide", "tabler")).needing("", "name"))
	return key{name: "icon", shape: s, set: func(v *jsontree.Value) {
		*name, *style, library = strings.TrimSpace(v.Text()), "", ""
		store(v, s)
		if library != "" && *name != "" {
			*name = library + ":" + *name
		}
	}}
}

// bannerKey returns the key for a banner, which is nil without content.
func bannerKey(to **site.Banner) key {
	var b site.Banner
	s := object(
		key{name: "content", shape: text(), set: func(v *jsontree.Value) {
			b.Content, b.Pos = strings.TrimSpace(v.Str), v.Pos()
		}},
		flagKey("dismissible", &b.Dismissible),
		wordKey("type", &b.Type, "info", "warning", "critical"),
		colorPairKey("color", &b.Color)).needing("", "content")
	return key{name: "banner", shape: s, set: func(v *jsontree.Value) {
		b, *to = site.Banner{}, nil
		if store(v, s); b.Content != "" {
			done := b
			*to = &done
		}
	}}
}
