package searchindex

import (
	"slices"
	"sort"
	"strings"
)

// Has tells whether a page is in the index. It counts on the pages being in the order of their paths, as sites are built: an index in another
// order may deny a page that it has.
func (x *Index) Has(page string) (bool, error) {
	var failed error
	first := func(i int) []pageMeta {
		part, err := x.textPart(i)
		if err == nil && len(part.Pages) == 0 {
			err = errForm
		}
		if err != nil {
			failed = err
			return nil
		}
		return part.Pages
	}
	after := sort.Search(len(x.docs)-1, func(i int) bool { // the first shard that begins behind the page
		if failed != nil {
			return true
		}
		pages := first(i)
		return failed != nil || pages[0].path > page
	})
	if failed != nil || after == 0 {
		return false, failed
	}
	_, has := slices.BinarySearchFunc(first(after-1), page, func(m pageMeta, page string) int { return strings.Compare(m.path, page) })
	return has && failed == nil, failed
}

// textPart is a shard of texts.
func (x *Index) textPart(i int) (*textPart, error) {
	return shard(x, textName, x.entry.DocSum[textSum*i:textSum*(i+1)], func(data []byte) (*textPart, error) {
		out := &textPart{}
		return out, unwrap(textName, data, out)
	})
}
