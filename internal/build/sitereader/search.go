package sitereader

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// Query describes a search. Empty filters match everything.
type Query struct {
	Text     string
	Limit    int // hits; 1 to MaxHits
	Language string
	Version  string
	Tag      string
	MinScore float64 // 0 to 1, as a share of the best hit's score
	Dialog   bool    // rank like the search dialog, where a query reads only a few files
	Anywhere bool    // if Language and Version are empty, search all; false = search the default ones first
}

// Limits of a query.
const (
	MaxHits = 50
	MaxText = 500 // characters
)

// Hit is a part of a page that matches a query.
type Hit struct {
	Path    string // of the page: "guides/start"
	Anchor  string // of the part; "" = the page's beginning
	Title   string
	Heading string // of the part; "" = none
	Crumbs  []string
	Text    string   // of the part
	Snippet string   // of the text, around the best match
	Marks   [][2]int // byte ranges of the snippet that match
	Score   float64  // 0 to 1: the best hit of an answer has 1
}

// match returns the text starting at the best match, up to the end of the snippet, or "" if only the headings
// match.
func (h Hit) match() string {
	if len(h.Marks) == 0 {
		return ""
	}
	return h.Snippet[h.Marks[0][0]:]
}

// index is the part of package searchindex that a search needs.
type index interface {
	search(ctx context.Context, q Query) ([]Hit, error)
	has(page string) (bool, error)
	pages(from string, limit int) ([]searchindex.Listed, error)
	means(term string) []string
}

// Searchable reports whether the site was built with a search index.
func (l *Library) Searchable() bool { return l.files.Has(indexEntry) }

// Search finds the parts of pages that match q, best first. For a site without an index, it returns a conflict.
func (l *Library) Search(ctx context.Context, q Query) ([]Hit, error) {
	if err := check(q); err != nil {
		return nil, err
	}
	if !l.Searchable() {
		return nil, fault.New(fault.Conflict, "no_search_index", "This site has no search index.").
			WithHint("The site was published while search was off. Publish it again.")
	}
	ix, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	hits, err := ix.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return l.keep(hits, q), nil
}

// Findable reports whether a search can find a page, which its author may have excluded or hidden. page is a path
// as returned by Page.
func (l *Library) Findable(ctx context.Context, page string) (bool, error) {
	if !l.Searchable() || !l.shown(page) {
		return false, nil
	}
	ix, err := l.open(ctx)
	if err != nil {
		return false, err
	}
	return ix.has(page)
}

// Listed is a page in a list of pages.
type Listed struct{ Path, Title string }

// Pages lists up to limit searchable pages sorted by path, starting with the first that is not before from. For a
// site without an index, the list is empty.
func (l *Library) Pages(ctx context.Context, from string, limit int) ([]Listed, error) {
	out := []Listed{}
	if !l.Searchable() {
		return out, nil
	}
	ix, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	for len(out) < limit {
		found, err := ix.pages(from, limit)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if len(out) < limit && l.shown(p.Path) && l.files.Has(link.Twin(p.Path)) {
				out = append(out, Listed(p))
			}
		}
		if len(found) < limit {
			break
		}
		from = found[len(found)-1].Path + "\x00"
	}
	return out, nil
}

func check(q Query) error {
	switch {
	case strings.TrimSpace(q.Text) == "":
		return fault.New(fault.Invalid, "invalid_field", "query must not be empty.").WithField("query")
	case utf8.RuneCountInString(q.Text) > MaxText:
		return fault.Newf(fault.Invalid, "invalid_field", "query may have at most %d characters.", MaxText).
			WithField("query")
	}
	return nil
}

// keep drops hits that are too weak, and those on restricted pages. The index should not contain restricted pages. The
// check is repeated because a page that leaks through search is worse than one that is not found.
func (l *Library) keep(hits []Hit, q Query) []Hit {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	out := []Hit{}
	for _, h := range hits {
		if best > 0 {
			h.Score /= best
		}
		if h.Score < q.MinScore || len(out) >= q.Limit || !l.shown(h.Path) {
			continue
		}
		out = append(out, h)
	}
	return out
}

func (l *Library) shown(page string) bool {
	return l.files.Has(link.File(page))
}

// open opens the index once. After an error, the next caller tries again.
func (l *Library) open(ctx context.Context) (index, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index != nil {
		return l.index, nil
	}
	ix, err := openIndex(ctx, l.files)
	if err != nil {
		return nil, err
	}
	l.index = ix
	return ix, nil
}
