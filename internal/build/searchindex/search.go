package searchindex

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Query is a question.
type Query struct {
	Text     string
	Limit    int    // hits; 0 = 10, at most 100
	Language string // "" = every one; pages without a language, version or tag are always searched
	Version  string
	Tag      string // a product or tab
}

// Hit is a place that answers it. Hits on one page follow each other, three at most.
type Hit struct {
	Path    string
	Anchor  string // "" = the page itself
	Title   string
	Heading string // "" = the page itself
	Crumbs  []string
	Snippet Snippet
	Text    string // of the place, at most a few paragraphs
	Score   float64
}

// Snippet is plain text around the best match.
type Snippet struct {
	Text  string
	Marks [][2]int // byte ranges of what matches
}

const (
	limitDefault = 10
	limitMax     = 100
	perPage      = 3 // hits on one page
	chunksLooked = 4 // chunks of a page that may become hits; some belong to the same section
	spare        = 4 // pages that are looked at beyond those that are asked for
)

// Search answers a question. A question without words has no hits.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	units := parseQuery(strings.ToValidUTF8(q.Text, "\uFFFD"))
	if len(units) == 0 || x.entry.Chunks == 0 {
		return nil, ctx.Err()
	}
	if q.Limit <= 0 {
		q.Limit = limitDefault
	}
	q.Limit = min(q.Limit, limitMax)
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := x.match(u); err != nil {
			return nil, fmt.Errorf("match %q: %w", u.ways[0][0], err)
		}
	}
	found := x.rank(units, q)
	for i := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := x.rescore(&found[i], units); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(found, better)
	return hits(found, units, q.Limit), nil
}

// better orders pages: by score, then as they are numbered.
func better(a, b pageFound) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return a.page - b.page
}

// hits shows what was found.
func hits(found []pageFound, units []*unit, limit int) (out []Hit) {
	for _, p := range found {
		shown := map[string]bool{}
		for _, c := range p.chunks {
			if len(out) == limit {
				return out
			}
			anchor, heading := c.text[0], c.text[1]
			if shown[anchor] || len(shown) == perPage {
				continue
			}
			shown[anchor] = true
			out = append(out, Hit{
				Path: p.meta.path, Anchor: anchor, Title: p.meta.title, Heading: heading, Crumbs: p.meta.crumbs,
				Snippet: snippet(c.text[2], c.text[3], units), Text: strings.TrimSpace(c.text[2] + "\n" + c.text[3]),
				Score: p.score * c.score / p.best,
			})
		}
	}
	return out
}
