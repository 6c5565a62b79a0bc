package outtree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
)

// Entry is what remains of a file after it was written.
type Entry struct {
	Path        string
	ContentType string
	Size        int64
	SHA256      [sha256.Size]byte
	Immutable   bool
}

// Ledger is a Sink that passes files on and remembers one Entry for each. It refuses a file whose place is
// taken, also by a name that differs in letter case only, since some file systems would lay one over the other.
//
// A quarter of a million files must not weigh: an entry takes its path and some 90 bytes.
type Ledger struct {
	next    Sink
	packs   bool // next wants files packed
	places  *Places
	records records
	order   []uint32 // numbers of records by path; nil when a file came since
	bytes   int64
}

// NewLedger writes through to next.
func NewLedger(next Sink) *Ledger {
	return &Ledger{next: next, packs: WantsPacked(next), places: NewPlaces(), records: records{byType: map[string]uint16{}}}
}

// WantsPacked tells whether whoever makes the files should pack them, in parallel: the next sink needs it.
func (l *Ledger) WantsPacked() bool { return l.packs }

// Put hands f to the next sink and enters it. It packs f for the next sink if that wants it and nobody did before.
func (l *Ledger) Put(ctx context.Context, f File) error {
	if !l.Free(f.Path) {
		return fmt.Errorf("put file: the place of %q is taken", f.Path)
	}
	if f.Packed == nil && l.packs {
		f.Packed = Pack(f.Data, f.ContentType)
	}
	if err := l.next.Put(ctx, f); err != nil {
		return err
	}
	e := Entry{Path: f.Path, ContentType: f.ContentType, Size: f.Size(), SHA256: f.Digest(), Immutable: f.Immutable}
	if err := l.records.add(e); err != nil {
		return err
	}
	l.places.Enter(f.Path)
	l.order = nil
	l.bytes += e.Size
	return nil
}

// Has tells whether a file of this path was written.
func (l *Ledger) Has(file string) bool { return l.places.Has(file) }

// Free tells whether a file of this path can still be written: no file or folder has its name, and no file stands where it needs a
// folder.
func (l *Ledger) Free(file string) bool { return l.places.Free(file) }

// Files and Bytes count what was written.
func (l *Ledger) Files() int   { return l.records.count }
func (l *Ledger) Bytes() int64 { return l.bytes }

// Entries are what was written so far, ordered by path. No file may be put meanwhile.
func (l *Ledger) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, i := range l.sorted() {
			if !yield(l.records.entry(i)) {
				return
			}
		}
	}
}

func (l *Ledger) sorted() []uint32 {
	if l.order == nil {
		l.order = make([]uint32, l.records.count)
		for i := range l.order {
			l.order[i] = uint32(i)
		}
		slices.SortFunc(l.order, func(a, b uint32) int { return bytes.Compare(l.records.path(a), l.records.path(b)) })
	}
	return l.order
}

// TreeHash is the digest of the tree so far: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (l *Ledger) TreeHash() string {
	t := newTreeHash()
	for _, i := range l.sorted() {
		addTo(t, l.records.path(i), l.records.at(i).sha256)
	}
	return t.sum()
}
