package build

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// name returns the site's name, followed by the language and version of a variant.
func (m *listMaker) name(v variant) string {
	name := m.src.site.Name
	for _, part := range []string{v.language, v.version} {
		if part != "" {
			name += " - " + part
		}
	}
	return name
}

// index builds the list of pages for llms.txt; full is the path of its llms-full.txt.
func (m *listMaker) index(v variant, pages []*entry, full string) llmstxt.Index {
	x := llmstxt.Index{
		Name: m.name(v), Description: m.src.site.Description, Note: m.src.site.AgentNote,
		Full: m.addr.Public(full),
	}
	if m.addr.Mapped() || m.src.authorHas("sitemap.xml") {
		x.More = m.addr.Public("sitemap.xml")
	}
	at := map[string]int{}
	var away []llmstxt.Link
	for _, e := range pages {
		if to := e.page.Details().External; to != "" {
			if !link.Safe(to) {
				continue
			}
			away = append(away, llmstxt.Link{Title: e.page.Title, URL: to, Description: e.page.Description})
			continue
		}
		section := "More pages"
		if t := m.nav.trail(e.page.Path); t != nil {
			section = t.section()
		}
		i, ok := at[section]
		if !ok {
			i = len(x.Sections)
			at[section] = i
			x.Sections = append(x.Sections, llmstxt.Section{Title: section})
		}
		l := llmstxt.Link{
			Title: e.page.Title, URL: m.addr.Public(link.Twin(e.page.Path)),
			Description: cmp.Or(e.page.Description, e.lead),
		}
		x.Sections[i].Links = append(x.Sections[i].Links, l)
	}
	for _, s := range []llmstxt.Section{
		{Title: "API descriptions", Links: m.specLinks(pages)}, {Title: "Optional", Links: m.externalLinks(v, away)},
	} {
		if len(s.Links) > 0 {
			x.Sections = append(x.Sections, s)
		}
	}
	return x
}

// apiDescription is an API description that pages show and readers can download.
type apiDescription struct {
	spec *openapi.Spec
	url  string
	page *site.Page // the first page about it
}

// descriptions returns the API descriptions behind pages, in the order of the pages.
func (m *listMaker) descriptions(pages []*entry) (out []apiDescription) {
	seen := map[string]bool{}
	for _, e := range pages {
		if e.page.API == nil || e.page.API.Spec == "" || seen[e.page.API.Spec] {
			continue
		}
		name := e.page.API.Spec
		seen[name] = true
		spec := m.src.specs.Spec(name)
		switch {
		case spec == nil || m.src.restricted[name]:
		case openapi.Remote(name):
			if link.Safe(name) {
				out = append(out, apiDescription{spec, name, e.page})
			}
		case m.src.authorHas(name):
			out = append(out, apiDescription{spec, m.addr.Public(name), e.page})
		}
	}
	return out
}

func (m *listMaker) specLinks(pages []*entry) (out []llmstxt.Link) {
	for _, d := range m.descriptions(pages) {
		out = append(out, llmstxt.Link{Title: cmp.Or(d.spec.Title, path.Base(d.spec.Name)), URL: d.url})
	}
	return out
}

// externalLinks returns the site's links to other sites.
func (m *listMaker) externalLinks(v variant, links []llmstxt.Link) []llmstxt.Link {
	add := func(title, href string) {
		if !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") || !link.Safe(href) ||
			title == "" {
			return
		}
		links = append(links, llmstxt.Link{Title: title, URL: href})
	}
	var walk func(nodes []*site.Node, up *trail)
	walk = func(nodes []*site.Node, up *trail) {
		for _, n := range nodes {
			t := &trail{n, up}
			if n.Hidden {
				continue
			}
			if n.Href != "" && m.nav.variant(t) == v {
				add(n.Title, n.Href)
			}
			walk(n.Children, t)
		}
	}
	walk(m.src.site.Nav, nil)
	for _, l := range m.src.site.Navbar.Links {
		add(l.Label, l.Href)
	}
	if p := m.src.site.Navbar.Primary; p != nil {
		add(p.Label, p.Href)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(links, func(l llmstxt.Link) bool {
		twice := seen[l.URL]
		seen[l.URL] = true
		return twice
	})
}
