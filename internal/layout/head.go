package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

func (f *Frame) head(d *markup.Buffer, p Page, at *place) {
	title := p.Page.Title + " - " + f.site.Name
	description := p.Page.Description
	if description == "" {
		description = p.Lead
	}
	f.open(d, p.Links, at, title, p.Mermaid)
	named(d, "description", description)
	named(d, "keywords", strings.Join(p.Page.Keywords, ", "))
	switch {
	case p.Page.Robots != "":
		named(d, "robots", p.Page.Robots)
	case p.Page.NoIndex || p.Page.Hidden:
		named(d, "robots", "noindex")
	}
	d.Raw(`<link rel="canonical"`)
	d.Attr("href", p.Canonical)
	d.Raw(">\n")
	if p.Twin != "" {
		d.Raw(`<link rel="alternate" type="text/markdown"`)
		d.Attr("href", p.Links.File(p.Twin))
		d.Raw(">\n")
	}
	f.cards(d, p, description)
	own(d, p)
	d.Raw("</head>\n")
}

// own writes the styles and scripts that only this page needs.
func own(d *markup.Buffer, p Page) {
	for _, sheet := range p.Sheets {
		d.Raw(`<link rel="stylesheet"`)
		d.Attr("href", p.Links.File(sheet))
		d.Raw(">\n")
	}
	for _, script := range p.Scripts {
		d.Raw("<script defer")
		d.Attr("src", p.Links.File(script))
		d.Raw("></script>\n")
	}
}

// open writes what every document starts with.
// diagrams is the path of the script that draws them, or "".
func (f *Frame) open(d *markup.Buffer, links Links, at *place, title, diagrams string) {
	d.Raw("<!doctype html>\n<html")
	code := language(at)
	d.Attr("lang", code)
	if rightToLeft(code) {
		d.Raw(` dir="rtl"`)
	}
	d.Attr("data-appearance", f.site.Appearance.Default)
	if f.site.Appearance.Strict {
		d.Raw(" data-strict")
		if f.site.Appearance.Default != "system" {
			d.Attr("data-scheme", f.site.Appearance.Default)
		}
	}
	d.Raw(">\n<head>\n", `<meta charset="utf-8">`, "\n", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>")
	d.Text(title)
	d.Raw("</title>\n")
	for _, sheet := range []string{f.assets.Style, f.assets.Site, f.assets.Icons} {
		if sheet == "" {
			continue
		}
		d.Raw(`<link rel="stylesheet"`)
		d.Attr("href", links.File(sheet))
		d.Raw(">\n")
	}
	d.Raw("<script")
	d.Attr("src", links.File(f.assets.Boot))
	d.Raw("></script>\n<script defer")
	d.Attr("src", links.File(f.assets.Script))
	if diagrams != "" {
		d.Attr("data-mermaid-src", links.File(diagrams))
	}
	d.Raw("></script>\n")
	icon := links.Address(f.site.Favicon.Light)
	if f.site.Favicon.Light == "" || icon == "" {
		icon = "data:," // none: browsers would ask for one at the root and report that it is missing
	}
	d.Raw(`<link rel="icon"`)
	d.Attr("href", icon)
	d.Raw(">\n")
}

// cards writes the elements that other sites read when they show a link. The author's own win.
func (f *Frame) cards(d *markup.Buffer, p Page, description string) {
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

func named(d *markup.Buffer, name, content string) {
	if content == "" {
		return
	}
	d.Raw("<meta")
	d.Attr("name", name)
	d.Attr("content", content)
	d.Raw(">\n")
}

func property(d *markup.Buffer, name, content string) {
	if content == "" {
		return
	}
	d.Raw("<meta")
	d.Attr("property", name)
	d.Attr("content", content)
	d.Raw(">\n")
}

// language is the code of the language division around a page; English without one.
func language(at *place) string {
	if at != nil {
		for _, e := range at.entry.chain() {
			if e.node.Kind == site.KindLanguage {
				return standard(e.node.Title)
			}
		}
	}
	return "en"
}

// standard is the code that browsers know for one that site files use.
func standard(code string) string {
	switch code {
	case "cn":
		return "zh-Hans"
	case "jp":
		return "ja"
	}
	return code
}

// rightToLeft tells whether a language is written from the right.
func rightToLeft(code string) bool {
	base, _, _ := strings.Cut(strings.ToLower(code), "-")
	switch base {
	case "ar", "he", "fa", "ur", "ps", "yi", "ckb", "dv", "sd", "ug":
		return true
	}
	return false
}
