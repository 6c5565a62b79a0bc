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

// load returns a segment from the cache. An output that takes plain files may already have the segment's texts, so they
// are only loaded when needed. Such an output can also use a segment that was stored compressed. An output that takes
// compressed files cannot use one that was stored as plain text.
func (s *segments) load(key [sha256.Size]byte) (record searchindex.Record, ok bool) {
	if !s.pack {
		record.Key = partKey("plain", key)
		if record.Head, ok = s.cache.Get(record.Key); ok {
			record.Load = func() (texts []byte, ok bool) {
				if texts, ok = s.cache.Get(partKey("plain texts", key)); ok {
					texts, ok = decompress(texts)
				}
				return texts, ok
			}
			return record, true
		}
	}
	record.Key = key
	record.Load = func() ([]byte, bool) { return s.cache.Get(partKey("texts", key)) }
	if record.Head, ok = s.cache.Get(key); ok && s.pack {
		record.Texts, ok = record.Load()
	}
	return record, ok
}

// store adds a segment to the cache and sets its key.
func (s *segments) store(key [sha256.Size]byte, record *searchindex.Record) {
	if record.Key = key; s.pack {
		s.cache.Put(key, record.Head)
		s.cache.Put(partKey("texts", key), record.Texts)
		return
	}
	record.Key = partKey("plain", key)
	s.cache.Put(record.Key, record.Head)
	s.cache.Put(partKey("plain texts", key), compress(record.Texts))
}

// partKey returns the key under which a part of a segment is stored. The names of parts that are not compressed for the
// output begin with "plain".
func partKey(part string, key [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(part), key[:]...))
}

// pagesKey returns the key under which the cache stores the keys of a segment's pages. It depends only on their paths,
// so that the segment is found as it was before an edit.
func pagesKey(pages []segmentPage) [sha256.Size]byte {
	w := recordWriter{out: []byte("pages of a search segment\n")}
	for _, p := range pages {
		w.text(p.path)
	}
	return sha256.Sum256(w.out)
}

// storePages stores the keys of a sealed segment's pages.
func (s *segments) storePages(pages []segmentPage) {
	w := recordWriter{out: make([]byte, 0, sha256.Size*len(pages))}
	for _, p := range pages {
		w.sum(p.key)
	}
	s.cache.Put(pagesKey(pages), w.out)
}

// loadPages returns the words of pages by their keys, from the segment last sealed with these paths. After an edit of
// one page, this takes a fraction of the time needed to count the words of the others again.
func (s *segments) loadPages(one *sealing) (out map[[sha256.Size]byte]*searchindex.Prepared) {
	if one.key == ([sha256.Size]byte{}) {
		return nil
	}
	defer func() {
		if recover() != nil { // a damaged record that passed all checks
			out = nil
		}
	}()
	value, ok := s.cache.Get(pagesKey(one.pages))
	if !ok || len(value) != sha256.Size*len(one.pages) {
		return nil
	}
	r, same := recordReader{in: value}, 0
	old := make([]segmentPage, len(one.pages))
	for i, p := range one.pages {
		if old[i].key = r.sum(); old[i].key == p.key {
			same++
		}
	}
	if 2*same < len(old) || same == len(old) { // if all are the same, the cache does not have the segment
		return nil
	}
	record, ok := s.load(s.key(old))
	if !ok {
		return nil
	}
	pages, err := searchindex.Unseal(record)
	if err != nil || len(pages) != len(old) {
		return nil
	}
	out = make(map[[sha256.Size]byte]*searchindex.Prepared, len(pages))
	for i, p := range pages {
		out[old[i].key] = p
	}
	return out
}
