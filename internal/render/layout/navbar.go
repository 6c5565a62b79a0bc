package layout

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

func (s *pageWriter) navbar() {
	d := s.d
	d.Raw(`<header class="navbar"`)
	s.id("navbar")
	d.Raw(`><div class="navbar-row"><div class="navbar-start">`)
	s.brand()
	s.versions()
	s.switcher(site.KindVersion, s.words.Version)
	d.Raw("</div>\n")
	s.searchButton()
	d.Raw(`<div class="navbar-end topbar-right-container">`)
	s.askButton()
	if c := s.chrome.Navbar; len(c.Links) > 0 || c.Primary != nil {
		d.Raw(`<nav class="navbar-links"`)
		s.id("topbar-links")
		d.Attr("aria-label", s.words.Site)
		d.Raw("><ul>")
		for _, l := range c.Links {
			d.Raw(`<li class="navbar-link">`)
			s.outward("", l)
			d.Raw("</li>")
		}
		if c.Primary != nil {
			d.Raw("<li")
			s.id("topbar-cta-button")
			d.Raw(">")
			s.outward("button", *c.Primary)
			d.Raw("</li>")
		}
		d.Raw("</ul></nav>\n")
	}
	s.switcher(site.KindLanguage, s.words.Language)
	if !s.site.Appearance.Strict {
		d.Raw(`<button class="scheme icon-button" type="button" data-component-name="theme-toggle"`)
		d.Attr("aria-label", s.words.Scheme)
		d.Raw(
			` hidden><svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4"/></svg><svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/></svg></button>`)
	}
	s.signIn()
	d.Raw("</div></div>\n")
	s.tabs(s.tabRows())
	d.Raw("</header>\n")
}

// signIn writes a link to the sign-in page of a private site, for readers who have not signed in. The sign-in page then
// sends them back to this page.
func (s *pageWriter) signIn() {
	if s.assets.SignIn == "" {
		return
	}
	d := s.d
	d.Raw(`<a class="sign-in icon-button" rel="nofollow" data-reload`)
	d.Attr("href", s.assets.SignIn+"?next="+url.QueryEscape(s.links.Page(s.p.Page.Path, "")))
	d.Attr("title", s.words.SignIn)
	d.Attr("aria-label", s.words.SignIn)
	d.Raw(`><svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M14.5 4H18a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-3.5M10 8l4 4-4 4M14 12H4"/></svg></a>`)
}

func (s *pageWriter) brand() {
	d := s.d
	href := s.links.Root()
	if s.site.Logo.Href != "" {
		if own := s.links.Address(s.site.Logo.Href); own != "" {
			href = own
		}
	}
	d.Raw(`<a class="brand"`)
	d.Attr("href", href)
	d.Raw(">")
	light, dark := s.links.Address(s.site.Logo.Light), s.links.Address(s.site.Logo.Dark)
	switch {
	case light == "" || dark == "":
		d.Text(s.site.Name)
	case light == dark:
		s.logo("nav-logo", light, s.site.Logo.Light)
	default:
		s.logo("nav-logo only-light", light, s.site.Logo.Light)
		s.logo("nav-logo only-dark", dark, s.site.Logo.Dark)
	}
	d.Raw("</a>\n")
}

// logo writes an image of the logo. ref is its reference in the site file.
func (s *pageWriter) logo(class, src, ref string) {
	const height = 24
	d := s.d
	d.Raw("<img")
	d.AttrIf("class", class)
	d.Attr("src", src)
	d.Attr("alt", s.site.Name)
	if w, h := s.links.Size(ref); w > 0 && h > 0 {
		d.Attr("width", strconv.Itoa(max(1, (w*height+h/2)/h))) // so that the bar does not move while the image loads
	}
	d.Attr("height", strconv.Itoa(height))
	d.Raw(">")
}

// searchButton writes the button that opens the search. A script shows it. It writes nothing if the site has no
// search.
func (s *pageWriter) searchButton() {
	if s.assets.Search == "" || s.assets.Index == "" {
		return
	}
	d, hint := s.d, s.site.SearchHint
	if hint == "" {
		hint = s.words.SearchHint
	}
	const probe = "lectern"
	d.Raw(`<button class="search-button" type="button" data-search hidden`)
	s.id("search-bar-entry")
	d.Attr("data-engine", s.links.File(s.assets.Search))
	d.Attr("data-index", s.links.File(s.assets.Index))
	d.Attr("data-root", strings.TrimSuffix(s.links.File(probe), probe))
	d.Attr("data-suffix", s.suffix())
	d.Attr("data-language", s.code)
	version := ""
	if here, _ := s.level(site.KindVersion); here != nil {
		version = here.node.Title
	}
	d.Attr("data-version", version)
	d.Attr("data-hint", hint)
	d.Raw(
		` aria-keyshortcuts="Meta+K Control+K"><svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="6.5"/><path d="M16 16l4.5 4.5"/></svg><span data-platform>`)
	d.Text(hint)
	d.Raw(`</span><kbd dir="ltr" data-platform>⌘K</kbd></button>`, "\n")
}

func (s *pageWriter) navbarLinks() {
	for _, l := range s.chrome.Navbar.Links {
		s.outward("", l)
	}
	if s.chrome.Navbar.Primary != nil {
		s.outward("button", *s.chrome.Navbar.Primary)
	}
}

// outward writes a link from the site file. It writes nothing if the URL is refused.
func (s *pageWriter) outward(class string, l site.Link) {
	d, href := s.d, s.links.Address(l.Href)
	if href == "" {
		return
	}
	d.Raw("<a")
	d.AttrIf("class", class)
	d.Attr("href", href)
	if l.Label == l.Href { // the author set only an icon
		d.Attr("aria-label", l.Label)
	}
	d.Raw(">")
	if class != "" {
		// Authors' CSS for "#topbar-cta-button a > span" must not match the span in "a > div > span".
		d.Raw(`<span aria-hidden="true"></span><div>`)
	}
	if !s.icon(l.Icon, l.IconType) || l.Label != l.Href {
		d.Raw("<span>")
		d.Text(l.Label)
		d.Raw("</span>")
	}
	if class != "" { // authors' CSS also hides or colours the arrow
		d.Raw(`<svg class="button-arrow" viewBox="0 0 24 24" aria-hidden="true"><path d="m9 6 6 6-6 6"/></svg></div>`)
	}
	d.Raw("</a>")
}
