package searchindex

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Query describes a search.
type Query struct {
	Text     string
	Limit    int    // maximum number of hits; 0 = 10, at most 100
	Language string // "" = all; pages without a language, version or tag are always searched
	Version  string
	Tag      string // a product or tab
	// Whole makes the query read all useful files: every word is looked up, and the text of every candidate counts.
	// Otherwise, the query reads no more files than a reader should have to wait for, and its hits are in the order
	// that readers see.
	Whole bool
	// Texts is the number of shards of text that may be read in addition to those that decide the order. With them,
	// more hits have text, and pages about which nothing else is known become hits too. AllTexts means no limit.
	Texts int
}

// AllTexts is the value of Query.Texts that means no limit.
const AllTexts = math.MaxInt

// Answer is the result of a query.
type Answer struct {
	Hits []Hit
	More bool // reading more text shards would give more hits
}

// Hit is a location that matches a query. A page has at most three hits, and they are consecutive.
type Hit struct {
	Path    string
	Anchor  string // "" = the page itself
	Title   string
	Heading string // "" = the page itself
	Crumbs  []string
	Snippet Snippet
	Text    string // at the location, at most a few paragraphs; "" if its shard was not read
	Score   float64
}

// Snippet is plain text around the best match.
type Snippet struct {
	Text  string
	Marks [][2]int // byte ranges of the matches
}

const (
	limitDefault = 10
	limitMax     = 100
	perPage      = 3 // hits on one page
	chunksLooked = 4 // chunks of a page that may become hits; some belong to the same section
	spare        = 4 // additional pages that are examined
)

// Search is like Find, but without a budget.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	q.Whole = true
	a, err := x.Find(ctx, q)
	return a.Hits, err
}

// Find runs a query. A query without words has no hits.
func (x *Index) Find(ctx context.Context, q Query) (a Answer, err error) {
	text := strings.ToValidUTF8(q.Text, "\uFFFD")
	units := parseQuery(text)
	if len(units) == 0 || x.entry.Chunks == 0 {
		return a, ctx.Err()
	}
	if q.Limit <= 0 {
		q.Limit = limitDefault
	}
	q.Limit = min(q.Limit, limitMax)
	r := x.plan(text, units, budgetOf(q))
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		if err := r.match(u); err != nil {
			return a, fmt.Errorf("match %q: %w", u.ways[0][0], err)
		}
	}
	found, err := r.rank(units, q)
	if err != nil {
		return a, err
	}
	texts, most := map[int]bool{}, r.textsFor(found)
	for i := range found {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		if err := r.fillIn(&found[i], texts, most); err != nil {
			return a, err
		}
		r.rescore(&found[i], units)
	}
	slices.SortStableFunc(found, better)
	most = len(texts) + min(q.Texts, AllTexts-len(texts))
	for i := range found {
		if err := r.fillIn(&found[i], texts, most); err != nil {
			return a, err
		}
	}
	return answer(found, units, q.Limit), ctx.Err()
}

// fillIn reads the text of a page's chunks whose shards are in texts. It adds shards to texts, up to most in total.
func (x *reading) fillIn(p *pageFound, texts map[int]bool, most int) (err error) {
	for i := range p.chunks {
		c := &p.chunks[i]
		at := holder(x.docs, c.chunk)
		if c.text != nil || !texts[at] && len(texts) >= most {
			continue
		}
		texts[at] = true
		if p.meta, c.text, err = x.text(p.page, c.chunk); err != nil {
			return err
		}
	}
	return nil
}

// better orders pages by score, then by number.
func better(a, b pageFound) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return a.page - b.page
}

// answer returns the hits. The hits on a page are the locations whose text was read, or the page itself if no text was
// read.
func answer(found []pageFound, units []*unit, limit int) (a Answer) {
	for _, p := range found {
		shown := map[string]bool{}
		for _, c := range p.chunks {
			if a.More = a.More || c.text == nil; c.text == nil || len(a.Hits) == limit {
				continue
			}
			anchor, heading := c.text[0], c.text[1]
			if shown[anchor] || len(shown) == perPage {
				continue
			}
			shown[anchor] = true
			a.Hits = append(a.Hits, Hit{
				Path: p.meta.path, Anchor: anchor, Title: p.meta.title, Heading: heading, Crumbs: p.meta.crumbs,
				Snippet: snippet(c.text[2], c.text[3], units), Text: strings.TrimSpace(c.text[2] + "\n" + c.text[3]),
				Score: p.score * c.score / p.best,
			})
		}
		if p.meta != nil && len(shown) == 0 && len(a.Hits) < limit {
			a.Hits = append(a.Hits, Hit{Path: p.meta.path, Title: p.meta.title, Crumbs: p.meta.crumbs, Score: p.score})
		}
	}
	return a
}
