package cli

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/outtree"
)

// target is where an export goes. Nothing is seen there before commit.
type target interface {
	outtree.Sink
	commit() (size int64, sha string, err error) // sha is "" for a folder
	abandon() error
}

func (c *exportCommand) target(r *run) (target, error) {
	partial := id.Source{Rand: r.Rand}.New(".partial-") // a name that nobody else has
	if c.Format == "dir" {
		return openFolder(c.Out, partial, c.Force)
	}
	f, err := openFile(c.Out, partial)
	if err != nil {
		return nil, err
	}
	t := &archiveTarget{newFile: f}
	if c.Format == "zip" {
		t.Archive = outtree.NewZip(t.newFile)
	} else {
		t.Archive = outtree.NewTarGz(t.newFile)
	}
	return t, nil
}

// newFile is a file that takes its name only when it is whole. It counts and digests what is written.
type newFile struct {
	name string // it will have
	file *os.File
	buf  *bufio.Writer
	sum  hash.Hash
	size int64
}

func openFile(name, partial string) (*newFile, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%s is a folder.", name).WithField("out").WithHint("Name a file, such as site.tar.gz.")
	}
	dir, base := filepath.Split(name)
	if err := os.MkdirAll(filepath.Clean(dir), 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, "."+base+partial), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	return &newFile{name: name, file: file, buf: bufio.NewWriterSize(file, 1<<16), sum: sha256.New()}, nil
}

func (f *newFile) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	f.sum.Write(p[:n])
	f.size += int64(n)
	return n, err
}

func (f *newFile) commit() (size int64, sha string, err error) {
	if err := errors.Join(f.buf.Flush(), f.file.Sync()); err != nil {
		return 0, "", errors.Join(fmt.Errorf("write file: %w", err), f.abandon())
	}
	if err := f.file.Close(); err != nil {
		return 0, "", errors.Join(fmt.Errorf("write file: %w", err), os.Remove(f.file.Name()))
	}
	if err := os.Rename(f.file.Name(), f.name); err != nil {
		return 0, "", errors.Join(fmt.Errorf("name file: %w", err), os.Remove(f.file.Name()))
	}
	return f.size, hex.EncodeToString(f.sum.Sum(nil)), nil
}

func (f *newFile) abandon() error {
	if err := errors.Join(f.file.Close(), os.Remove(f.file.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove unfinished file: %w", err)
	}
	return nil
}

// archiveTarget is an archive in a file.
type archiveTarget struct {
	*newFile
	*outtree.Archive
}

func (t *archiveTarget) commit() (int64, string, error) {
	if err := t.Archive.Close(); err != nil {
		return 0, "", errors.Join(err, t.newFile.abandon())
	}
	return t.newFile.commit()
}

func (t *archiveTarget) abandon() error {
	_ = t.Archive.Close() // its goroutines end; the file goes anyway
	return t.newFile.abandon()
}
