package output

import (
	"context"
	"crypto/sha256"
	"fmt"
)

// Ledger is a Sink that forwards files and records path, size, digest and media type of each. It refuses a file whose
// path is taken, also by a name that differs in letter case only, since one would overwrite the other on some file
// systems.
//
// Its memory must stay small for a quarter of a million files, so it spills records to disk. The caller closes a
// Ledger.
type Ledger struct {
	next    Sink
	packs   bool // next wants files packed
	places  *Places
	records records
	bytes   int64
}

// NewLedger forwards to next. It spills records into a file in the folder scratch; "" is the system's temporary folder.
func NewLedger(next Sink, scratch string) *Ledger {
	return &Ledger{next: next, packs: WantsPacked(next), places: NewPlaces(),
		records: records{scratch: scratch, byType: map[string]uint16{}}}
}

// Close removes the temporary file.
func (l *Ledger) Close() { l.records.spool.Close() }

// WantsPacked reports whether the caller should pack files before Put, in parallel, because the next sink needs them
// packed.
func (l *Ledger) WantsPacked() bool { return l.packs }

// Holds reports whether the next sink has a file already; see Holding.
func (l *Ledger) Holds(path string, sum [sha256.Size]byte) bool {
	next, ok := l.next.(Holding)
	return ok && next.Holds(path, sum)
}

// Put passes f to the next sink and records it. It packs f if the next sink wants that and f is not packed yet.
func (l *Ledger) Put(ctx context.Context, f File) error {
	if !l.Free(f.Path) {
		return fmt.Errorf("put file: path %q is taken", f.Path)
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

// Has reports whether a file of this path was written.
func (l *Ledger) Has(file string) bool { return l.places.Has(file) }

// Free reports whether a file of this path can still be written: no file or folder has its name, and none of its
// folders is a file.
func (l *Ledger) Free(file string) bool { return l.places.Free(file) }

// Files and Bytes are the totals written so far.
func (l *Ledger) Files() int   { return l.records.count }
func (l *Ledger) Bytes() int64 { return l.bytes }

// TreeHash returns the digest of the tree so far: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (l *Ledger) TreeHash() (string, error) {
	t := newTreeHash()
	err := l.records.each(func(r record) { addTo(t, r.path, r.sha256) })
	return t.sum(), err
}
