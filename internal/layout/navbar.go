package layout

import (
	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
)

func (f *Frame) navbar(d *markup.Buffer, links Links, at *place) {
	d.Raw(`<header class="navbar"><div class="navbar-row">`)
	f.brand(d, links)
	d.Raw(`<nav class="navbar-links" aria-label="Site">`)
	f.navbarLinks(d, links)
	d.Raw("</nav>")
	if !f.site.Appearance.Strict {
		d.Raw(`<button class="scheme" type="button" aria-label="Switch between light and dark" hidden><svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4.5"/><path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19"/></svg><svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.500 10.500z"/></svg></button>`)
	}
	d.Raw("</div>\n")
	f.tabs(d, links, at)
	d.Raw("</header>\n")
}

func (f *Frame) brand(d *markup.Buffer, links Links) {
	href := links.Root()
	if f.site.Logo.Href != "" {
		if own := links.Address(f.site.Logo.Href); own != "" {
			href = own
		}
	}
	d.Raw(`<a class="brand"`)
	d.Attr("href", href)
	d.Raw(">")
	light, dark := links.Address(f.site.Logo.Light), links.Address(f.site.Logo.Dark)
	switch {
	case light == "" || dark == "":
		d.Text(f.site.Name)
	case light == dark:
		logo(d, "", light, f.site.Name)
	default:
		logo(d, "only-light", light, f.site.Name)
		logo(d, "only-dark", dark, f.site.Name)
	}
	d.Raw("</a>")
}

func logo(d *markup.Buffer, class, src, alt string) {
	d.Raw("<img")
	d.AttrIf("class", class)
	d.Attr("src", src)
	d.Attr("alt", alt)
	d.Raw(` height="28">`)
}

func (f *Frame) navbarLinks(d *markup.Buffer, links Links) {
	for _, l := range f.site.Navbar.Links {
		f.outward(d, links, "", l)
	}
	if f.site.Navbar.Primary != nil {
		f.outward(d, links, "button", *f.site.Navbar.Primary)
	}
}

// outward writes a link of the site file; nothing when its address is refused.
func (f *Frame) outward(d *markup.Buffer, links Links, class string, l site.Link) {
	href := links.Address(l.Href)
	if href == "" {
		return
	}
	d.Raw("<a")
	d.AttrIf("class", class)
	d.Attr("href", href)
	if l.Label == l.Href { // the author gave an icon only
		d.Attr("aria-label", l.Label)
	}
	d.Raw(">")
	if !f.icon(d, links, l.Icon) || l.Label != l.Href {
		d.Text(l.Label)
	}
	d.Raw("</a>")
}

// tabs writes a row for each level on the way to the page that has tabs.
func (f *Frame) tabs(d *markup.Buffer, links Links, at *place) {
	if at == nil {
		return
	}
	chain := at.entry.chain()
	for i, level := range chain {
		open := false
		for _, c := range level.children {
			if c.node.Kind != site.KindTab && c.node.Kind != site.KindMenu {
				continue
			}
			if !open {
				d.Raw(`<nav class="tabs" aria-label="Sections">`)
				open = true
			}
			f.division(d, links, c, i+1 < len(chain) && chain[i+1] == c)
		}
		if open {
			d.Raw("</nav>\n")
		}
	}
}

// division writes the link to a part of the site: to its first page, or to where it leads.
func (f *Frame) division(d *markup.Buffer, links Links, e *entry, current bool) {
	href := ""
	if e.first != "" {
		href = links.Page(e.first, "")
	} else {
		href = links.Address(e.node.Href)
	}
	if href == "" {
		return
	}
	d.Raw("<a")
	d.Attr("href", href)
	if current {
		d.Raw(` aria-current="true"`)
	}
	d.Raw(">")
	f.icon(d, links, e.icon())
	d.Text(divisionTitle(e))
	if e.node.Tag != "" {
		d.Raw(` <span class="tag">`)
		d.Text(e.node.Tag)
		d.Raw("</span>")
	}
	d.Raw("</a>")
}

func divisionTitle(e *entry) string {
	if e.node.Kind == site.KindLanguage {
		return languageName(e.node.Title)
	}
	return e.title()
}

func languageName(code string) string {
	for _, l := range [][2]string{
		{"en", "English"}, {"es", "Español"}, {"fr", "Français"}, {"de", "Deutsch"}, {"it", "Italiano"}, {"pt", "Português"}, {"pt-BR", "Português (Brasil)"},
		{"zh", "简体中文"}, {"cn", "简体中文"}, {"zh-Hans", "简体中文"}, {"zh-Hant", "繁體中文"}, {"ja", "日本語"}, {"jp", "日本語"}, {"ko", "한국어"}, {"ru", "Русский"},
		{"ar", "العربية"}, {"nl", "Nederlands"}, {"pl", "Polski"}, {"tr", "Türkçe"}, {"uk", "Українська"}, {"vi", "Tiếng Việt"}, {"hi", "हिन्दी"}, {"id", "Indonesia"},
	} {
		if l[0] == code {
			return l[1]
		}
	}
	return code
}
