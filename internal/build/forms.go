package build

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/feed"
	"github.com/lectern-docs/lectern/internal/build/jsonld"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// forms renders the machine-readable forms of a page: Markdown and the feed. Both come from the tree that the page
// itself was rendered from.
func (b *builder) forms(c *content, p *site.Page, v *view, raw []byte, expanded *expand.Page, rendered *render.Page, api *apipage.Page) {
	resolve := func(dest string, _ bool) (string, bool) {
		href := v.From.Markdown(v.resolve(dest))
		return href, href != ""
	}
	page := markdown.Page{Title: p.Title, Description: p.Description, Index: listAddress(v.From, b.nav.listFile(p)), Nodes: expanded.Nodes, DropTitle: p.TitleInBody}
	text := markdown.Render(page, resolve)
	if api != nil {
		text = append(text, api.Twin(resolve)...)
	}
	text = append(text, b.agentNote()...)
	if p.File == "skill.md" && !p.Listed { // a skill of the author's: its front matter is part of it
		text = raw
	}
	c.twin = b.docs.pack(text)
	if p.Feed {
		c.feed = b.feed(p, v, expanded, rendered)
	}
}

// agentNote returns the end of every Markdown form: the author's note to agents, if there is one.
func (b *builder) agentNote() string {
	if note := markdown.Note(b.src.site.AgentNote); note != "" {
		return "\n" + note
	}
	return ""
}

// feed renders the RSS feed of a changelog page.
func (b *builder) feed(p *site.Page, v *view, expanded *expand.Page, rendered *render.Page) []byte {
	places := make([]feed.Place, len(rendered.Headings))
	for i, h := range rendered.Headings {
		places[i] = feed.Place{ID: h.ID, Text: h.Text}
	}
	out := feed.Page{
		Title: p.Title + " - " + b.src.site.Name, Description: p.Description, URL: b.addr.canonical(p),
		Language: b.nav.trail(p.Path).language(),
		Entries: feed.Entries(expanded.Nodes, places, func(dest string, _ bool) (string, bool) {
			href := b.addr.absolute(p, v.resolve(dest))
			return href, href != ""
		}),
	}
	if b.opt.BaseURL != "" {
		out.Self = b.addr.Public(feedFile(p))
	}
	return out.Render()
}

// graph returns the JSON-LD graph of a page for search engines. Without an origin there is none, because a graph needs
// absolute addresses.
func (b *builder) graph(r *result, card string, modified time.Time) []byte {
	p := r.page
	if b.opt.BaseURL == "" || !b.nav.listed(p) {
		return nil
	}
	absolute := func(ref string) string {
		t := b.addr.From("index", "index").Resolve(rooted(ref))
		switch {
		case ref == "" || t.Href == "" || t.Kind == link.Broken:
			return ""
		case t.Kind == link.External:
			return t.Href
		}
		return b.addr.Public(strings.TrimPrefix(rooted(ref), "/"))
	}
	root := strings.TrimRight(b.opt.BaseURL, "/")
	org := b.src.site.SEO.Organization
	org.Logo = absolute(org.Logo)
	s := jsonld.Site{URL: root, Name: b.src.site.Name, Description: b.src.site.Description, Logo: absolute(b.src.site.Logo.Light), Organization: org}
	page := jsonld.Page{
		URL: b.addr.canonical(p), Title: p.Title, Description: p.Description, Language: b.nav.trail(p.Path).language(), Image: card,
		Keywords: p.Details().Keywords, API: p.API != nil, Modified: modified, Crumbs: b.crumbs(p, root),
	}
	if page.Description == "" {
		page.Description = r.entry.lead
	}
	return jsonld.Render(s, page)
}

// crumbs lists the ancestors of a page that have a page themselves, from the root down.
func (b *builder) crumbs(p *site.Page, root string) []jsonld.Crumb {
	var out []jsonld.Crumb
	for t := b.nav.trail(p.Path); t != nil; t = t.up {
		first, kind := t.node.First(), t.node.Kind
		if kind == site.KindPage || kind == site.KindLanguage || first == p.Path || first == "index" {
			continue
		}
		if found := b.src.site.Find(first); found == nil || !b.nav.listed(found) {
			continue
		}
		if url := b.addr.Canonical(first); len(out) == 0 || out[0].URL != url { // the innermost name is the most specific
			out = append([]jsonld.Crumb{{Name: t.node.Title, URL: url}}, out...)
		}
	}
	out = append([]jsonld.Crumb{{Name: b.src.site.Name, URL: root + "/"}}, out...)
	if p.Path != "index" {
		out = append(out, jsonld.Crumb{Name: p.Title, URL: b.addr.canonical(p)})
	}
	return out
}
