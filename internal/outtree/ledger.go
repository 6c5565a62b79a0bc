package outtree

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
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
type Ledger struct {
	next    Sink
	taken   map[string]bool // lower-case path → true for a file, false for a folder
	entries []Entry
	bytes   int64
}

// NewLedger writes through to next.
func NewLedger(next Sink) *Ledger { return &Ledger{next: next, taken: map[string]bool{}} }

// Put hands f to the next sink and enters it.
func (l *Ledger) Put(ctx context.Context, f File) error {
	if !l.Free(f.Path) {
		return fmt.Errorf("put file: the place of %q is taken", f.Path)
	}
	if err := l.next.Put(ctx, f); err != nil {
		return err
	}
	key := strings.ToLower(f.Path)
	l.taken[key] = true
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		l.taken[dir] = false
	}
	l.entries = append(l.entries, Entry{Path: f.Path, ContentType: f.ContentType, Size: int64(len(f.Data)), SHA256: sha256.Sum256(f.Data), Immutable: f.Immutable})
	l.bytes += int64(len(f.Data))
	return nil
}

// Has tells whether a file of this path was written.
func (l *Ledger) Has(file string) bool { return l.taken[strings.ToLower(file)] }

// Free tells whether a file of this path can still be written: no file or folder has its name, and no file stands where it needs a
// folder.
func (l *Ledger) Free(file string) bool {
	key := strings.ToLower(file)
	if _, taken := l.taken[key]; taken || !ValidPath(file) {
		return false
	}
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		if l.taken[dir] {
			return false
		}
	}
	return true
}

// Files and Bytes count what was written.
func (l *Ledger) Files() int   { return len(l.entries) }
func (l *Ledger) Bytes() int64 { return l.bytes }

// Entries returns what was written so far, ordered by path.
func (l *Ledger) Entries() []Entry {
	out := slices.Clone(l.entries)
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// TreeHash is the digest of the tree so far: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (l *Ledger) TreeHash() string {
	h := sha256.New()
	for _, e := range l.Entries() {
		_, _ = io.WriteString(h, e.Path+"\x00"+hex.EncodeToString(e.SHA256[:])+"\n") // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}
