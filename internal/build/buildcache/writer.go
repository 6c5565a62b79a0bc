package buildcache

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
)

// writer is a pack that is being written. It is safe for concurrent use, except for finish, which must be the last
// call.
type writer struct {
	create func() (f *os.File, name string, err error) // creates the temporary file, at the first record

	mu      sync.Mutex
	file    *os.File // nil before the first record
	name    string   // of the file
	waiting []byte   // not written yet
	written int64    // bytes in the file
	places  map[uint64]place
	err     error // first error; nothing is stored after it
}

// bufferSize is the size of writes, in bytes.
const bufferSize = 256 << 10

func newWriter(create func() (*os.File, string, error)) *writer {
	return &writer{create: create, places: map[uint64]place{}}
}

// size returns the size of the records so far, in bytes.
func (w *writer) size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written + int64(len(w.waiting))
}

// add appends a record, unless the prefix exists or the pack would exceed limit bytes. It reports whether the
// prefix exists afterwards.
func (w *writer) add(key [keySize]byte, value []byte, sum uint32, limit int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.places[prefix(key)]; there {
		return true
	}
	return w.append(key, value, sum, limit)
}

// replace appends a record that replaces an older one. The bytes of the older one stay in the file until the pack is
// copied.
func (w *writer) replace(key [keySize]byte, value []byte, sum uint32, limit int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.append(key, value, sum, limit)
}

// append appends a record. The caller must hold w.mu.
func (w *writer) append(key [keySize]byte, value []byte, sum uint32, limit int64) bool {
	at := place{offset: w.written + int64(len(w.waiting)), length: uint32(len(value)), sum: sum}
	if w.err != nil || at.end() > limit || !w.ready() {
		return false
	}
	if len(w.waiting)+keySize+len(value) > bufferSize && !w.flush() {
		return false
	}
	w.waiting = append(append(w.waiting, key[:]...), value...)
	w.places[prefix(key)] = at
	return true
}

// ready creates the file if it does not exist yet. The caller must hold w.mu.
func (w *writer) ready() bool {
	if w.file != nil {
		return true
	}
	f, name, err := w.create()
	if err != nil {
		w.fail(err)
		return false
	}
	w.file, w.name, w.waiting = f, name, make([]byte, 0, bufferSize)
	return true
}

// flush writes buffered data. The caller must hold w.mu.
func (w *writer) flush() bool {
	n, err := w.file.Write(w.waiting)
	w.written += int64(n)
	if err != nil {
		w.fail(fmt.Errorf("write pack: %w", err))
		return false
	}
	if w.waiting = w.waiting[:0]; cap(w.waiting) > 2*bufferSize {
		w.waiting = make([]byte, 0, bufferSize) // shrink the buffer after a large value
	}
	return true
}

// fail discards what was written, because on a full disk the build needs the space more than the cache does. The file
// itself is removed when the session ends. The caller must hold w.mu.
func (w *writer) fail(err error) {
	w.err = err
	w.places, w.waiting, w.written = map[uint64]place{}, nil, 0
	if w.file != nil {
		_ = w.file.Truncate(0)
	}
}

// find returns the position of a prefix's record.
func (w *writer) find(prefix uint64) (at place, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok = w.places[prefix]
	return at, ok
}

// get reads a record back. It finds nothing while finish is running.
func (w *writer) get(key [keySize]byte) ([]byte, bool) {
	w.mu.Lock()
	at, ok := w.places[prefix(key)]
	file, written := w.file, w.written
	var record []byte
	if ok && at.offset >= written {
		record = slices.Clone(w.waiting[at.offset-written:][:keySize+int(at.length)])
	}
	w.mu.Unlock()
	if ok && record == nil {
		var err error
		if record, err = readRecord(file, at, written); err != nil {
			return nil, false
		}
	}
	if !ok || [keySize]byte(record) != key {
		return nil, false
	}
	return record[keySize:], true
}

// finish writes the index and closes the file, which is then a valid pack unless there is an error. name is "" if
// there is no file.
func (w *writer) finish() (name string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && len(w.places) > 0 {
		w.waiting = appendIndex(w.waiting, w.places, w.written+int64(len(w.waiting)))
		w.flush()
	}
	if w.file == nil {
		return "", w.err
	}
	if err := w.file.Close(); err != nil && w.err == nil {
		w.err = fmt.Errorf("close pack: %w", err)
	}
	return w.name, w.err
}

// appendIndex appends entries and trailer. start is their offset in the file.
func appendIndex(b []byte, places map[uint64]place, start int64) []byte {
	type entry struct {
		prefix uint64
		place
	}
	list := make([]entry, 0, len(places))
	for p, at := range places {
		list = append(list, entry{p, at})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.prefix, b.prefix) })
	b = slices.Grow(b, len(list)*entrySize+trailerSize)
	from := len(b)
	for _, e := range list {
		b = binary.BigEndian.AppendUint64(b, e.prefix)
		b = binary.BigEndian.AppendUint64(b, uint64(e.offset))
		b = binary.BigEndian.AppendUint32(b, e.length)
		b = binary.BigEndian.AppendUint32(b, e.sum)
	}
	b = append(b, magic...)
	b = binary.BigEndian.AppendUint64(b, uint64(len(list)))
	b = binary.BigEndian.AppendUint64(b, uint64(start))
	b = binary.BigEndian.AppendUint32(b, checksum(b[from:]))
	return append(b, 0, 0, 0, 0)
}
