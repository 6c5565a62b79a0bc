package automate

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// commitFS reads, on demand, the files of a commit that an API description refers to. Git does not follow links, so a
// path that is not a file is either a folder or missing.
type commitFS struct {
	read  func(name string) (data []byte, found bool, err error)
	known map[string]*string // nil = no such file
	err   error              // the first error of read
}

const maxOpened = 50 // files opened per description

func newCommitFS(read func(string) ([]byte, bool, error)) *commitFS {
	return &commitFS{read: read, known: map[string]*string{}}
}

// file returns a file's content.
func (c *commitFS) file(name string) ([]byte, bool) {
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
func (c *commitFS) Open(name string) (fs.File, error) {
	data, found := c.file(name)
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &commitFile{Reader: strings.NewReader(string(data)), name: path.Base(name), mode: 0o444}, nil
}

// Stat implements fs.StatFS.
func (c *commitFS) Stat(name string) (fs.FileInfo, error) {
	mode := fs.ModeDir | 0o555
	data, found := c.file(name)
	if found {
		mode = 0o444
	}
	return &commitFile{Reader: strings.NewReader(string(data)), name: path.Base(name), mode: mode}, nil
}

// commitFile is an open file of a commit and also its fs.FileInfo.
type commitFile struct {
	*strings.Reader
	name string
	mode fs.FileMode
}

// Stat implements fs.File.
func (f *commitFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File; the file is in memory.
func (f *commitFile) Close() error { return nil }

// Name implements fs.FileInfo, as do the following methods.
func (f *commitFile) Name() string { return f.name }

// Mode implements fs.FileInfo.
func (f *commitFile) Mode() fs.FileMode { return f.mode }

// ModTime returns the zero time: commits do not record times of files.
func (f *commitFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *commitFile) IsDir() bool { return f.mode.IsDir() }

// Sys returns nil.
func (f *commitFile) Sys() any { return nil }
