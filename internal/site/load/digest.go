package load

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// digests records everything that is read while API descriptions are loaded. Descriptions may consist of many files and
// of responses from other hosts. Missing files are also recorded. A nil digests records nothing. It is safe for
// concurrent use.
type digests struct {
	mu   sync.Mutex
	read map[string][sha256.Size]byte
}

// newDigests returns nil if the caller requests no digests, or if a Memo provides the descriptions without reading
// them.
func newDigests(o Options) *digests {
	if !o.Sums || o.Memo != nil {
		return nil
	}
	return &digests{read: map[string][sha256.Size]byte{}}
}

func (d *digests) note(name string, data []byte) { d.enter(name, sha256.Sum256(data)) }

func (d *digests) enter(name string, sum [sha256.Size]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read[name] = sum
}

// folder wraps src so that reads are recorded.
func (d *digests) folder(src fs.FS) fs.FS {
	if d == nil {
		return src
	}
	return digestFS{src, d}
}

// options returns a copy of o in which fetches are recorded.
func (d *digests) options(o Options) Options {
	if d == nil || o.Fetch == nil {
		return o
	}
	fetch := o.Fetch
	o.Fetch = openapi.Fetch(func(ctx context.Context, url string) ([]byte, error) {
		data, err := fetch(ctx, url)
		d.note(url, data)
		return data, err
	})
	if kept := o.Kept; kept != nil {
		o.Kept = func(ctx context.Context, url string) (openapi.Copy, bool) {
			c, ok := kept(ctx, url)
			if ok {
				d.note(url, c.Data)
			}
			return c, ok
		}
	}
	return o
}

// sum returns the digest of everything recorded, or zero for a nil digests.
func (d *digests) sum() (out [sha256.Size]byte) {
	if d == nil {
		return out
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(d.read)) {
		sum := d.read[name]
		fmt.Fprintf(h, "%q %x\n", name, sum) // writing to a hash never fails
	}
	return [sha256.Size]byte(h.Sum(nil))
}

type digestFS struct {
	fs.FS
	to *digests
}

// Open implements fs.FS.
func (f digestFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		f.to.note(name, nil)
		return nil, err
	}
	return &digestFile{File: file, name: name, to: f.to, sum: sha256.New()}, nil
}

// ReadDir implements fs.ReadDirFS. It records nothing, because descriptions do not depend on directory listings.
func (f digestFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

// Stat implements fs.StatFS.
func (f digestFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.FS, name)
	f.absent(name, err)
	return info, err
}

// Lstat implements fs.ReadLinkFS. Links must stay recognizable as links.
func (f digestFS) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(f.FS, name)
	f.absent(name, err)
	return info, err
}

// ReadLink implements fs.ReadLinkFS.
func (f digestFS) ReadLink(name string) (string, error) { return fs.ReadLink(f.FS, name) }

func (f digestFS) absent(name string, err error) {
	if err != nil {
		f.to.note(name, nil)
	}
}

// digestFile computes the digest of the bytes that are read and records it on Close.
type digestFile struct {
	fs.File
	name string
	to   *digests
	sum  hash.Hash
}

// Read implements io.Reader.
func (f *digestFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	return n, err
}

// Close implements io.Closer.
func (f *digestFile) Close() error {
	f.to.enter(f.name, [sha256.Size]byte(f.sum.Sum(nil)))
	return f.File.Close()
}

var _ io.ReadCloser = (*digestFile)(nil)
