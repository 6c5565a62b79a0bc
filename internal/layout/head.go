package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

func (f *Frame) head(d *doc, p Page, at *place) {
	title := p.Page.Title + " - " + f.site.Name
	description := p.Page.Description
	if description == "" {
		description = p.Lead
	}
	f.open(d, p.Links, at, title)
	named(d, "description", description)
	named(d, "keywords", strings.Join(p.Page.Keywords, ", "))
	switch {
	case p.Page.Robots != "":
		named(d, "robots", p.Page.Robots)
	case p.Page.NoIndex || p.Page.Hidden:
		named(d, "robots", "noindex")
	}
	d.raw(`<link rel="canonical"`)
	d.attr("href", p.Canonical)
	d.raw(">\n")
	if p.Twin != "" {
		d.raw(`<link rel="alternate" type="text/markdown"`)
		d.attr("href", p.Links.File(p.Twin))
		d.raw(">\n")
	}
	f.cards(d, p, description)
	d.raw("</head>\n")
}

// open writes what every document starts with.
func (f *Frame) open(d *doc, links Links, at *place, title string) {
	d.raw("<!doctype html>\n<html")
	d.attr("lang", language(at))
	d.attr("data-appearance", f.site.Appearance.Default)
	if f.site.Appearance.Strict {
		d.raw(" data-strict")
		if f.site.Appearance.Default != "system" {
			d.attr("data-scheme", f.site.Appearance.Default)
		}
	}
	d.raw(">\n<head>\n", `<meta charset="utf-8">`, "\n", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>")
	d.text(title)
	d.raw("</title>\n")
	for _, sheet := range []string{f.assets.Style, f.assets.Site} {
		d.raw(`<link rel="stylesheet"`)
		d.attr("href", links.File(sheet))
		d.raw(">\n")
	}
	d.raw("<script")
	d.attr("src", links.File(f.assets.Boot))
	d.raw("></script>\n<script defer")
	d.attr("src", links.File(f.assets.Script))
	d.raw("></script>\n")
	if f.site.Favicon != "" {
		if href := links.Address(f.site.Favicon); href != "" {
			d.raw(`<link rel="icon"`)
			d.attr("href", href)
			d.raw(">\n")
		}
	}
}

// cards writes the elements that other sites read when they show a link. The author's own win.
func (f *Frame) cards(d *doc, p Page, description string) {
	own := map[string]bool{}
	for _, m := range p.Page.Meta {
		own[m.Name] = true
		property(d, m.Name, m.Content)
	}
	for _, m := range []site.Meta{
		{Name: "og:title", Content: p.Page.Title}, {Name: "og:site_name", Content: f.site.Name}, {Name: "og:type", Content: "article"},
		{Name: "og:url", Content: p.Canonical}, {Name: "og:description", Content: description},
	} {
		if !own[m.Name] {
			property(d, m.Name, m.Content)
		}
	}
}

func named(d *doc, name, content string) {
	if content == "" {
		return
	}
	d.raw("<meta")
	d.attr("name", name)
	d.attr("content", content)
	d.raw(">\n")
}

func property(d *doc, name, content string) {
	if content == "" {
		return
	}
	d.raw("<meta")
	d.attr("property", name)
	d.attr("content", content)
	d.raw(">\n")
}

// language is the code of the language division around a page; English without one.
func language(at *place) string {
	if at != nil {
		for _, e := range at.entry.chain() {
			if e.node.Kind == site.KindLanguage {
				return e.node.Title
			}
		}
	}
	return "en"
}
