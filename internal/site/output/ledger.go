package output

import (
	"context"
	"fmt"
)

// Ledger is a Sink that passes files on and remembers path, size, digest and media type of each. It refuses a file whose place is
// taken, also by a name that differs in letter case only, since some file systems would lay one over the other.
//
// A quarter of a million files must not weigh: what it remembers goes to disk when it is much. Whoever makes a Ledger closes it.
type Ledger struct {
	next    Sink
	packs   bool // next wants files packed
	places  *Places
	records records
	bytes   int64
}

// NewLedger writes through to next. What memory should not hold goes into a file in scratch; "" is the system's folder for such files.
func NewLedger(next Sink, scratch string) *Ledger {
	return &Ledger{next: next, packs: WantsPacked(next), places: NewPlaces(), records: records{scratch: scratch, byType: map[string]uint16{}}}
}

// Close frees the disk.
func (l *Ledger) Close() { l.records.spool.Close() }

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
	if err := l.records.add(f); err != nil {
		return err
	}
	l.places.Enter(f.Path)
	l.bytes += f.Size()
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

// TreeHash is the digest of the tree so far: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (l *Ledger) TreeHash() (string, error) {
	t := newTreeHash()
	err := l.records.each(func(r record) { addTo(t, r.path, r.sha256) })
	return t.sum(), err
}
