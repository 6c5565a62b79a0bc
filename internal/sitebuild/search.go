package sitebuild

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/pagetext"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/searchindex"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/web/theme"
)

// searchScripts are the parts of the engine; none when the site has no search.
func (b *builder) searchScripts() []string {
	if !b.opt.Search {
		return nil
	}
	return theme.Search()
}

// openSearch makes room for the index. Its shards are written between the pages, as they fill.
func (b *builder) openSearch(ctx context.Context) error {
	if !b.opt.Search {
		return nil
	}
	b.search = searchindex.NewBuilder(func(f searchindex.File) error {
		name := path.Join(searchindex.Folder, f.Name)
		return b.out.Put(ctx, outtree.File{Path: name, ContentType: outtree.ContentType(name), Data: f.Data, Immutable: f.Name != searchindex.EntryName})
	})
	return nil
}

// closeSearch writes what is left of the index.
func (b *builder) closeSearch(context.Context) error {
	if b.search == nil {
		return nil
	}
	if err := b.search.Close(); err != nil {
		return fmt.Errorf("close search index: %w", err)
	}
	b.search = nil
	return nil
}

// found adds a page to the index.
func (b *builder) found(r result) error {
	if b.search == nil || r.words == nil {
		return nil
	}
	if err := b.search.Add(r.words); err != nil {
		return fmt.Errorf("index page: %w", err)
	}
	return nil
}

// searchable tells whether readers may find a page: what is hidden or taken out by its author is not there. Pages that
// search engines must not list are.
func (b *builder) searchable(p *site.Page) bool {
	return b.opt.Search && !p.Unsearchable && !p.Hidden && p.External == "" && !b.trails[p.Path].hidden()
}

// words reads a page for the index; nil when it is not in it.
func (b *builder) words(p *site.Page, r *render.Page) *searchindex.Prepared {
	if !b.searchable(p) {
		return nil
	}
	at := b.spots[p.Path]
	if at == nil {
		at = &spot{}
	}
	out := searchindex.Page{
		Path: p.Path, Title: p.Title, Description: p.Description, Lead: r.Lead, Keywords: slices.Clip(p.Keywords), Crumbs: b.trails[p.Path].crumbs(), Tags: at.tags,
		Language: at.language, Version: at.version, Boost: p.Boost, Deprecated: p.Deprecated,
		Unlisted: !p.Listed && len(b.site.Nav) > 0, Reference: p.API != nil,
	}
	if out.Sections = pagetext.Sections(r.HTML); p.API == nil { // else the panel beside it has samples that were made up
		out.Sections = pagetext.Sections(r.HTML, r.Side)
	}
	if p.SidebarTitle != "" && p.SidebarTitle != p.Title {
		out.Keywords = append(out.Keywords, p.SidebarTitle)
	}
	if p.API != nil {
		out.Keywords = append(out.Keywords, strings.TrimSpace(p.API.Method+" "+p.API.Path))
	}
	return b.reader.Prepare(out)
}

// crumbs are the names of what stands around a page, outermost first, without languages: a reader sees one at a time.
func (t *trail) crumbs() (out []string) {
	for ; t != nil; t = t.up {
		if n := t.node; n.Title != "" && n.Kind != site.KindPage && n.Kind != site.KindLanguage {
			out = append(out, n.Title)
		}
	}
	slices.Reverse(out)
	return out
}

// spot is where a page stands among languages, versions and the parts that a question may be narrowed to.
type spot struct {
	language, version string // "" = in none, or in several
	tags              []string
}

// spots finds every page's, in all places that navigation has for it.
func spots(nav []*site.Node) map[string]*spot {
	out := map[string]*spot{}
	var walk func(nodes []*site.Node, at spot)
	walk = func(nodes []*site.Node, at spot) {
		for _, n := range nodes {
			here := at.in(n)
			if n.Page != "" {
				if out[n.Page] == nil {
					first := here
					out[n.Page] = &first
				}
				out[n.Page].join(here)
			}
			walk(n.Children, here)
		}
	}
	walk(nav, spot{})
	return out
}

// in is the spot of what stands below a node.
func (s spot) in(n *site.Node) spot {
	switch n.Kind {
	case site.KindLanguage:
		s.language = n.Title
	case site.KindVersion:
		s.version = n.Title
	case site.KindProduct, site.KindTab, site.KindDropdown, site.KindAnchor:
		if n.Title != "" {
			s.tags = append(slices.Clip(s.tags), n.Title)
		}
	}
	return s
}

// join adds another place of the same page.
func (s *spot) join(other spot) {
	if s.language != other.language {
		s.language = ""
	}
	if s.version != other.version {
		s.version = ""
	}
	for _, t := range other.tags {
		if !slices.Contains(s.tags, t) {
			s.tags = append(slices.Clip(s.tags), t)
		}
	}
}
