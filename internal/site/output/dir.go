package output

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
)

// Dir is a Sink that writes files below a folder. os.Root makes sure that every write stays inside the folder, even if
// there are links. Dir does not touch an existing file that has the same content, so the file keeps its modification
// time.
type Dir struct {
	root   *os.Root
	made   map[string]bool // folders that are known to exist
	folder string          // path of sub
	// folder of the last file. Consecutive files are mostly in the same folder, and opening folders is slow.
	sub   *os.Root
	buf   []byte           // reused
	known *filestamp.Index // stamps of existing files; nil = read every file that has the same size
}

// NewDir returns a Dir that writes below root. The caller closes root.
func NewDir(root *os.Root) *Dir { return NewStampedDir(root, nil) }

// NewStampedDir is like NewDir, but for a folder that may contain files from an earlier run. known holds the stamps of
// these files, so that unchanged files do not have to be read. It also records the stamps of all other files. It may be
// nil.
func NewStampedDir(root *os.Root, known *filestamp.Index) *Dir {
	return &Dir{root: root, made: map[string]bool{".": true}, known: known}
}

// dirBuffer is the size of reads and writes, in bytes.
const dirBuffer = 1 << 18

// Put writes one file. It leaves an existing file alone if its content is the same.
func (d *Dir) Put(ctx context.Context, f File) error {
	if err := check(ctx, f); err != nil {
		return err
	}
	dir := path.Dir(f.Path)
	if !d.made[dir] {
		if err := d.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return fmt.Errorf("create folder: %w", err)
		}
		d.made[dir] = true
	}
	in, err := d.enter(dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	if err := d.write(in, f); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return nil
}

// Has reports whether a file with the same name and content exists.
func (d *Dir) Has(f File) bool {
	if !ValidPath(f.Path) {
		return false
	}
	in, err := d.enter(path.Dir(f.Path))
	return err == nil && d.same(in, f)
}

// Close closes open folders. A Dir can be used again afterwards.
func (d *Dir) Close() error {
	if d.sub == nil {
		return nil
	}
	err := d.sub.Close()
	d.sub, d.folder = nil, ""
	return err
}

// enter opens a folder, or returns the open folder if it is the same one.
func (d *Dir) enter(dir string) (*os.Root, error) {
	if dir == "." {
		return d.root, nil
	}
	if d.sub == nil || d.folder != dir {
		sub, err := d.root.OpenRoot(filepath.FromSlash(dir))
		if err != nil {
			return nil, err
		}
		_ = d.Close() // nothing was written through it
		d.sub, d.folder = sub, dir
	}
	return d.sub, nil
}

func (d *Dir) write(in *os.Root, f File) error {
	if d.same(in, f) {
		return nil
	}
	w, err := in.OpenFile(path.Base(f.Path), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if f.Data != nil {
		_, err = w.Write(f.Data)
	} else {
		err = d.unpack(w, f)
	}
	return errors.Join(err, w.Close())
}

// unpack writes the content of a packed file as a stream.
func (d *Dir) unpack(w io.Writer, f File) error {
	r := f.Open()
	defer func() { _ = r.Close() }() // opened for reading only
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, r, d.buffer())
	return err
}

func (d *Dir) buffer() []byte {
	if d.buf == nil {
		d.buf = make([]byte, dirBuffer)
	}
	return d.buf
}

// same reports whether the existing file has f's content. It returns false if the file cannot be read.
func (d *Dir) same(in *os.Root, f File) bool {
	name, at := path.Base(f.Path), d.known.Now()
	info, err := in.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != f.Size() {
		return false
	}
	if sum, ok := d.known.Find(f.Path, info); ok {
		return sum == f.Digest()
	}
	r, err := in.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = r.Close() }() // opened for reading only
	sum, err := d.sum(r, info.Size())
	if err != nil {
		return false
	}
	d.known.Keep(f.Path, info, at, sum)
	return sum == f.Digest()
}

// sum returns the digest of the first size bytes from r.
func (d *Dir) sum(r io.Reader, size int64) (sum [sha256.Size]byte, err error) {
	if buf := d.buffer(); size <= int64(len(buf)) {
		_, err = io.ReadFull(r, buf[:size])
		return sha256.Sum256(buf[:size]), err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, struct{ io.Reader }{r}, d.buffer())
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return [sha256.Size]byte(h.Sum(nil)), err
}
