package searchindex

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// titleMark is appended to a term to form the key of a second list, which contains the pages with the term in their
// title. The levels of that list are the numbers of words in the titles. titleMark is less than any character of a
// term, so the key directly follows the term itself.
const titleMark = 0

// Limits of the descriptions of pages that readers load before any text.
const (
	namesEntry = 24 << 10  // bytes in an entry, compressed; on larger sites they are in shards of terms
	namesRead  = 256 << 10 // bytes before compression; more is not even tried
	namesTerm  = 48        // pages with one term in their title: those with the shortest titles, which a query may equal
	marksTerm  = listMax   // further such pages, for which only the marks of their names are stored
)

// names stores the descriptions of pages on disk while an index is built.
type names struct {
	spill *spill      // nil until the first segment
	ends  []uint32    // end of each page's description
	first []uint32    // each page's first chunk
	marks [][2]uint16 // marks of each page's title and title in the navigation
}

// add appends the pages of a segment, whose first chunk is base.
func (n *names) add(scratch string, base int, pages []sealedPage) (err error) {
	if n.spill == nil {
		if n.spill, err = openSpill(scratch); err != nil {
			return err
		}
	}
	var all []byte
	for _, p := range pages {
		all = append(all, p.meta...)
		n.marks = append(n.marks, p.marks)
		n.ends, n.first = append(n.ends, uint32(n.spill.end+int64(len(all)))), append(n.first, uint32(base))
		base += p.chunks
	}
	_, err = n.spill.add(all)
	return err
}

// small reports whether the entry can contain the descriptions of all pages.
func (n *names) small() (bool, error) {
	size := n.size()
	if size == 0 || size > namesRead {
		return size == 0, nil
	}
	all, err := n.read(0, size)
	if err != nil {
		return false, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(all) // a buffer never fails
	_ = w.Close()
	return out.Len() <= namesEntry, nil
}

func (n *names) size() int {
	if len(n.ends) == 0 {
		return 0
	}
	return int(n.ends[len(n.ends)-1])
}

func (n *names) read(from, to int) ([]byte, error) {
	out := make([]byte, to-from)
	if _, err := n.spill.file.ReadAt(out, int64(from)); err != nil {
		return nil, fmt.Errorf("read names of pages: %w", err)
	}
	return out, nil
}

// page returns the JSON of a page.
func (n *names) page(i int) ([]byte, error) {
	from := 0
	if i > 0 {
		from = int(n.ends[i-1])
	}
	return n.read(from, int(n.ends[i]))
}

// entry returns the entry as JSON, with the descriptions of all pages if the site is small.
func (n *names) entry(e entry) ([]byte, error) {
	small, err := n.small()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(e)
	if err != nil || !small || len(n.ends) == 0 {
		return data, err
	}
	data = append(data[:len(data)-1], `,"names":[`...)
	for i := range n.ends {
		one, err := n.page(i)
		if err != nil {
			return nil, err
		}
		data = append(append(data, one...), ',')
	}
	return append(data[:len(data)-1], "]}"...), nil
}

// titled selects the pages in a term's title list whose descriptions are stored with the term: those with the fewest
// words in their title and, among equal ones, the first. For the pages after them, it returns the marks of their names,
// in page order.
func (n *names) titled(l *list) (named []int, marks []byte) {
	type page struct{ at, words int }
	all := make([]page, 0, l.n)
	at, next := l.first, 0
	for i, c := range l.levels {
		if i > 0 {
			var d int
			d, next = numberAt(l.rest, next)
			at += d + 1
		}
		all = append(all, page{at, digitOf(c)})
	}
	slices.SortStableFunc(all, func(a, b page) int { return a.words - b.words })
	pages := make([]int, min(len(all), namesTerm+marksTerm))
	for i := range pages {
		pages[i] = sort.Search(len(n.first), func(page int) bool { return int(n.first[page]) > all[i].at }) - 1
	}
	named, pages = pages[:min(len(all), namesTerm)], pages[min(len(all), namesTerm):]
	slices.Sort(pages)
	last := -1
	for _, page := range pages {
		m := n.marks[page]
		if marks = appendMark(marks, page-last, m[0]); m[1] != m[0] {
			marks = appendMark(marks, 0, m[1])
		}
		last = page
	}
	return named, marks
}

// appendName appends a page of a shard: its number and its description.
func appendName(to []byte, page int, meta []byte) []byte {
	to = strconv.AppendInt(append(to, ",["...), int64(page), 10)
	return append(append(to, ','), meta[1:]...)
}
