package rename

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/load"
)

// Repair computes the changes to the site file for pages that have already moved: redirects from their old paths, and
// updates of navigation entries and redirects that still use the old paths. From and To of the moves are page paths. To
// must exist in the folder; From must not. A navigation entry is not changed if the new page already has an entry.
func Repair(ctx context.Context, src fs.FS, moves []Move) (*Plan, error) {
	loaded, _, err := load.Load(ctx, src, load.Options{Workers: 4, Author: true})
	if err != nil {
		return nil, fmt.Errorf("plan move: %w", err)
	}
	p := &planner{
		src: src, site: loaded.Site, files: loaded.Files, moved: map[string]string{}, pages: map[string]string{},
		folders: map[string]bool{},
		present: map[string]bool{}, assets: map[string]bool{}, plan: &Plan{},
	}
	listed := map[string]bool{}
	for _, page := range p.site.Pages {
		p.present[page.Path], listed[page.Path] = true, page.Listed
	}
	named := map[string]string{} // pages whose navigation entries change too
	for _, m := range moves {
		p.pages[m.From], p.present[m.From] = m.To, true
		if !listed[m.To] {
			named[m.From], listed[m.To] = m.To, true
		}
	}
	site, err := p.openSite()
	if err != nil {
		return nil, err
	}
	all := p.pages
	p.pages = named
	for _, e := range site {
		e.walk(e.root, "")
	}
	p.pages = all
	if err := p.redirects(site, true); err != nil {
		return nil, err
	}
	slices.SortFunc(p.plan.Edits, func(a, b Edit) int { return strings.Compare(a.File, b.File) })
	return p.plan, nil
}
