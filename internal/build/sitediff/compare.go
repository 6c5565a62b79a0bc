package sitediff

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// Page is a page in a list of changes.
type Page struct {
	Path    string // "guides/start"
	Address string // "/guides/start"
	Title   string
	File    string // in the docs folder; "" = generated from an API description
}

// Move is a page with a new address.
type Move struct {
	From, To Page
	Same     bool // the source did not change
}

// Cause returns a sentence that says which commit removed something: "Removed by 1a2b3c4d5e \"Tidy up\"."; "" =
// unknown. Exactly one of file (a removed source file) and text (a passage that was in the site file) is set.
type Cause func(ctx context.Context, file, text string) string

// Result is the result of a comparison. Lists are sorted by address.
type Result struct {
	Added, Removed []Page
	Changed        []Page // same address, different text
	Moved          []Move
	Findings       diag.List // what breaks for readers
	Unranked       int       // pages whose rank in search was not compared, because there are too many
}

// comparison holds the state of a comparison.
type comparison struct {
	base, head *State
	cause      Cause
	moved      map[string]string // page paths: base to head
	result     Result
}

// Options configures a comparison. The zero value compares two states.
type Options struct {
	Cause Cause // nil = unknown
	Past  *Past // addresses before the base; nil = none
}

// Compare compares two states.
func Compare(ctx context.Context, base, head *State, opt Options) (Result, error) {
	if opt.Cause == nil {
		opt.Cause = func(context.Context, string, string) string { return "" }
	}
	c := &comparison{base: base, head: head, cause: opt.Cause, moved: map[string]string{}}
	c.comparePages()
	c.compareTexts()
	c.compareAddresses(ctx, opt.Past)
	c.compareAnchors()
	c.compareAPIs()
	if err := c.compareRanks(ctx); err != nil {
		return Result{}, err
	}
	return c.result, ctx.Err()
}

// comparePages lists the pages that were added, removed and moved.
func (c *comparison) comparePages() {
	var removed, added []*site.Page
	for path, p := range c.base.pages {
		if !c.head.exists(path) {
			removed = append(removed, p)
		}
	}
	for path, p := range c.head.pages {
		if !c.base.exists(path) {
			added = append(added, p)
		}
	}
	byPath := func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(removed, byPath)
	slices.SortFunc(added, byPath)
	same := c.findMoves(removed, added)
	taken := map[string]bool{}
	for _, p := range removed {
		from := c.base.describe(p)
		to, ok := c.moved[p.Path]
		if !ok {
			c.result.Removed = append(c.result.Removed, from)
			continue
		}
		taken[to] = true
		c.result.Moved = append(c.result.Moved,
			Move{From: from, To: c.head.describe(c.head.pages[to]), Same: same[p.Path]})
	}
	for _, p := range added {
		if !taken[p.Path] {
			c.result.Added = append(c.result.Added, c.head.describe(p))
		}
	}
}

// compareTexts lists the pages whose text changed. It compares Markdown forms, because they do not contain the layout,
// which depends on other pages.
func (c *comparison) compareTexts() {
	for _, path := range slices.Sorted(maps.Keys(c.head.pages)) {
		before, ok := c.base.twins[path]
		if after, both := c.head.twins[path]; ok && both && before != after && c.base.pages[path] != nil {
			c.result.Changed = append(c.result.Changed, c.head.describe(c.head.pages[path]))
		}
	}
}

func (s *State) describe(p *site.Page) Page {
	return Page{Path: p.Path, Address: s.table.Path(p.Path), Title: p.Title, File: p.File}
}
