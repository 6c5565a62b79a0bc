package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file decodes the frame of a page: navbar, footer, banner, and the menu of actions.

func (d *decoder) navbar(v *jsontree.Value) (n site.Navbar) {
	n.Links = d.links(v.Get("links"))
	if p := v.Get("primary"); p.Is(jsontree.Object) {
		if l, ok := d.link(p); ok {
			n.Primary = &l
		}
	}
	return n
}

func (d *decoder) footer(v *jsontree.Value) (f site.Footer) {
	f.Socials = d.socials(v.Get("socials"))
	columns := v.Get("links")
	if columns == nil {
		return f
	}
	for _, c := range columns.Items {
		col := site.Column{Items: d.links(c.Get("items"))}
		textTo(c.Get("header"), &col.Header)
		f.Columns = append(f.Columns, col)
	}
	return f
}

func (d *decoder) links(v *jsontree.Value) (out []site.Link) {
	if v == nil {
		return nil
	}
	for _, item := range v.Items {
		if l, ok := d.link(item); ok {
			out = append(out, l)
		}
	}
	return out
}

// link decodes {label, href, type, icon}. A type that is the name of a network provides a label and an icon.
func (d *decoder) link(v *jsontree.Value) (l site.Link, ok bool) {
	textTo(v.Get("label"), &l.Label)
	textTo(v.Get("href"), &l.Href)
	l.Icon, l.IconType = icon(v.Get("icon"))
	textTo(v.Get("iconType"), &l.IconType)
	if t := v.Get("type").Text(); t == "github" || t == "discord" {
		if l.Label == "" {
			l.Label = brand(t)
		}
		if l.Icon == "" {
			l.Icon = t
		}
	}
	if l.Href == "" {
		d.list.Warnf(v.Pos(), "bad-link", "This link has no address.")
		return l, false
	}
	if l.Label == "" {
		l.Label = l.Href
	}
	return l, true
}

// icon decodes the name of an icon, or {name, style, library}.
func icon(v *jsontree.Value) (name, style string) {
	if v.Is(jsontree.String) {
		return strings.TrimSpace(v.Str), ""
	}
	textTo(v.Get("name"), &name)
	textTo(v.Get("style"), &style)
	if library := v.Get("library").Text(); library != "" && name != "" {
		name = library + ":" + name
	}
	return name, style
}

func (d *decoder) socials(v *jsontree.Value) (out []site.Link) {
	add := func(network, href string) {
		if href = strings.TrimSpace(href); href != "" {
			out = append(out, site.Link{Label: brand(network), Href: href, Icon: network})
		}
	}
	switch {
	case v.Is(jsontree.List): // the older form: [{type, url}]
		for _, item := range v.Items {
			add(item.Get("type").Text(), item.Get("url").Text())
		}
	case v.Is(jsontree.Object):
		for _, m := range v.Members {
			add(m.Key, m.Value.Text())
		}
	}
	return out
}

// brand returns a network's name in the spelling of its owner.
func brand(key string) string {
	names := []string{
		"GitHub", "GitLab", "LinkedIn", "YouTube", "TikTok", "WhatsApp", "Hacker News", "Stack Overflow", "X",
		"Twitter", "Bluesky",
		"Discord", "Slack", "Telegram", "Reddit", "Facebook", "Instagram", "Medium", "Threads", "Website",
		"Podcast", "Earth", "Mastodon", "Twitch",
	}
	switch key {
	case "x-twitter":
		return "X"
	case "earth-americas":
		return "Website"
	}
	i := slices.IndexFunc(names, func(n string) bool {
		return strings.EqualFold(strings.ReplaceAll(n, " ", ""), strings.NewReplacer("-", "", " ", "").Replace(key))
	})
	if i < 0 {
		return key
	}
	return names[i]
}

// banner decodes the banner, or returns nil if there is none.
func (d *decoder) banner(v *jsontree.Value) *site.Banner {
	content := v.Get("content")
	if !content.Is(jsontree.String) || strings.TrimSpace(content.Str) == "" {
		return nil
	}
	b := &site.Banner{Content: strings.TrimSpace(content.Str), Color: colorPair(v.Get("color")), Pos: content.Pos()}
	flagTo(v.Get("dismissible"), &b.Dismissible)
	textTo(v.Get("type"), &b.Type)
	return b
}

func (d *decoder) menu(v *jsontree.Value) (m site.Menu) {
	m.InTOC = v.Get("display").Text() == "toc"
	options := v.Get("options")
	if options == nil {
		return m
	}
	for _, o := range options.Items {
		if o.Is(jsontree.String) {
			m.Options = append(m.Options, site.MenuOption{Name: o.Str})
			continue
		}
		own := site.MenuOption{Query: query(o.Get("href").Get("query"))}
		textTo(o.Get("title"), &own.Title)
		textTo(o.Get("description"), &own.Description)
		own.Icon, own.IconType = icon(o.Get("icon"))
		textTo(o.Get("href"), &own.Href)
		textTo(o.Get("href").Get("base"), &own.Href)
		m.Options = append(m.Options, own)
	}
	return m
}

// query decodes [{key, value}] or {key: value}.
func query(v *jsontree.Value) (out []site.Meta) {
	if !v.Is(jsontree.List) {
		return metas(v)
	}
	for _, item := range v.Items {
		out = append(out, site.Meta{Name: item.Get("key").Text(), Content: item.Get("value").Text()})
	}
	return out
}

// PageMenu decodes "contextual" in a page's front matter: {options, display}, a list of options, or false for no
// menu. It returns nil if the page has no valid value. v may be nil.
func PageMenu(v *jsontree.Value) (*site.Menu, diag.List) {
	var list diag.List
	switch {
	case v == nil || v.Kind == jsontree.Null || v.True():
		return nil, nil
	case v.Is(jsontree.Bool):
		return &site.Menu{}, nil
	case v.Is(jsontree.List):
		options := v
		v = object1(options)
		put(v, "options", options)
	}
	if !newChecker(&list).check(v, contextualShape(), &place{key: "contextual", level: "contextual"}) {
		return nil, list
	}
	m := (&decoder{list: &list}).menu(v)
	return &m, list
}
