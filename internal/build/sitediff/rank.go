package sitediff

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

const (
	maxRanked = 2000 // pages that are searched for
	goodRank  = 3    // readers look at this many results
)

// compareRanks reports pages that were the first result for their own title at the base and are no longer among the
// first three. It searches the new index for every page of the default language. It searches the old index only for
// pages that rank low in the new one.
func (c *comparison) compareRanks(ctx context.Context) error {
	if maps.EqualFunc(c.base.index, c.head.index, bytes.Equal) || len(c.base.index) == 0 || len(c.head.index) == 0 {
		return nil
	}
	after, err := searchquality.New(c.head.site, c.head.indexFile)
	if err != nil {
		return err
	}
	before, err := searchquality.New(c.base.site, c.base.indexFile)
	if err != nil {
		return err
	}
	old := map[string]int{} // path at the head → position among the old pages
	for i, path := range before.Listed() {
		if to, ok := c.moved[path]; ok {
			path = to
		}
		old[path] = i
	}
	for i, path := range after.Listed() {
		was, known := old[path]
		if !known {
			continue
		}
		if i >= maxRanked {
			c.result.Unranked++
			continue
		}
		now, first, err := after.TitleRank(ctx, i)
		if err != nil {
			return err
		}
		if now > 0 && now <= goodRank {
			continue
		}
		rank, _, err := before.TitleRank(ctx, was)
		if err != nil {
			return err
		}
		if rank == 1 {
			c.reportRank(path, now, first)
		}
	}
	return nil
}

func (c *comparison) reportRank(path string, now int, first string) {
	p := c.head.pages[path]
	if p == nil {
		return
	}
	place := "is not found"
	if now > 0 {
		place = fmt.Sprintf("is result %d", now)
	}
	c.result.Findings.Warnf(diag.Pos{File: p.File}, "search-rank-lost",
		"Readers who searched for the title %q found this page first; now it %s.", p.Title, place)
	if first != "" {
		c.result.Findings.Hint(fmt.Sprintf("The first result is %s. Give one of the pages a more precise title, or set boost "+
			"in the front matter.", c.head.table.Path(first)))
	}
}

// indexFile returns a file of the search index.
func (s *State) indexFile(name string) ([]byte, error) {
	if data, ok := s.index[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}
