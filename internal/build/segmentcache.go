package build

import (
	"crypto/sha256"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// key returns the cache key of a segment. It is zero without a cache, or if a page has no key.
func (s *segments) key(pages []segmentPage) (key [sha256.Size]byte) {
	if s.cache == nil {
		return key
	}
	h := sha256.New()
	_, _ = h.Write([]byte("search segment\n")) // writing to a hash never fails
	for _, p := range pages {
		if p.key == key {
			return key
		}
		_, _ = h.Write(p.key[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// load returns a segment from the cache. An output that takes plain texts may already have them, so they are loaded
// when needed. Such an output can use a compressed segment, but not the other way round.
func (s *segments) load(key [sha256.Size]byte) (record searchindex.Record, ok bool) {
	if !s.pack {
		if record.Head, ok = s.cache.Get(partKey("plain", key)); ok {
			record.Load = func() (texts []byte, ok bool) {
				if texts, ok = s.cache.Get(partKey("plain texts", key)); ok {
					texts, ok = decompress(texts)
				}
				return texts, ok
			}
			return record, true
		}
	}
	record.Load = func() ([]byte, bool) { return s.cache.Get(partKey("texts", key)) }
	if record.Head, ok = s.cache.Get(key); ok && s.pack {
		record.Texts, ok = record.Load()
	}
	return record, ok
}

// store adds a segment to the cache.
func (s *segments) store(key [sha256.Size]byte, record searchindex.Record) {
	if s.pack {
		s.cache.Put(key, record.Head)
		s.cache.Put(partKey("texts", key), record.Texts)
		return
	}
	s.cache.Put(partKey("plain", key), record.Head)
	s.cache.Put(partKey("plain texts", key), compress(record.Texts))
}

// partKey returns the key of a part of a segment; plain texts are not compressed for the output.
func partKey(part string, key [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(part), key[:]...))
}
