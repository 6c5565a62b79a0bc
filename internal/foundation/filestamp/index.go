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

// Index holds the digests of a folder's files by path and stamp. It is safe for concurrent use. A nil Index is
// empty and records nothing.
type Index struct {
	now func() time.Time

	mu      sync.Mutex
	names   []string         // sorted keys of known; neither changes after New
	known   map[string]entry // from earlier runs
	current map[string]entry // files that Find returned and Keep recorded
	changed bool             // current has entries that the record of the earlier run does not have
}

type entry struct {
	stamp Stamp
	sum   [sha256.Size]byte
}

// New returns an index with the content of a record. It is empty if the record is nil or damaged. now is this
// machine's clock.
func New(record []byte, now func() time.Time) *Index {
	x := &Index{now: now, known: map[string]entry{}, current: map[string]entry{}}
	add := func(name string, e entry) { x.names, x.known[name] = append(x.names, name), e }
	if !read(record, add) {
		x.names = nil
		clear(x.known)
		x.changed = true // no record, or a damaged one
	}
	return x
}

// version is the first line of a record.
const version = "stamps 1\n"

// read calls each for every file of a record, ordered by path. It returns false for a damaged record.
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

// Find returns the digest of the named file if the file has not changed since an earlier run read it. info is the
// result of Lstat in this run.
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

// Keep records the digest of a file. info is the result of Lstat before the file was read, and at is a time before
// that, so that a change during the read results in another stamp. If the file changed shortly before, another
// change could go unnoticed; Keep then records only the name and returns false.
func (x *Index) Keep(name string, info fs.FileInfo, at time.Time, sum [sha256.Size]byte) (kept bool) {
	if x == nil {
		return false
	}
	stamp, ok := Of(info)
	if kept = ok && stamp.Settled(at); !kept {
		stamp = Stamp{} // matches no file
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.current[name] = entry{stamp, sum}
	x.changed = true
	return kept
}

// Forget removes a file that no longer exists.
func (x *Index) Forget(name string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.current, name)
}

// Now returns the current time for Keep. Call it before Lstat.
func (x *Index) Now() time.Time {
	if x == nil {
		return time.Time{}
	}
	return x.now()
}

// Record returns the record for the next run: the files that this run found or kept. ok is false if it equals the
// record that the run started with.
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
