package searchindex

import (
	"slices"
	"sort"
	"strings"
)

// Listed is a page of the index in a list.
type Listed struct{ Path, Title string }

// Has reports whether a page is in the index. The pages of the index must be sorted by path, as builds sort them.
// Otherwise, Has may not find a page that exists.
func (x *Index) Has(page string) (bool, error) {
	at, err := x.holderOf(page)
	if err != nil || at < 0 {
		return false, err
	}
	part, err := x.textPart(at)
	if err != nil {
		return false, err
	}
	_, has := slices.BinarySearchFunc(part.Pages, page,
		func(m pageMeta, page string) int { return strings.Compare(m.path, page) })
	return has, nil
}

// Pages lists up to limit pages sorted by path, starting with the first that is not before from. It has the same
// requirement as Has.
func (x *Index) Pages(from string, limit int) ([]Listed, error) {
	at, err := x.holderOf(from)
	if err != nil {
		return nil, err
	}
	var out []Listed
	for i := max(at, 0); i < len(x.docs)-1 && len(out) < limit; i++ {
		part, err := x.textPart(i)
		if err != nil {
			return nil, err
		}
		for _, m := range part.Pages {
			known := len(out) > 0 && out[len(out)-1].Path == m.path // a long page is in several shards
			if m.path >= from && !known && len(out) < limit {
				out = append(out, Listed{m.path, m.title})
			}
		}
	}
	return out, nil
}

// holderOf returns the last shard that begins at or before a page, or -1 if all begin after it.
func (x *Index) holderOf(page string) (int, error) {
	var failed error
	after := sort.Search(len(x.docs)-1, func(i int) bool { // the first shard that begins after the page
		if failed != nil {
			return true
		}
		part, err := x.textPart(i)
		if err == nil && len(part.Pages) == 0 {
			err = errForm
		}
		failed = err
		return err != nil || part.Pages[0].path > page
	})
	return after - 1, failed
}

// textPart returns a text shard.
func (x *Index) textPart(i int) (*textPart, error) {
	return shard(x, x.textFile(i), func(data []byte) (*textPart, error) {
		out := &textPart{}
		return out, unwrap(textName, data, out)
	})
}
