package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// This file decides who and what may see a page.

// restrict takes the pages out that only some readers may see: nothing asks readers who they are, so a page that is published is for
// everybody, and no page of a site has Groups from here on. It returns the paths of those that are gone. An API description that has a
// part for some readers is not copied either, nor are the files that it is made of, whether or not a page shows the part.
func restrict(s *site.Site, set *openapi.Set) (out map[string]bool, list diag.List) {
	out = map[string]bool{}
	specs := map[string]bool{}
	for _, name := range set.Restricted() {
		specs[name] = true
	}
	kept := s.Pages[:0]
	for _, p := range s.Pages {
		more := p.Details()
		if len(more.Groups) == 0 || p.Public {
			if more.Groups != nil {
				more.Groups = nil
				p.SetDetails(more)
			}
			kept = append(kept, p)
			continue
		}
		out[p.Path] = true
		file := p.File
		if p.API != nil {
			specs[p.API.Spec] = true
			file = cmp.Or(file, p.API.Spec)
		}
		list.Warnf(diag.Pos{File: file}, "restricted-page",
			"The page %q is for some readers only, and readers do not log in, so it is not published.", p.Path)
		list.Hint(`Remove "groups", or set "public: true", to publish it for everybody.`)
	}
	s.Pages = kept
	files := map[string]bool{}
	for name := range specs {
		files[name] = true
		for _, file := range set.Files(name) {
			files[file] = true
		}
	}
	s.Assets = slices.DeleteFunc(s.Assets, func(a site.Asset) bool { return files[a.Path] })
	return out, list
}

// places is what navigation says about the pages at one place.
type places struct {
	boost          float64
	hidden, silent bool
}

// inherit hands what groups and divisions say down to their pages. The nearest weight wins, and a page's own before it. A page with
// several places is hidden, or out of search, if it is at all of them.
func inherit(s *site.Site) {
	type sum struct{ listed, hidden, silent int }
	sums := map[*site.Page]*sum{}
	enter := func(path string, at places) {
		p := s.Find(path)
		if p == nil {
			return
		}
		if sums[p] == nil {
			sums[p] = &sum{}
			if p.Boost == 0 {
				p.Boost = at.boost
			}
		}
		sums[p].listed++
		if at.hidden {
			sums[p].hidden++
		}
		if at.silent {
			sums[p].silent++
		}
	}
	var walk func(nodes []*site.Node, at places)
	walk = func(nodes []*site.Node, at places) {
		for _, n := range nodes {
			here := places{boost: at.boost, hidden: at.hidden || n.Hidden, silent: at.silent || n.Unsearchable}
			if own := n.Details().Boost; own > 0 {
				here.boost = own
			}
			if n.Page != "" {
				enter(n.Page, here)
			}
			walk(n.Children, here)
		}
	}
	walk(s.Nav, places{})
	for _, p := range s.Pages {
		if got := sums[p]; got != nil {
			p.Hidden = p.Hidden || got.hidden == got.listed
			p.Unsearchable = p.Unsearchable || got.silent == got.listed
		}
		if p.NoIndex { // the author's own word, which the format also means for the site's search and its assistant
			p.Unsearchable = true
		}
		p.NoIndex = p.NoIndex || p.Hidden || strings.Contains(strings.ToLower(p.Details().Robots), "noindex")
	}
}
