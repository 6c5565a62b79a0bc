package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// meta writes what search engines and other sites read: the page's own first, then the site's, then ours. Each name stands once.
func (s *scene) meta() {
	p := s.p.Page
	m := &metas{d: s.d, said: map[string]bool{}}
	for _, own := range p.Details().Meta {
		m.say(own.Name, own.Content)
	}
	canonical := s.canonical()
	if !strings.Contains(canonical, "://") && relative(s.links.Root()) {
		canonical = "" // a tree that works anywhere, and nobody said where it is published
	}
	for _, ours := range s.site.SEO.Meta {
		if name := strings.ToLower(ours.Name); name != "canonical" && name != "og:url" {
			m.say(ours.Name, ours.Content)
		}
	}
	description := p.Description
	if description == "" {
		description = s.p.Lead
	}
	m.say("description", description)
	m.say("keywords", strings.Join(p.Details().Keywords, ", "))
	m.say("robots", s.robots())
	m.say("generator", "Lectern")
	kind := "article"
	if p.Path == "index" {
		kind = "website"
	}
	m.say("og:title", p.Title)
	m.say("og:site_name", s.site.Name)
	m.say("og:type", kind)
	m.say("og:url", canonical)
	m.say("og:description", description)
	m.say("og:locale", strings.ReplaceAll(i18n.Tag(s.code), "-", "_"))
	s.cardMeta(m, description)
	if canonical != "" {
		s.d.Raw(`<link rel="canonical"`)
		s.d.Attr("href", canonical)
		s.d.Raw(">\n")
	}
}

// cardMeta writes the picture that other sites show beside a link.
func (s *scene) cardMeta(m *metas, description string) {
	card := "summary"
	picture := s.p.Card
	if !strings.Contains(picture, "://") { // others could not find it
		picture = ""
	}
	if m.said["og:image"] || m.said["twitter:image"] {
		picture, card = "", "summary_large_image" // the author's own
	}
	if picture != "" {
		card = "summary_large_image"
		m.say("og:image", picture)
		m.say("og:image:width", "1200")
		m.say("og:image:height", "630")
		m.say("og:image:alt", s.p.Page.Title)
	}
	m.say("twitter:card", card)
	m.say("twitter:title", s.p.Page.Title)
	m.say("twitter:description", description)
	m.say("twitter:image", picture)
}

func (s *scene) robots() string {
	switch p, own := s.p.Page, s.p.Page.Details().Robots; {
	case own != "":
		return own
	case p.NoIndex, p.Hidden, s.site.SEO.NoIndex:
		return "noindex"
	}
	return ""
}

// canonical is the page's one address. A site may say that it stands elsewhere as a whole.
func (s *scene) canonical() string {
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

// alternates names other forms of the page: Markdown, feed, other languages.
func (s *scene) alternates() {
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

func (s *scene) alternate(kind, title, href string) {
	s.d.Raw(`<link rel="alternate"`)
	s.d.Attr("type", kind)
	s.d.AttrIf("title", title)
	s.d.Attr("href", href)
	s.d.Raw(">\n")
}

// translations names the same page in other languages. Search engines take whole addresses only.
func (s *scene) translations() {
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

func (s *scene) translation(language, page string) {
	s.d.Raw(`<link rel="alternate"`)
	s.d.Attr("hreflang", language)
	s.d.Attr("href", s.assets.Canonical(page))
	s.d.Raw(">\n")
}

// metas writes meta elements, each name once.
type metas struct {
	d    *htmlbuf.Buffer
	said map[string]bool
}

func (m *metas) say(name, content string) {
	key := strings.ToLower(name)
	if content == "" || name == "" || m.said[key] {
		return
	}
	m.said[key] = true
	m.d.Raw("<meta")
	if prefix, _, ok := strings.Cut(key, ":"); ok && prefix != "twitter" {
		m.d.Attr("property", name)
	} else {
		m.d.Attr("name", name)
	}
	m.d.Attr("content", content)
	m.d.Raw(">\n")
}
