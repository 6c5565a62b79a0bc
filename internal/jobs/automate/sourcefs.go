package automate

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// sourceFS reads files that an API description refers to, on demand, from a commit or a stored source. It does not
// follow links, so a path that is not a file is either a folder or missing.
type sourceFS struct {
	read  func(name string) (data []byte, found bool, err error)
	known map[string]*string // nil = no such file
	err   error              // first error of read
}

const maxOpened = 50 // files opened per description

func newSourceFS(read func(string) ([]byte, bool, error)) *sourceFS {
	return &sourceFS{read: read, known: map[string]*string{}}
}

// file returns a file's content; ok is false if it cannot be read.
func (c *sourceFS) file(name string) ([]byte, bool) {
	if _, asked := c.known[name]; !asked && c.err == nil && len(c.known) < maxOpened && fs.ValidPath(name) && name != "." {
		data, found, err := c.read(name)
		if fault.Is(err, fault.Invalid) { // not a valid file name
			err = nil
		}
		if c.known[name] = nil; found && err == nil {
			text := string(data)
			c.known[name] = &text
		}
		c.err = err
	}
	text := c.known[name]
	if text == nil {
		return nil, false
	}
	return []byte(*text), true
}

// Open implements fs.FS.
func (c *sourceFS) Open(name string) (fs.File, error) {
	data, found := c.file(name)
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &sourceFile{Reader: strings.NewReader(string(data)), name: path.Base(name), mode: 0o444}, nil
}

// Stat implements fs.StatFS.
func (c *sourceFS) Stat(name string) (fs.FileInfo, error) {
	mode := fs.ModeDir | 0o555
	data, found := c.file(name)
	if found {
		mode = 0o444
	}
	return &sourceFile{Reader: strings.NewReader(string(data)), name: path.Base(name), mode: mode}, nil
}

// sourceFile is an open file and also its fs.FileInfo.
type sourceFile struct {
	*strings.Reader
	name string
	mode fs.FileMode
}

// Stat implements fs.File.
func (f *sourceFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File; the file is in memory.
func (f *sourceFile) Close() error { return nil }

// Name implements fs.FileInfo, as do the following methods.
func (f *sourceFile) Name() string { return f.name }

// Mode implements fs.FileInfo.
func (f *sourceFile) Mode() fs.FileMode { return f.mode }

// ModTime returns the zero time: neither commits nor stored sources record modification times.
func (f *sourceFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *sourceFile) IsDir() bool { return f.mode.IsDir() }

// Sys returns nil.
func (f *sourceFile) Sys() any { return nil }
