package searchindex

import "hash/fnv"

// Sizes of a segment, in pages.
const (
	segmentMin = 16
	segmentMax = 256
	segmentOne = 48 // one page in so many ends a segment that is long enough: 64 pages on average
)

// Ends reports whether a segment that has so many pages, the one at path included, ends with it. Paths decide, not
// places: a page that comes or goes changes the segment that it is in, and those after it stay.
func Ends(path string, pages int) bool {
	switch {
	case pages < segmentMin:
		return false
	case pages >= segmentMax:
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(path)) // a hash never fails
	v := h.Sum64()
	v = (v ^ v>>32) * 0x9E3779B97F4A7C15 // names that differ in their last letter only differ in few bits so far
	return (v>>40)%segmentOne == 0
}
