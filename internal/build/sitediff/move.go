package sitediff

import (
	"bytes"
	"hash/fnv"
	"slices"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// Limits for matching removed pages with added ones.
const (
	maxMatched = 5000 // maximum number of removed pages, and of added pages, that are compared
	minShare   = 50   // minimum percentage of the longer page's lines that both pages have, like git's for renames
)

// outline is the text of a page as a set of lines.
type outline struct {
	page  *site.Page
	whole uint64
	lines map[uint64]int // hash of a line → number of occurrences
	count int
}

// findMoves fills c.moved. It maps each removed page to the added page that has the same or nearly the same text. same
// contains the removed pages whose text is unchanged. Pages generated from an API description match if they show the
// same part of it.
func (c *comparison) findMoves(removed, added []*site.Page) (same map[string]bool) {
	same = map[string]bool{}
	taken := map[string]bool{}
	match := func(from, to *site.Page, equal bool) {
		c.moved[from.Path], same[from.Path], taken[to.Path] = to.Path, equal, true
	}
	before, after := c.base.outlines(removed), c.head.outlines(added)
	whole := map[uint64][]outline{}
	for _, o := range after {
		whole[o.whole] = append(whole[o.whole], o)
	}
	for _, o := range before {
		for _, n := range whole[o.whole] {
			if !taken[n.page.Path] {
				match(o.page, n.page, true)
				break
			}
		}
	}
	holders := map[uint64][]int{} // line → positions in after
	for i, o := range after {
		for line := range o.lines {
			holders[line] = append(holders[line], i)
		}
	}
	for _, o := range before {
		if _, done := c.moved[o.page.Path]; done {
			continue
		}
		if best := nearest(o, after, holders, taken); best != nil {
			match(o.page, best.page, false)
		}
	}
	c.matchGenerated(removed, added, match)
	return same
}

// nearest returns the outline that has the most lines in common with o, or nil if none has enough.
func nearest(o outline, after []outline, holders map[uint64][]int, taken map[string]bool) (best *outline) {
	shared := map[int]int{}
	for line, n := range o.lines {
		for _, i := range holders[line] {
			shared[i] += min(n, after[i].lines[line])
		}
	}
	most := 0
	for i := range after { // in path order, so that the result is always the same
		share := 0
		if n := max(o.count, after[i].count); n > 0 {
			share = 100 * shared[i] / n
		}
		if share >= minShare && share > most && !taken[after[i].page.Path] {
			best, most = &after[i], share
		}
	}
	return best
}

// matchGenerated matches pages without their own file.
func (c *comparison) matchGenerated(removed, added []*site.Page, match func(from, to *site.Page, same bool)) {
	type part struct {
		kind         site.APIKind
		method, path string
	}
	to := map[part]*site.Page{}
	for _, p := range added {
		if p.API != nil {
			to[part{p.API.Kind, p.API.Method, p.API.Path}] = p
		}
	}
	for _, p := range removed {
		if _, done := c.moved[p.Path]; done || p.API == nil {
			continue
		}
		key := part{p.API.Kind, p.API.Method, p.API.Path}
		if target := to[key]; target != nil {
			match(p, target, true)
			delete(to, key)
		}
	}
}

// outlines reads the sources of pages. It skips pages without a file.
func (s *State) outlines(pages []*site.Page) (out []outline) {
	for _, p := range pages[:min(len(pages), maxMatched)] {
		if p.File == "" {
			continue
		}
		source, list := load.ReadSource(s.src, p)
		if list != nil {
			continue
		}
		o := outline{page: p, whole: hash(source.Raw), lines: map[uint64]int{}}
		for line := range bytes.Lines(source.Raw) {
			if line = bytes.TrimSpace(line); len(line) > 3 { // not the delimiters of front matter and code
				o.lines[hash(line)]++
				o.count++
			}
		}
		out = append(out, o)
	}
	return slices.Clip(out)
}

func hash(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b) // a hash never fails
	return h.Sum64()
}
