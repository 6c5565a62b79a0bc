package build

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// sealAhead is how many segments are on their way at most. It decides between which pages their files are written, so it must not depend on
// the machine: the same commit is the same archive everywhere (B6).
const sealAhead = 8

// segments puts pages into the search index, a segment at a time. A segment that an earlier build sealed is taken as it is: the words of
// its pages are not even read. It belongs to one goroutine; words are read and segments sealed in others, a few at once.
type segments struct {
	index *searchindex.Builder
	cache Cache // nil = nobody remembers segments
	most  int   // segments on their way
	pack  bool  // texts are compressed when they are sealed: the output takes them so

	pages []segmentPage // of the segment at hand
	queue []*sealing    // those before, in order
	spare sync.Pool     // of *searchindex.Segment
	over  atomic.Bool   // nobody wants them any more
}

type segmentPage struct {
	key   [sha256.Size]byte // zero = nobody remembers it
	words func() (*searchindex.Prepared, error)
}

// sealing is a segment on its way into the index.
type sealing struct {
	pages  []segmentPage
	key    [sha256.Size]byte // zero = it cannot be remembered
	done   chan struct{}     // closed when what follows is there
	known  bool              // the record comes from the cache
	record []byte
	err    error
}

// add adds a page after those before. key names its words; words is called at most twice, mostly from another goroutine. With errMoved it
// returns others, which are used and not remembered.
func (s *segments) add(page string, key [sha256.Size]byte, words func() (*searchindex.Prepared, error)) error {
	s.pages = append(s.pages, segmentPage{key, words})
	if !searchindex.Ends(page, len(s.pages)) {
		return nil
	}
	return s.seal()
}

// end adds what is left and writes the rest of the index.
func (s *segments) end() error {
	if len(s.pages) > 0 {
		if err := s.seal(); err != nil {
			return err
		}
	}
	for len(s.queue) > 0 {
		if err := s.take(); err != nil {
			return err
		}
	}
	return s.index.Close()
}

// drop gives the index up, unless it is finished. A nil segments has none.
func (s *segments) drop() {
	if s == nil {
		return
	}
	s.over.Store(true)
	for _, one := range s.queue {
		<-one.done
	}
	s.queue = nil
	s.index.Discard()
}

// seal starts to seal the segment at hand, and waits for the oldest when many are on their way.
func (s *segments) seal() error {
	one := &sealing{pages: s.pages, key: s.key(s.pages), done: make(chan struct{})}
	s.pages = nil
	go func() {
		defer close(one.done)
		defer func() { // words come from authors: they may cost the build, never the process
			if recover() != nil {
				one.err = errors.New("the words of pages cannot be put together")
			}
		}()
		if one.key != ([sha256.Size]byte{}) {
			one.record, one.known = s.find(one.key)
		}
		if !one.known {
			one.err = s.make(one)
		}
	}()
	if s.queue = append(s.queue, one); len(s.queue) > s.most {
		return s.take()
	}
	return nil
}

// key names a segment by the words of its pages; zero when there is no cache, or one of them has no name.
func (s *segments) key(pages []segmentPage) (key [sha256.Size]byte) {
	if s.cache == nil {
		return key
	}
	h := sha256.New()
	_, _ = h.Write([]byte("search segment\n")) // a hash never fails
	for _, p := range pages {
		if p.key == key {
			return key
		}
		_, _ = h.Write(p.key[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// find is what an earlier build sealed. Where texts need not be compressed, a segment in which they are will do; not the other way round.
func (s *segments) find(key [sha256.Size]byte) (record []byte, ok bool) {
	if !s.pack {
		if value, ok := s.cache.Get(plainSegment(key)); ok {
			return loosen(value)
		}
	}
	return s.cache.Get(key)
}

// keep remembers a segment.
func (s *segments) keep(key [sha256.Size]byte, record []byte) {
	if s.pack {
		s.cache.Put(key, record)
		return
	}
	s.cache.Put(plainSegment(key), tighten(record))
}

// plainSegment is the key of a segment whose texts are not compressed.
func plainSegment(key [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("plain"), key[:]...))
}

// make seals a segment from its pages, and remembers it.
func (s *segments) make(one *sealing) error {
	seg, ok := s.spare.Get().(*searchindex.Segment)
	if !ok {
		seg = searchindex.NewSegment(s.pack)
	}
	for _, p := range one.pages {
		words, err := p.read()
		if errors.Is(err, errMoved) {
			one.key, err = [sha256.Size]byte{}, nil // it names others
		}
		if err == nil && s.over.Load() {
			err = errOver
		}
		if err != nil {
			return err // what the segment has so far goes with it
		}
		seg.Add(words)
	}
	one.record, one.known = seg.Seal(), false
	s.spare.Put(seg)
	if one.key != ([sha256.Size]byte{}) {
		s.keep(one.key, one.record)
	}
	return nil
}

var errOver = errors.New("the build was called off")

// read calls words. Those of a page that was made long ago may still panic: what they are read from is the author's.
func (p segmentPage) read() (words *searchindex.Prepared, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the words of a page cannot be read")
		}
	}()
	return p.words()
}

// take puts the oldest segment into the index. A record of the cache that cannot be read is made anew.
func (s *segments) take() error {
	one := s.queue[0]
	s.queue = s.queue[1:]
	if <-one.done; one.err != nil {
		return fmt.Errorf("index pages: %w", one.err)
	}
	err := s.index.AddSegment(one.record)
	if one.known && errors.Is(err, searchindex.ErrRecord) {
		if err = s.make(one); err == nil {
			err = s.index.AddSegment(one.record)
		}
	}
	if err != nil {
		return fmt.Errorf("index pages: %w", err)
	}
	return nil
}
