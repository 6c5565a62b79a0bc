package searchindex

import "hash/fnv"

// Sizes of a segment, in pages.
const (
	segmentMin = 16
	segmentMax = 256
	segmentOne = 48 // one in this many pages ends a segment that is long enough: 64 pages on average
)

// Ends reports whether a segment with this many pages, including the one at path, ends with that page. This depends
// on paths, not on positions: adding or removing a page changes its own segment, but not the following ones.
func Ends(path string, pages int) bool {
	switch {
	case pages < segmentMin:
		return false
	case pages >= segmentMax:
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(path)) // writing to a hash never fails
	v := h.Sum64()
	v = (v ^ v>>32) * 0x9E3779B97F4A7C15 // otherwise, names that differ only in their last letter differ in few bits
	return (v>>40)%segmentOne == 0
}
