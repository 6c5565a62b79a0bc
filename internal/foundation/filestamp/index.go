package filestamp

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"
)

// Index has the digests of a folder's files by path and stamp. It is safe for concurrent use. A nil Index knows nothing
// and keeps nothing.
type Index struct {
	now func() time.Time

	mu      sync.Mutex
	names   []string         // of known, ordered; like it, it never changes
	known   map[string]entry // of earlier runs
	current map[string]entry // what Find returned and Keep took
	changed bool             // current has what the record of the earlier run has not
}

type entry struct {
	stamp Stamp
	sum   [sha256.Size]byte
}

// New returns an index with what a record has; nil, or a damaged record, has nothing. now is this machine's clock.
func New(record []byte, now func() time.Time) *Index {
	x := &Index{now: now, known: map[string]entry{}, current: map[string]entry{}}
	add := func(name string, e entry) { x.names, x.known[name] = append(x.names, name), e }
	if !read(record, add) {
		x.names = nil
		clear(x.known)
		x.changed = true // there is nothing to replace, or damage
	}
	return x
}

// version begins a record.
const version = "stamps 1\n"

// read calls each for every file of a record, in the order of paths. It is false for a damaged record.
func read(record []byte, each func(name string, e entry)) bool {
	in, ok := bytes.CutPrefix(record, []byte(version))
	if !ok {
		return false
	}
	for len(in) > 0 {
		n, width := binary.Uvarint(in)
		if width <= 0 || n > uint64(len(in)) || uint64(len(in)-width) < n+stampSize+sha256.Size {
			return false
		}
		in = in[width:]
		name := string(in[:n])
		in = in[n:]
		each(name, entry{readStamp(in), [sha256.Size]byte(in[stampSize:])})
		in = in[stampSize+sha256.Size:]
	}
	return true
}

// Find returns the digest of the file of a name, if it has not changed since an earlier run read it. info is what
// Lstat returned for it in this run.
func (x *Index) Find(name string, info fs.FileInfo) (sum [sha256.Size]byte, ok bool) {
	if x == nil {
		return sum, false
	}
	stamp, ok := Of(info)
	if !ok {
		return sum, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	e, ok := x.current[name]
	if ok && e.stamp == stamp {
		return e.sum, true
	}
	if e, ok = x.known[name]; !ok || e.stamp != stamp {
		return sum, false
	}
	x.current[name] = e
	return e.sum, true
}

// Keep notes the digest of a file. info is what Lstat returned for it before it was read, and at a time before that, so
// that a change meanwhile gives it another stamp. Of a file that has just changed only the name is kept, because another
// change could go unnoticed; then kept is false.
func (x *Index) Keep(name string, info fs.FileInfo, at time.Time, sum [sha256.Size]byte) (kept bool) {
	if x == nil {
		return false
	}
	stamp, ok := Of(info)
	if kept = ok && stamp.Settled(at); !kept {
		stamp = Stamp{} // no file has it
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.current[name] = entry{stamp, sum}
	x.changed = true
	return kept
}

// Forget drops a file that is no longer there.
func (x *Index) Forget(name string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.current, name)
}

// Now returns the time for Keep; it is called before Lstat.
func (x *Index) Now() time.Time {
	if x == nil {
		return time.Time{}
	}
	return x.now()
}

// Record returns what the next run needs: the files that this one found or kept. ok is false if that is the record it
// began with.
func (x *Index) Record() (record []byte, ok bool) {
	if x == nil {
		return nil, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.changed && len(x.current) == len(x.known) {
		return nil, false
	}
	record = append(make([]byte, 0, len(version)+128*len(x.current)), version...)
	for _, name := range slices.Sorted(maps.Keys(x.current)) {
		e := x.current[name]
		record = append(binary.AppendUvarint(record, uint64(len(name))), name...)
		record = append(e.stamp.append(record), e.sum[:]...)
	}
	return record, true
}
