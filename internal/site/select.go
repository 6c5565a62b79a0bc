package site

import (
	"iter"
	"slices"
	"strings"
)

// Find returns the page with the given path, or nil.
func (s *Site) Find(path string) *Page {
	i, ok := s.Index(path)
	if !ok {
		return nil
	}
	return s.Pages[i]
}

// Index returns the index in Pages of the page with the given path. It also applies to lists that are parallel to
// Pages.
func (s *Site) Index(path string) (i int, ok bool) {
	return slices.BinarySearchFunc(s.Pages, path,
		func(p *Page, path string) int { return strings.Compare(p.Path, path) })
}

// Paths returns the paths of all pages, in order.
func (s *Site) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range s.Pages {
			if !yield(p.Path) {
				return
			}
		}
	}
}

// FindAsset returns the asset with the given path, or nil.
func (s *Site) FindAsset(path string) *Asset {
	i, ok := slices.BinarySearchFunc(s.Assets, path,
		func(a Asset, path string) int { return strings.Compare(a.Path, path) })
	if !ok {
		return nil
	}
	return &s.Assets[i]
}

// Only returns the site reduced to the pages in paths. All other pages move to Left. It ignores unknown paths.
func (s *Site) Only(paths []string) *Site {
	want := map[string]bool{}
	for _, p := range paths {
		want[p] = true
	}
	out := *s
	out.Pages, out.Left = nil, nil
	for _, p := range s.Pages {
		if want[p.Path] {
			out.Pages = append(out.Pages, p)
		} else {
			out.Left = append(out.Left, p.Path)
		}
	}
	out.Nav = Prune(s.Nav, func(page string) bool { return want[page] })
	return &out
}
