package load

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Sums holds the digests of page sources. It uses lists because a large site has many pages, and a map would take twice
// as much memory.
type Sums struct {
	pages []*site.Page // sorted by path
	sums  [][sha256.Size]byte
}

// add adds the next page.
func (s *Sums) add(p readHead) {
	s.pages, s.sums = append(s.pages, p.page), append(s.sums, p.sum)
}

// Of returns the digest of a page's source. ok is false if the source was not read, or if s is nil.
func (s *Sums) Of(path string) (sum [sha256.Size]byte, ok bool) {
	if s == nil {
		return sum, false
	}
	i, ok := slices.BinarySearchFunc(s.pages, path,
		func(p *site.Page, path string) int { return strings.Compare(p.Path, path) })
	if ok {
		sum = s.sums[i]
	}
	return sum, ok
}
