package docsjson

import (
	"cmp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for the frame around pages. The site and each of its languages may have one.

// chromeKeys returns the keys that replace parts of *to.
func (d *decoder) chromeKeys(to *site.Chrome) []key {
	return []key{bannerKey(&to.Banner), d.footerKey(&to.Footer), d.navbarKey(&to.Navbar)}
}

func (d *decoder) navbarKey(to *site.Navbar) key {
	var l, p link
	item := linkShape(&l, wordKey("type", &l.kind, "link", "button", "github", "discord"),
		key{name: "primary", idle: "the main button is navbar.primary"})
	primary := linkShape(&p, wordKey("type", &p.kind, "button", "link", "github", "discord"))
	return resetKey("navbar", to, object(
		d.linksKey("links", &to.Links, &l, item),
		key{name: "primary", shape: primary, set: d.eachLink(&p, primary, func(done site.Link) { to.Primary = &done })}))
}

func (d *decoder) footerKey(to *site.Footer) key {
	var c site.Column
	var l link
	column := object(textKey("header", &c.Header), d.linksKey("items", &c.Items, &l, linkShape(&l))).
		needing("", "items")
	columns := listOf(column)
	columns.most = 4
	return resetKey("footer", to, object(socialsKey(&to.Socials),
		key{name: "links", shape: columns, set: eachObject(&c, column, func(*jsontree.Value) {
			to.Columns = append(to.Columns, c)
		})}))
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

// linksKey returns a key for a list of links. s is the shape of a link; its keys store into *l.
func (d *decoder) linksKey(name string, to *[]site.Link, l *link, s *shape) key {
	add := func(done site.Link) { *to = append(*to, done) }
	return key{name: name, shape: listOf(s), set: d.eachLink(l, s, add)}
}

// eachLink returns a setter for a link or a list of links. It reports links without an address.
func (d *decoder) eachLink(l *link, s *shape, use func(site.Link)) setter {
	return eachObject(l, s, func(v *jsontree.Value) {
		if l.Href == "" {
			d.list.Warnf(v.Pos(), "bad-link", "This link has no address.")
			return
		}
		if l.kind == "github" || l.kind == "discord" {
			l.Label = cmp.Or(l.Label, brand(l.kind))
			l.Icon = cmp.Or(l.Icon, l.kind)
		}
		l.Label = cmp.Or(l.Label, l.Href)
		use(l.Link)
	})
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

// bannerKey returns the key for a banner. A banner without content is stored as nil.
func bannerKey(to **site.Banner) key {
	var b site.Banner
	s := object(
		key{name: "content", shape: text(), set: func(v *jsontree.Value) {
			b.Content, b.Pos = strings.TrimSpace(v.Str), v.Pos()
		}},
		flagKey("dismissible", &b.Dismissible),
		wordKey("type", &b.Type, "info", "warning", "critical"),
		colorPairKey("color", &b.Color)).needing("", "content")
	return key{name: "banner", shape: s, set: eachObject(&b, s, func(*jsontree.Value) {
		*to = nil
		if b.Content != "" {
			done := b
			*to = &done
		}
	})}
}
