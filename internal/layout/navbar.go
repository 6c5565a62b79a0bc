package layout

import "github.com/lectern-docs/lectern/internal/site"

func (f *Frame) navbar(d *doc, links Links, at *place) {
	d.raw(`<header class="navbar"><div class="navbar-row">`)
	f.brand(d, links)
	d.raw(`<nav class="navbar-links" aria-label="Site">`)
	f.navbarLinks(d, links)
	d.raw("</nav>")
	if !f.site.Appearance.Strict {
		d.raw(`<button class="scheme" type="button" aria-label="Switch between light and dark" hidden><svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4.5"/><path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19"/></svg><svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.500 10.500z"/></svg></button>`)
	}
	d.raw("</div>\n")
	f.tabs(d, links, at)
	d.raw("</header>\n")
}

func (f *Frame) brand(d *doc, links Links) {
	href := links.Root()
	if f.site.Logo.Href != "" {
		if own := links.Address(f.site.Logo.Href); own != "" {
			href = own
		}
	}
	d.raw(`<a class="brand"`)
	d.attr("href", href)
	d.raw(">")
	light, dark := links.Address(f.site.Logo.Light), links.Address(f.site.Logo.Dark)
	switch {
	case light == "" || dark == "":
		d.text(f.site.Name)
	case light == dark:
		logo(d, "", light, f.site.Name)
	default:
		logo(d, "only-light", light, f.site.Name)
		logo(d, "only-dark", dark, f.site.Name)
	}
	d.raw("</a>")
}

func logo(d *doc, class, src, alt string) {
	d.raw("<img")
	d.attrIf("class", class)
	d.attr("src", src)
	d.attr("alt", alt)
	d.raw(` height="28">`)
}

func (f *Frame) navbarLinks(d *doc, links Links) {
	for _, l := range f.site.Navbar.Links {
		outward(d, links, "", l)
	}
	if f.site.Navbar.Primary != nil {
		outward(d, links, "button", *f.site.Navbar.Primary)
	}
}

// outward writes a link of the site file; nothing when its address is refused.
func outward(d *doc, links Links, class string, l site.Link) {
	href := links.Address(l.Href)
	if href == "" {
		return
	}
	d.raw("<a")
	d.attrIf("class", class)
	d.attr("href", href)
	d.raw(">")
	d.text(l.Label)
	d.raw("</a>")
}

// tabs writes a row for each level on the way to the page that has tabs.
func (f *Frame) tabs(d *doc, links Links, at *place) {
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
				d.raw(`<nav class="tabs" aria-label="Sections">`)
				open = true
			}
			f.division(d, links, c, i+1 < len(chain) && chain[i+1] == c)
		}
		if open {
			d.raw("</nav>\n")
		}
	}
}

// division writes the link to a part of the site: to its first page, or to where it leads.
func (f *Frame) division(d *doc, links Links, e *entry, current bool) {
	href := ""
	if e.first != "" {
		href = links.Page(e.first, "")
	} else {
		href = links.Address(e.node.Href)
	}
	if href == "" {
		return
	}
	d.raw("<a")
	d.attr("href", href)
	if current {
		d.raw(` aria-current="true"`)
	}
	d.raw(">")
	d.text(divisionTitle(e))
	if e.node.Tag != "" {
		d.raw(` <span class="tag">`)
		d.text(e.node.Tag)
		d.raw("</span>")
	}
	d.raw("</a>")
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
