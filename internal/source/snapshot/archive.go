package snapshot

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// archive is a Sink that writes the files into a zip archive, because creating one file for each page would take most
// of an update's time. Files that an earlier source already contains are not written again.
type archive struct {
	ctx    context.Context
	like   *tree // the earlier source; may be empty
	ours   bool  // leave out files with names that Lectern uses
	limits sourcetree.Limits
	file   *os.File
	buffer *bufio.Writer
	zip    *output.Archive
	tree   *tree              // the files taken from like
	added  map[string]content // what is known about the files in zip
	files  int
	bytes  int64
	data   bytes.Buffer // content of the file that is being added
}

// content identifies a file's content.
type content struct {
	sum [sha256.Size]byte // zero = unknown
	key string            // of the driver, see sourcetree.Sink; "" = unknown
}

func newArchive(ctx context.Context, dir string, like *Source, limits sourcetree.Limits) (*archive, error) {
	file, err := os.OpenFile(filepath.Join(dir, "fetched.zip"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create source archive: %w", err)
	}
	a := &archive{ctx: ctx, like: emptyTree(), limits: limits.OrDefault(), file: file, tree: emptyTree(),
		buffer: bufio.NewWriterSize(file, saveBuffer), added: map[string]content{}}
	a.zip = output.NewZip(a.buffer)
	if like != nil && like.tree != nil {
		a.like = like.tree
	}
	return a, nil
}

// Keep implements sourcetree.Sink.
func (a *archive) Keep(p, key string) bool {
	old, ok := a.like.files[p]
	return ok && key != "" && old.key == key && old.sum != [sha256.Size]byte{} && !(a.ours && reserved(p)) && a.take(p, *old)
}

// take adds a file of the earlier source. It returns false if the name cannot be used.
func (a *archive) take(p string, f treeFile) bool {
	if a.tree.enter(p, &f) != nil {
		return false
	}
	a.files++
	a.bytes += int64(f.UncompressedSize64)
	return true
}

// Put implements sourcetree.Sink.
func (a *archive) Put(p, key string, r io.Reader) error {
	if a.ours && reserved(p) {
		_, err := io.Copy(io.Discard, r) // the driver may compute a digest of what is read
		return err
	}
	a.data.Reset()
	_, err := a.data.ReadFrom(io.LimitReader(r, a.limits.FileBytes+1))
	data := a.data.Bytes()
	if n := int64(len(data)); err == nil && (n > a.limits.FileBytes || a.bytes+n > a.limits.Bytes) {
		err = sourcetree.ErrGrown
	}
	if err != nil {
		return fmt.Errorf("store file %s: %w", p, err)
	}
	is := content{sha256.Sum256(data), key}
	if old, ok := a.like.files[p]; ok && old.sum == is.sum && a.take(p, treeFile{old.File, is}) {
		return nil
	}
	a.files++
	a.bytes += int64(len(data))
	a.added[p] = is
	return a.write(p, data)
}

// write adds a file to the zip archive.
func (a *archive) write(p string, data []byte) error {
	if err := a.zip.Put(a.ctx, output.File{Path: p, ContentType: output.ContentType(p), Data: data}); err != nil {
		return fmt.Errorf("store file %s: %w", p, err)
	}
	return nil
}

// Total implements sourcetree.Sink.
func (a *archive) Total() (files int, bytes int64) { return a.files, a.bytes }

// source finishes the archive and returns the source. The caller closes it, or the archive after an error.
func (a *archive) source(s sourcetree.Snapshot) (*Source, error) {
	if err := errors.Join(a.zip.Close(), a.buffer.Flush()); err != nil {
		return nil, fmt.Errorf("finish source archive: %w", err)
	}
	info, err := a.file.Stat()
	if err != nil {
		return nil, fmt.Errorf("finish source archive: %w", err)
	}
	if _, err := a.tree.read(a.file, info.Size(), a.limits); err != nil {
		return nil, fmt.Errorf("read source archive: %w", err)
	}
	for p, is := range a.added {
		a.tree.files[p].content = is
	}
	return &Source{Snapshot: s, FS: a.tree, tree: a.tree, closers: []io.Closer{a.file}}, nil
}
