package filestamp

import (
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Index holds the digests of a folder's files by path and stamp. It is safe for concurrent use. A nil Index is
// empty and records nothing.
type Index struct {
	now    func() time.Time
	record string  // of the earlier run; "" if there is none, or a damaged one
	known  []known // the files of record, sorted by path; not changed after New

	mu    sync.Mutex
	found []bool           // for each of known, whether the file is unchanged
	kept  map[string]entry // what Keep recorded; it takes precedence over known
	next  int              // where locate looks first
}

// known locates a file in a record. Decoding all entries of a large folder would take longer than looking up those
// that are needed.
type known struct {
	name string // shares the memory of the record
	at   int    // position of the stamp in the record; the digest follows it
}

type entry struct {
	stamp Stamp
	sum   [sha256.Size]byte
}

// New returns an index with the content of a record. It is empty if the record is nil or damaged. now is this
// machine's clock.
func New(record []byte, now func() time.Time) *Index {
	x := &Index{now: now, record: string(record), kept: map[string]entry{}}
	var ok bool
	if x.known, ok = read(x.record); !ok {
		x.record, x.known = "", nil
	}
	x.found = make([]bool, len(x.known))
	return x
}

// version is the first line of a record.
const version = "stamps 1\n"

// read returns the files of a record. It returns false for a damaged record.
func read(record string) (files []known, ok bool) {
	in, ok := strings.CutPrefix(record, version)
	if !ok {
		return nil, false
	}
	const smallest = 1 + 1 + stampSize + sha256.Size
	files = make([]known, 0, len(in)/(2*smallest))
	for len(in) > 0 {
		n, width := uvarint(in)
		if width <= 0 || n > uint64(len(in)) || uint64(len(in)-width) < n+stampSize+sha256.Size {
			return nil, false
		}
		in = in[width:]
		f := known{name: in[:n], at: len(record) - len(in) + int(n)}
		if len(files) > 0 && files[len(files)-1].name >= f.name {
			return nil, false
		}
		files = append(files, f)
		in = in[n+stampSize+sha256.Size:]
	}
	return files, true
}

// uvarint is binary.Uvarint for a string.
func uvarint(s string) (n uint64, width int) {
	return binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
}

// stamp returns the stamp of a known file.
func (x *Index) stamp(i int) Stamp { return readStamp(x.record[x.known[i].at:]) }

// sum returns the digest of a known file.
func (x *Index) sum(i int) (sum [sha256.Size]byte) {
	copy(sum[:], x.record[x.known[i].at+stampSize:])
	return sum
}

// locate returns the position of a file in known. Most callers ask for files in order. The caller holds the mutex.
func (x *Index) locate(name string) (i int, ok bool) {
	if i = x.next; i >= len(x.known) || x.known[i].name != name {
		i, ok = slices.BinarySearchFunc(x.known, name, func(f known, name string) int {
			return strings.Compare(f.name, name)
		})
		if !ok {
			return 0, false
		}
	}
	x.next = i + 1
	return i, true
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
	if e, ok := x.kept[name]; ok && e.stamp == stamp {
		return e.sum, true
	}
	i, ok := x.locate(name)
	if !ok || x.stamp(i) != stamp {
		return sum, false
	}
	delete(x.kept, name)
	x.found[i] = true
	return x.sum(i), true
}

// Keep records the digest of a file. info is the result of Lstat before the file was read, and at is a time before
// that, so that a change while the file is read gives it a different stamp. If the file was changed shortly before
// that, another change could go unnoticed. In that case, Keep only records the name and returns false.
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
	x.kept[name] = entry{stamp, sum}
	return kept
}

// Forget removes a file that no longer exists.
func (x *Index) Forget(name string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.kept, name)
	if i, ok := x.locate(name); ok {
		x.found[i] = false
	}
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
	if x.record != "" && len(x.kept) == 0 && !slices.Contains(x.found, false) {
		return nil, false
	}
	record = append(make([]byte, 0, len(version)+len(x.record)+128*len(x.kept)), version...)
	fresh := slices.Sorted(maps.Keys(x.kept))
	for i, f := range x.known {
		for len(fresh) > 0 && fresh[0] < f.name {
			record, fresh = appendFile(record, fresh[0], x.kept[fresh[0]]), fresh[1:]
		}
		if _, replaced := x.kept[f.name]; x.found[i] && !replaced {
			record = appendFile(record, f.name, entry{x.stamp(i), x.sum(i)})
		}
	}
	for _, name := range fresh {
		record = appendFile(record, name, x.kept[name])
	}
	return record, true
}

func appendFile(record []byte, name string, e entry) []byte {
	record = append(binary.AppendUvarint(record, uint64(len(name))), name...)
	return append(e.stamp.append(record), e.sum[:]...)
}
