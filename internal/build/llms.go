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

// nameOf returns the site's name, followed by the language and version of a variant.
func (b *builder) nameOf(v variant) string {
	name := b.src.site.Name
	for _, part := range []string{v.language, v.version} {
		if part != "" {
			name += " - " + part
		}
	}
	return name
}

// llmsIndex builds the list of pages for llms.txt.
func (b *builder) llmsIndex(v variant, pages []*entry, full string) llmstxt.Index {
	x := llmstxt.Index{
		Name: b.nameOf(v), Description: b.src.site.Description, Note: b.src.site.AgentNote,
		Full: b.addr.Public(full),
	}
	if b.addr.Mapped() || b.src.authorHas("sitemap.xml") {
		x.More = b.addr.Public("sitemap.xml")
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
		if t := b.nav.trail(e.page.Path); t != nil {
			section = t.section()
		}
		i, ok := at[section]
		if !ok {
			i = len(x.Sections)
			at[section] = i
			x.Sections = append(x.Sections, llmstxt.Section{Title: section})
		}
		l := llmstxt.Link{Title: e.page.Title, URL: b.addr.Public(link.Twin(e.page.Path)), Description: cmp.Or(e.page.Description, e.lead)}
		x.Sections[i].Links = append(x.Sections[i].Links, l)
	}
	for _, s := range []llmstxt.Section{{Title: "API descriptions", Links: b.specLinks(pages)}, {Title: "Optional", Links: b.externalLinks(v, away)}} {
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
	page *site.Page // the first about it
}

// descriptions returns the API descriptions behind pages, in the order of the pages.
func (b *builder) descriptions(pages []*entry) (out []apiDescription) {
	seen := map[string]bool{}
	for _, e := range pages {
		if e.page.API == nil || e.page.API.Spec == "" || seen[e.page.API.Spec] {
			continue
		}
		name := e.page.API.Spec
		seen[name] = true
		spec := b.src.specs.Spec(name)
		switch {
		case spec == nil:
		case openapi.Remote(name):
			if link.Safe(name) {
				out = append(out, apiDescription{spec, name, e.page})
			}
		case b.src.authorHas(name):
			out = append(out, apiDescription{spec, b.addr.Public(name), e.page})
		}
	}
	return out
}

func (b *builder) specLinks(pages []*entry) (out []llmstxt.Link) {
	for _, d := range b.descriptions(pages) {
		out = append(out, llmstxt.Link{Title: cmp.Or(d.spec.Title, path.Base(d.spec.Name)), URL: d.url})
	}
	return out
}

// externalLinks returns the links of the site that lead away from it.
func (b *builder) externalLinks(v variant, links []llmstxt.Link) []llmstxt.Link {
	add := func(title, href string) {
		if !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") || !link.Safe(href) || title == "" {
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
			if n.Href != "" && b.nav.variant(t) == v {
				add(n.Title, n.Href)
			}
			walk(n.Children, t)
		}
	}
	walk(b.src.site.Nav, nil)
	for _, l := range b.src.site.Navbar.Links {
		add(l.Label, l.Href)
	}
	if p := b.src.site.Navbar.Primary; p != nil {
		add(p.Label, p.Href)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(links, func(l llmstxt.Link) bool {
		twice := seen[l.URL]
		seen[l.URL] = true
		return twice
	})
}
