package build

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// sealAhead limits the segments that are sealed concurrently. It determines when, between which pages, their files are
// written, so it must not depend on the machine: the same commit results in the same archive everywhere (B6).
const sealAhead = 8

// segments adds pages to the search index, one segment at a time. A cached segment is reused without reading the words
// of its pages. One goroutine owns it. Other goroutines read words and seal segments, a few at a time.
type segments struct {
	index      *searchindex.Builder
	cache      Cache // nil = segments are not cached
	maxPending int   // maximum of len(pending)
	pack       bool  // the output takes compressed text, so sealing compresses it

	pages   []segmentPage // of the current segment
	pending []*sealing    // being sealed, oldest first
	spare   sync.Pool     // of *searchindex.Segment
	aborted atomic.Bool   // set by abort
}

type segmentPage struct {
	path  string
	key   [sha256.Size]byte // zero = not cacheable
	words func() (*searchindex.Prepared, error)
}

// sealing is a segment that is being sealed.
type sealing struct {
	pages  []segmentPage
	key    [sha256.Size]byte // zero = not cacheable
	done   chan struct{}     // closed when the fields below are set
	known  bool              // the record comes from the cache
	record searchindex.Record
	err    error
}

// add appends a page. key is the cache key of its words. words is called at most twice, usually from another
// goroutine; if it returns errPageChanged, its words are used but not cached.
func (s *segments) add(page string, key [sha256.Size]byte, words func() (*searchindex.Prepared, error)) error {
	s.pages = append(s.pages, segmentPage{page, key, words})
	if !searchindex.Ends(page, len(s.pages)) {
		return nil
	}
	return s.seal()
}

// end adds the last segment and writes the rest of the index.
func (s *segments) end() error {
	if len(s.pages) > 0 {
		if err := s.seal(); err != nil {
			return err
		}
	}
	for len(s.pending) > 0 {
		if err := s.addOldest(); err != nil {
			return err
		}
	}
	return s.index.Close()
}

// abort discards the index unless it is finished. It may be called on nil.
func (s *segments) abort() {
	if s == nil {
		return
	}
	s.aborted.Store(true)
	for _, one := range s.pending {
		<-one.done
	}
	s.pending = nil
	s.index.Discard()
}

// seal starts sealing the current segment. If too many are pending, it waits for the oldest one.
func (s *segments) seal() error {
	one := &sealing{pages: s.pages, key: s.key(s.pages), done: make(chan struct{})}
	s.pages = nil
	go func() {
		defer close(one.done)
		defer func() { // author content may fail the build, but must not crash the process
			if recover() != nil {
				one.err = errors.New("panic while sealing a search segment")
			}
		}()
		if one.key != ([sha256.Size]byte{}) {
			one.record, one.known = s.load(one.key)
		}
		if !one.known {
			one.err = s.sealPages(one)
		}
	}()
	if s.pending = append(s.pending, one); len(s.pending) > s.maxPending {
		return s.addOldest()
	}
	return nil
}

// sealPages seals a segment from its pages and caches it.
func (s *segments) sealPages(one *sealing) error {
	seg, ok := s.spare.Get().(*searchindex.Segment)
	if !ok {
		seg = searchindex.NewSegment(s.pack)
	}
	known := s.loadPages(one)
	for _, p := range one.pages {
		words, err := known[p.key], error(nil)
		if words == nil {
			words, err = p.read()
		}
		if errors.Is(err, errPageChanged) {
			one.key, err = [sha256.Size]byte{}, nil // the key belongs to other words
		}
		if err == nil && s.aborted.Load() {
			err = errAborted
		}
		if err != nil {
			return err // seg is not reused
		}
		seg.Add(words)
	}
	one.record, one.known = seg.Seal(), false
	s.spare.Put(seg)
	if one.key != ([sha256.Size]byte{}) {
		s.store(one.key, &one.record)
		s.storePages(one.pages)
	}
	return nil
}

var errAborted = errors.New("build was canceled")

// read calls words and converts a panic to an error, because the words come from an author's page.
func (p segmentPage) read() (words *searchindex.Prepared, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("panic while reading the words of a page")
		}
	}()
	return p.words()
}

// addOldest adds the oldest pending segment to the index. If its cached record is damaged, it seals the segment again.
func (s *segments) addOldest() error {
	one := s.pending[0]
	s.pending = s.pending[1:]
	if <-one.done; one.err != nil {
		return fmt.Errorf("index pages: %w", one.err)
	}
	err := s.index.AddSegment(one.record)
	if one.known && errors.Is(err, searchindex.ErrRecord) {
		if err = s.sealPages(one); err == nil {
			err = s.index.AddSegment(one.record)
		}
	}
	if err != nil {
		return fmt.Errorf("index pages: %w", err)
	}
	return nil
}
