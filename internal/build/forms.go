package build

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/build/feed"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site"
)

// markdown renders the Markdown form of a page from the same tree as the page itself. raw is the page's source, api
// the part that comes from its API description.
func (r *contentRenderer) markdown(
	p *site.Page, raw []byte, expanded *expand.Page, api *apipage.Page, v *view,
) []byte {
	if p.File == "skill.md" && !p.Listed { // an author's skill, whose front matter is part of its text
		return raw
	}
	resolve := func(dest string, _ bool) (string, bool) {
		href := v.From.Markdown(v.resolve(dest))
		return href, href != ""
	}
	text := markdown.Render(markdown.Page{
		Title: p.Title, Description: p.Description, Index: listAddress(v.From, r.nav.listFile(p)),
		Nodes: expanded.Nodes, DropTitle: p.TitleInBody,
	}, resolve)
	if api != nil {
		text = append(text, api.Twin(resolve)...)
	}
	return append(text, agentNote(r.src.site)...)
}

// agentNote returns the text at the end of every Markdown form: the author's note to agents, if there is one.
func agentNote(s *site.Site) string {
	if note := markdown.Note(s.AgentNote); note != "" {
		return "\n" + note
	}
	return ""
}

// feed renders the RSS feed of a changelog page.
func (r *contentRenderer) feed(p *site.Page, expanded *expand.Page, rendered *render.Page, v *view) []byte {
	places := make([]feed.Place, len(rendered.Headings))
	for i, h := range rendered.Headings {
		places[i] = feed.Place{ID: h.ID, Text: h.Text}
	}
	out := feed.Page{
		Title: p.Title + " - " + r.src.site.Name, Description: p.Description, URL: r.addr.canonical(p),
		Language: r.nav.trail(p.Path).language(),
		Entries: feed.Entries(expanded.Nodes, places, func(dest string, _ bool) (string, bool) {
			href := r.addr.absolute(p, v.resolve(dest))
			return href, href != ""
		}),
	}
	if r.addr.baseURL != "" {
		out.Self = r.addr.Public(feedFile(p))
	}
	return out.Render()
}

// feedFile returns the path of a page's RSS feed, or "".
func feedFile(p *site.Page) string {
	if !p.Feed {
		return ""
	}
	if dir, ok := strings.CutSuffix("/"+p.Path, "/index"); ok {
		return strings.TrimPrefix(dir+"/rss.xml", "/")
	}
	return p.Path + "/rss.xml"
}
