package sourcetree

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// Sink receives the files of a snapshot, in the order of Plan and from one goroutine at a time.
type Sink interface {
	// Keep adds the file at p from an earlier snapshot if that has the same content at p, and reports whether it did.
	// key identifies the content, like the id of a Git object; "" = unknown.
	Keep(p, key string) bool
	// Put adds the file at p with the content of r.
	Put(p, key string, r io.Reader) error
	// Total returns the number and size of the files so far.
	Total() (files int, bytes int64)
}

// ErrGrown means that a source exceeded its limits after it was planned.
var ErrGrown = errors.New("more bytes than planned")

// Writer is a Sink that creates the files in an empty folder.
type Writer struct {
	root  *os.Root
	made  map[string]bool
	limit Limits
	files int
	bytes int64
}

// OpenWriter opens dst, which must be an empty folder. The caller closes the writer.
func OpenWriter(dst string, limits Limits) (*Writer, error) {
	root, err := os.OpenRoot(dst)
	if err != nil {
		return nil, fmt.Errorf("open snapshot folder: %w", err)
	}
	dir, err := root.Open(".")
	if err == nil {
		_, err = dir.Readdirnames(1)
		_ = dir.Close()
	}
	if !errors.Is(err, io.EOF) {
		_ = root.Close()
		return nil, fmt.Errorf("open snapshot folder: not empty or not readable: %w", err)
	}
	return &Writer{root: root, made: map[string]bool{".": true}, limit: limits.OrDefault()}, nil
}

// Keep returns false: the folder was empty.
func (w *Writer) Keep(string, string) bool { return false }

// Put writes the file at p, a path from Plan, with the content of r. The limits also apply to a source that has grown
// since it was planned.
func (w *Writer) Put(p, _ string, r io.Reader) error {
	if dir := path.Dir(p); !w.made[dir] {
		if err := w.root.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("create folder: %w", err)
		}
		w.made[dir] = true
	}
	f, err := w.root.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	n, err := io.Copy(f, io.LimitReader(r, w.limit.FileBytes+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	w.files++
	w.bytes += n
	if err == nil && (n > w.limit.FileBytes || w.bytes > w.limit.Bytes) {
		err = ErrGrown
	}
	if err != nil {
		return fmt.Errorf("write file %s: %w", p, err)
	}
	return nil
}

// Total returns the number and size of the files written so far.
func (w *Writer) Total() (files int, bytes int64) { return w.files, w.bytes }

// Close closes the folder.
func (w *Writer) Close() error { return w.root.Close() }
