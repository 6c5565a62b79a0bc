package output

import (
	"context"
	"crypto/sha256"
	"fmt"
)

// Ledger is a Sink that forwards files and records the path, size, digest and media type of each. It rejects a file
// whose path is taken, even if the paths differ in letter case, because one file would overwrite the other on some file
// systems.
//
// To limit its memory use for trees with 250,000 files, it spills records to disk. The caller must close a Ledger.
type Ledger struct {
	next    Sink
	packs   bool // next needs packed files
	places  *Places
	records records
	bytes   int64
	hash    string // digest of the tree when it contained hashed files; see TreeHash
	hashed  int
}

// NewLedger returns a Ledger that forwards to next. It spills records to a file in the folder scratch; "" means the
// system's temporary folder.
func NewLedger(next Sink, scratch string) *Ledger {
	return &Ledger{next: next, packs: WantsPacked(next), places: NewPlaces(),
		records: records{scratch: scratch, byType: map[string]uint16{}}}
}

// Close removes the temporary file.
func (l *Ledger) Close() { l.records.spool.Close() }

// WantsPacked reports whether the caller should pack files before Put, in parallel, because the next sink needs packed
// files.
func (l *Ledger) WantsPacked() bool { return l.packs }

// Holds returns the Holds method of the next sink, or nil if that sink cannot have files from an earlier run; see
// Holding.
func (l *Ledger) Holds() func(path string, sum [sha256.Size]byte) bool {
	if next, ok := l.next.(Holding); ok {
		return next.Holds
	}
	return nil
}

// Put records f and passes it to the next sink. If f is not packed yet, Put packs it, or only computes its digest if
// the next sink takes plain files.
func (l *Ledger) Put(ctx context.Context, f File) error {
	if !l.Free(f.Path) {
		return fmt.Errorf("put file: path %q is taken", f.Path)
	}
	switch {
	case f.Packed != nil:
	case l.packs:
		f.Packed = Pack(f.Data, f.ContentType)
	default: // the digest is needed more than once
		f.Packed = Digested(f.Data)
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

// Has reports whether a file with this path was written.
func (l *Ledger) Has(file string) bool { return l.places.Has(file) }

// Free reports whether a file with this path can still be written: no file or folder has this path, and none of its
// parent folders is a file.
func (l *Ledger) Free(file string) bool { return l.places.Free(file) }

// Files and Bytes return the number and the total size of the files written so far.
func (l *Ledger) Files() int   { return l.records.count }
func (l *Ledger) Bytes() int64 { return l.bytes }

// TreeHash returns the digest of the tree so far: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (l *Ledger) TreeHash() (string, error) {
	if l.hash != "" && l.hashed == l.records.count {
		return l.hash, nil
	}
	t := newTreeHash()
	if err := l.records.each(func(r record) { addTo(t, r.path, r.sha256) }); err != nil {
		return "", err
	}
	l.hash, l.hashed = t.sum(), l.records.count
	return l.hash, nil
}
