package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// meta writes the metadata for search engines and other sites: the page's own first, then the site's, then the
// platform's. Each name is written once.
func (s *pageWriter) meta() {
	p := s.p.Page
	m := &metas{d: s.d, written: map[string]bool{}}
	for _, own := range p.Details().Meta {
		m.write(own.Name, own.Content)
	}
	canonical := s.canonical()
	if !strings.Contains(canonical, "://") && relative(s.links.Root()) {
		canonical = "" // the tree is relative and its public URL is unknown
	}
	for _, ours := range s.site.SEO.Meta {
		if name := strings.ToLower(ours.Name); name != "canonical" && name != "og:url" {
			m.write(ours.Name, ours.Content)
		}
	}
	description := p.Description
	if description == "" {
		description = s.p.Lead
	}
	m.write("description", description)
	m.write("keywords", strings.Join(p.Details().Keywords, ", "))
	m.write("robots", s.robots())
	m.write("generator", "Lectern")
	kind := "article"
	if p.Path == "index" {
		kind = "website"
	}
	m.write("og:title", p.Title)
	m.write("og:site_name", s.site.Name)
	m.write("og:type", kind)
	m.write("og:url", canonical)
	m.write("og:description", description)
	m.write("og:locale", strings.ReplaceAll(i18n.Tag(s.code), "-", "_"))
	s.cardMeta(m, description)
	if canonical != "" {
		s.d.Raw(`<link rel="canonical"`)
		s.d.Attr("href", canonical)
		s.d.Raw(">\n")
	}
}

// cardMeta writes the preview image that other sites show with a link.
func (s *pageWriter) cardMeta(m *metas, description string) {
	card := "summary"
	picture := s.p.Card
	if !strings.Contains(picture, "://") { // other sites could not load a relative URL
		picture = ""
	}
	if m.written["og:image"] || m.written["twitter:image"] {
		picture, card = "", "summary_large_image" // the author has set an image
	}
	if picture != "" {
		card = "summary_large_image"
		m.write("og:image", picture)
		m.write("og:image:width", "1200")
		m.write("og:image:height", "630")
		m.write("og:image:alt", s.p.Page.Title)
	}
	m.write("twitter:card", card)
	m.write("twitter:title", s.p.Page.Title)
	m.write("twitter:description", description)
	m.write("twitter:image", picture)
}

func (s *pageWriter) robots() string {
	switch p, own := s.p.Page, s.p.Page.Details().Robots; {
	case own != "":
		return own
	case p.NoIndex, p.Hidden, s.site.SEO.NoIndex:
		return "noindex"
	}
	return ""
}

// canonical returns the canonical URL of the page. A site may declare another origin as the canonical one.
func (s *pageWriter) canonical() string {
	if s.p.Page.Details().Canonical != "" {
		return s.p.Canonical
	}
	for _, m := range s.site.SEO.Meta {
		elsewhere := strings.TrimRight(m.Content, "/")
		if strings.EqualFold(m.Name, "canonical") && strings.HasPrefix(elsewhere, "https://") {
			path := strings.TrimPrefix(s.p.Canonical, s.assets.Origin)
			if strings.HasPrefix(path, "/") {
				return elsewhere + path
			}
		}
	}
	return s.p.Canonical
}

// alternates links to other forms of the page: Markdown, feed, other languages.
func (s *pageWriter) alternates() {
	if s.p.Twin != "" {
		s.alternate("text/markdown", "", s.links.File(s.p.Twin))
	}
	if s.p.Feed != "" {
		s.alternate("application/rss+xml", s.p.Page.Title, s.links.File(s.p.Feed))
	}
	if s.assets.Llms != "" {
		s.alternate("text/plain", "llms.txt", s.links.File(s.assets.Llms))
	}
	s.translations()
}

func (s *pageWriter) alternate(kind, title, href string) {
	s.d.Raw(`<link rel="alternate"`)
	s.d.Attr("type", kind)
	s.d.AttrIf("title", title)
	s.d.Attr("href", href)
	s.d.Raw(">\n")
}

// translations links to the page in other languages. Search engines accept only absolute URLs.
func (s *pageWriter) translations() {
	if !s.listed || s.assets.Canonical == nil || !strings.Contains(s.p.Canonical, "://") {
		return
	}
	here, all := s.level(site.KindLanguage)
	type version struct{ language, page string }
	var found []version
	standard := ""
	for _, e := range all {
		page := s.p.Page.Path
		if e != here {
			page = s.counterpart(here, e)
		}
		if page == "" {
			continue
		}
		found = append(found, version{i18n.Tag(e.node.Title), page})
		if e.node.Default || standard == "" && e.index == 0 {
			standard = page
		}
	}
	if len(found) < 2 {
		return
	}
	for _, v := range found {
		s.translation(v.language, v.page)
	}
	if standard != "" {
		s.translation("x-default", standard)
	}
}

func (s *pageWriter) translation(language, page string) {
	s.d.Raw(`<link rel="alternate"`)
	s.d.Attr("hreflang", language)
	s.d.Attr("href", s.assets.Canonical(page))
	s.d.Raw(">\n")
}

// metas writes meta elements, each name once.
type metas struct {
	d       *htmlbuf.Buffer
	written map[string]bool
}

func (m *metas) write(name, content string) {
	key := strings.ToLower(name)
	if content == "" || name == "" || m.written[key] {
		return
	}
	m.written[key] = true
	m.d.Raw("<meta")
	if prefix, _, ok := strings.Cut(key, ":"); ok && prefix != "twitter" {
		m.d.Attr("property", name)
	} else {
		m.d.Attr("name", name)
	}
	m.d.Attr("content", content)
	m.d.Raw(">\n")
}
