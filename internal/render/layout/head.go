package layout

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
)

func (s *pageWriter) head() {
	title := s.p.Page.Title
	if title != s.site.Name {
		title += " - " + s.site.Name
	}
	s.open(title)
	s.meta()
	s.alternates()
	s.counts()
	s.loads()
	if len(s.p.Graph) > 0 {
		s.d.Raw(`<script type="application/ld+json">`)
		s.d.Trusted(bytes.ReplaceAll(s.p.Graph, []byte("<"), []byte(`\u003c`))) // text cannot end the element
		s.d.Raw("</script>\n")
	}
	s.d.Raw("</head>\n")
}

// open writes the start of the document.
func (s *pageWriter) open(title string) {
	s.begin(title)
	s.shared()
}

// begin writes the part of the head that needs no other files.
func (s *pageWriter) begin(title string) {
	d := s.d
	d.Raw("<!doctype html>\n<html")
	d.Attr("lang", i18n.Tag(s.code))
	if i18n.RightToLeft(s.code) {
		d.Raw(` dir="rtl"`)
	}
	if s.site.Appearance.Strict && s.site.Appearance.Default == "dark" {
		d.Raw(` class="dark"`) // otherwise the boot script decides before the first paint
	}
	d.Attr("data-theme", themeName(s.site.Theme))
	d.Attr("data-appearance", s.site.Appearance.Default)
	if s.site.Appearance.Strict {
		d.Raw(" data-strict")
		if s.site.Appearance.Default != "system" {
			d.Attr("data-scheme", s.site.Appearance.Default)
		}
	}
	d.AttrIf("data-notice", s.bannerID())
	d.AttrIf("data-words", i18n.Script(s.code))
	d.Attr("data-current-path", s.path())
	d.Raw(">\n<head>\n", `<meta charset="utf-8">`, "\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>")
	d.Text(title)
	d.Raw("</title>\n")
}

// shared loads the files that all pages use.
func (s *pageWriter) shared() {
	d := s.d
	s.fonts()
	for _, sheet := range []string{s.assets.Style, s.assets.Site, s.assets.Icons} {
		s.sheet(sheet)
	}
	d.Raw("<script")
	d.Attr("src", s.links.File(s.assets.Boot))
	d.AttrIf("data-fonts", s.laterFonts())
	d.Raw("></script>\n<script defer")
	d.Attr("src", s.links.File(s.assets.Script))
	if s.p.Mermaid != "" {
		d.Attr("data-mermaid-src", s.links.File(s.p.Mermaid))
	}
	d.Raw("></script>\n")
	s.versionScript()
	s.favicon()
}

// themeName returns the variant of the design. For an unknown name, it returns the first variant.
func themeName(name string) string {
	switch name {
	case "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma":
		return name
	}
	return "mint"
}

// fonts preloads fonts. Browsers refuse such requests from disk. If links are relative, the boot script preloads the
// fonts instead, but only when the page is on a server.
func (s *pageWriter) fonts() {
	for _, font := range s.earlyFonts() {
		href := s.links.File(font)
		if relative(href) {
			continue
		}
		s.d.Raw(`<link rel="preload" as="font" type="font/woff2" crossorigin`)
		s.d.Attr("href", href)
		s.d.Raw(">\n")
	}
}

// earlyFonts returns the font files that the first text of the page uses.
func (s *pageWriter) earlyFonts() []string {
	code := s.assets.CodeFont
	if code == "" || !bytes.Contains(s.p.HTML, []byte("<code")) && len(s.p.Side) == 0 {
		return s.assets.Fonts
	}
	return append(slices.Clone(s.assets.Fonts), code)
}

// laterFonts returns the fonts that the boot script preloads, separated by spaces. URLs do not contain spaces.
func (s *pageWriter) laterFonts() string {
	var all []string
	for _, font := range s.earlyFonts() {
		if href := s.links.File(font); relative(href) {
			all = append(all, href)
		}
	}
	return strings.Join(all, " ")
}

func relative(href string) bool {
	return !strings.HasPrefix(href, "/") && !strings.Contains(href, "://")
}

func (s *pageWriter) sheet(path string) {
	if path == "" {
		return
	}
	s.d.Raw(`<link rel="stylesheet"`)
	s.d.Attr("href", s.links.File(path))
	s.d.Raw(">\n")
}

// loads writes the styles and scripts that only this page needs, followed by the author's own.
func (s *pageWriter) loads() {
	for _, list := range [][]string{s.p.Sheets, s.assets.Styles} {
		for _, sheet := range list {
			s.sheet(sheet)
		}
	}
	for _, list := range [][]string{s.p.Scripts, s.assets.Scripts} {
		for _, script := range list {
			s.d.Raw("<script defer")
			s.d.Attr("src", s.links.File(script))
			s.d.Raw("></script>\n")
		}
	}
}

func (s *pageWriter) favicon() {
	icon := s.site.Favicon
	light, dark := s.links.Address(icon.Light), s.links.Address(icon.Dark)
	switch {
	case light == "" && dark == "":
		writeIcon(s.d, "data:,", "") // no icon; otherwise browsers request one at the root and report it as missing
	case light == dark || dark == "":
		writeIcon(s.d, light, "")
	case light == "":
		writeIcon(s.d, dark, "")
	default:
		writeIcon(s.d, light, "(prefers-color-scheme: light)")
		writeIcon(s.d, dark, "(prefers-color-scheme: dark)")
	}
}

func writeIcon(d *htmlbuf.Buffer, href, media string) {
	d.Raw(`<link rel="icon"`)
	d.Attr("href", href)
	d.AttrIf("media", media)
	d.Raw(">\n")
}
