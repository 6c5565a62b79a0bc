package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// This file decides which readers and search engines may see a page.

// restrict removes pages that only some readers may see: sites do not authenticate readers, so a published page is
// public, and no page of a site has Groups from here on. It returns the paths of the removed pages. An API description
// with a restricted part is not copied either, nor are the files it refers to, whether or not a page shows the part.
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
			"The page %q is restricted to some readers. Readers do not sign in, so it is not published.", p.Path)
		list.Hint(`To publish it for everyone, remove "groups" or set "public: true".`)
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

// places is the inherited settings of one position in navigation.
type places struct {
	boost          float64
	hidden, silent bool
}

// inherit applies the settings of groups and divisions to their pages. The nearest weight wins, and a page's own weight
// before it. A page with several entries is hidden, or excluded from search, if that holds for all of them.
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
		if p.NoIndex { // set by the author; the format also applies it to the site's search and its assistant
			p.Unsearchable = true
		}
		p.NoIndex = p.NoIndex || p.Hidden || strings.Contains(strings.ToLower(p.Details().Robots), "noindex")
	}
}
