package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// target is the destination of an export. Nothing is visible there before commit.
type target interface {
	output.Sink
	commit() (size int64, sha string, err error) // sha is "" for a folder
	abandon() error
	// stamp updates the stamps of the files that commit moved into place.
	stamp(to *filestamp.Index, at time.Time) error
}

// target opens the output. known contains the stamps of an earlier one; it may be nil.
func (c *exportCommand) target(r *run, known *filestamp.Index) (target, error) {
	partial := id.Source{Rand: r.Rand}.New(".partial-") // a unique name
	if c.Format == "dir" {
		return openFolder(c.Out, partial, c.Force, known)
	}
	f, err := openFile(c.Out, partial)
	if err != nil {
		return nil, err
	}
	t := &archiveTarget{newFile: f}
	if c.Format == "zip" {
		t.Archive = output.NewZip(t.newFile)
	} else {
		t.Archive = output.NewTarGz(t.newFile)
	}
	return t, nil
}

// newFile is a file that gets its final name when it is complete. It computes the size and digest of the content.
type newFile struct {
	name string // final name
	file *os.File
	buf  *behind // buffers writes to summed
	sum  hash.Hash
	size int64
}

// fileBuffer is the size of writes to disk, in bytes: an archive consists of tens of thousands of small pieces.
const fileBuffer = 1 << 18

// summed receives the output of the buffer.
type summed struct{ *newFile }

func (s summed) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.sum.Write(p[:n])
	s.size += int64(n)
	return n, err
}

func openFile(name, partial string) (*newFile, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%s is a folder.", name).WithField("out").
			WithHint("Name a file, such as site.tar.gz.")
	}
	dir, base := filepath.Split(name)
	if err := os.MkdirAll(filepath.Clean(dir), 0o755); err != nil {
		return nil, fmt.Errorf("create folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "."+base+partial), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	f := &newFile{name: name, file: file, sum: sha256.New()}
	f.buf = writeBehind(summed{f}, fileBuffer)
	return f, nil
}

func (f *newFile) Write(p []byte) (int, error) { return f.buf.Write(p) }

func (f *newFile) commit() (size int64, sha string, err error) {
	// The file is not synced to disk: after a power failure, the export can be repeated.
	if err := f.buf.Close(); err != nil {
		return 0, "", errors.Join(fmt.Errorf("write file: %w", err), f.abandon())
	}
	if err := f.file.Close(); err != nil {
		return 0, "", errors.Join(fmt.Errorf("write file: %w", err), os.Remove(f.file.Name()))
	}
	if err := os.Rename(f.file.Name(), f.name); err != nil {
		return 0, "", errors.Join(fmt.Errorf("rename file: %w", err), os.Remove(f.file.Name()))
	}
	return f.size, hex.EncodeToString(f.sum.Sum(nil)), nil
}

func (f *newFile) stamp(to *filestamp.Index, at time.Time) error {
	info, err := os.Lstat(f.name)
	if err == nil {
		to.Keep(filepath.Base(f.name), info, at, [sha256.Size]byte(f.sum.Sum(nil)))
	}
	return err
}

func (f *newFile) abandon() error {
	_ = f.buf.Close() // the file is removed anyway
	if err := errors.Join(f.file.Close(), os.Remove(f.file.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove unfinished file: %w", err)
	}
	return nil
}

// archiveTarget is an archive in a file.
type archiveTarget struct {
	*newFile
	*output.Archive
}

func (t *archiveTarget) commit() (int64, string, error) {
	if err := t.Archive.Close(); err != nil {
		return 0, "", errors.Join(err, t.newFile.abandon())
	}
	return t.newFile.commit()
}

func (t *archiveTarget) abandon() error { return t.newFile.abandon() }
