package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// This file decides which readers and search engines may see a page.

// visibility returns who may see a page. The order of precedence is: the page's own "public" setting, its groups, and
// then the "public" setting of the navigation.
func visibility(p *site.Page) reader.Visibility {
	return reader.Visibility{Public: p.Public, Groups: p.Details().Groups}
}

// publish marks the pages that the navigation makes public. The nearest entry with a setting takes effect, unless the
// page sets it itself. A page with several entries is public only if all of them are.
func publish(s *site.Site, nav []*site.Node) {
	type sum struct{ listed, public int }
	sums := map[*site.Page]*sum{}
	var walk func(nodes []*site.Node, public bool)
	walk = func(nodes []*site.Node, public bool) {
		for _, n := range nodes {
			here := public
			if own := n.Details().Public; own != nil {
				here = *own
			}
			if p := findPage(s, n.Page); p != nil {
				if sums[p] == nil {
					sums[p] = &sum{}
				}
				sums[p].listed++
				if here {
					sums[p].public++
				}
			}
			walk(n.Children, here)
		}
	}
	says := false // most sites have no such setting
	site.Walk(nav, func(n *site.Node) bool {
		says = says || n.Details().Public != nil
		return !says
	})
	if !says {
		return
	}
	walk(nav, false)
	for p, got := range sums {
		if more := p.Details(); got.public == got.listed && !more.NotPublic && len(more.Groups) == 0 {
			p.Public = true
		}
	}
}

// findPage returns the page of a navigation entry, or nil.
func findPage(s *site.Site, named string) *site.Page {
	if named == "" {
		return nil
	}
	if p := s.Find(named); p != nil {
		return p
	}
	return s.Find(named + "/index")
}

// selected describes the part of a site that a view includes.
type selected struct {
	view     reader.View
	withheld map[string]bool // paths of pages that the view excludes
	specs    map[string]bool // API descriptions of which the view excludes a part
	filtered map[string]bool // API descriptions that the view includes without the excluded part
	groups   []string        // all groups that the site names, sorted
	entries  []string        // text of the navigation before pages were withheld
}

// restrict removes pages that readers of the view may not see. After that, no page of a site has Groups. Readers get
// API descriptions without the operations that they may not see, whether or not a page shows these operations. If a
// description cannot be filtered, neither the description nor the files it refers to are copied.
func restrict(s *site.Site, set *openapi.Set, view reader.View) (out selected, list diag.List) {
	out = selected{view: view, withheld: map[string]bool{}, specs: map[string]bool{}, filtered: map[string]bool{}}
	hidden := map[string][]*openapi.Operation{} // description → operations of withheld pages; nil for other parts
	for _, name := range set.Restricted(view.Allows) {
		out.specs[name] = true
	}
	groups := set.Groups()
	kept := make([]*site.Page, 0, len(s.Pages))
	for _, p := range s.Pages {
		more := p.Details()
		groups = append(groups, more.Groups...)
		if view.Allows(visibility(p)) {
			if more.Groups != nil {
				more.Groups = nil
				p.SetDetails(more)
			}
			kept = append(kept, p)
			continue
		}
		out.withheld[p.Path] = true
		file := p.File
		if p.API != nil {
			out.specs[p.API.Spec] = true
			hidden[p.API.Spec] = append(hidden[p.API.Spec], set.Operation(p.API.Spec, p.API.Method, p.API.Path))
			file = cmp.Or(file, p.API.Spec)
		}
		if len(more.Groups) == 0 {
			continue // the author of a protected site expects this
		}
		list.Warnf(diag.Pos{File: file}, "restricted-page",
			"The page %q is only for readers in some groups. It is not shown to %s.", p.Path, view)
		list.Hint(`To publish it for everyone, remove "groups" or set "public: true".`)
	}
	s.Pages = kept
	out.groups = reader.New(groups...).Groups
	files := map[string]bool{}
	for name := range out.specs {
		if out.filtered[name] = filterSpec(s, set.Spec(name), view, hidden[name]); out.filtered[name] {
			continue
		}
		files[name] = true
		for _, file := range set.Files(name) {
			files[file] = true
		}
	}
	s.Assets = slices.DeleteFunc(s.Assets, func(a site.Asset) bool { return files[a.Path] })
	return out, list
}

// filterSpec replaces the file of an API description with a copy that lacks the operations which readers of the view
// may not see.
func filterSpec(s *site.Site, spec *openapi.Spec, view reader.View, hidden []*openapi.Operation) bool {
	i := -1
	if spec != nil {
		i = slices.IndexFunc(s.Assets, func(a site.Asset) bool { return a.Path == spec.Name })
	}
	if i < 0 || slices.Contains(hidden, nil) { // a withheld page shows a schema or a missing part
		return false
	}
	text, ok := spec.Filtered(func(o *openapi.Operation) bool {
		return view.Allows(o.Visibility()) && !slices.Contains(hidden, o)
	})
	if ok {
		s.Assets = slices.Clone(s.Assets) // the site with all pages keeps the original file
		s.Assets[i] = site.Asset{Path: spec.Name, Size: int64(len(text)), Data: text}
	}
	return ok
}

// places holds the settings that pages at a position in the navigation inherit.
type places struct {
	boost          float64
	hidden, silent bool
}

// inherit applies the settings of groups and divisions to their pages. The nearest weight takes effect, unless the page
// sets its own. A page with several entries is hidden only if all of them are hidden, and excluded from search only if
// all of them are.
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
		if p.NoIndex { // set by the author; the format also applies it to the site's own search and assistant
			p.Unsearchable = true
		}
		p.NoIndex = p.NoIndex || p.Hidden || strings.Contains(strings.ToLower(p.Details().Robots), "noindex")
	}
}
