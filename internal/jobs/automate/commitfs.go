package automate

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// commitFS has the files of a commit that an API description refers to, each read when it is wanted. Git follows no links,
// so a path that is no file can only be a folder, or nothing.
type commitFS struct {
	read  func(name string) (data []byte, found bool, err error)
	known map[string]*string // nil = there is no such file
	err   error              // the first one of read
}

const maxOpened = 50 // files of one description

func newCommitFS(read func(string) ([]byte, bool, error)) *commitFS {
	return &commitFS{read: read, known: map[string]*string{}}
}

// file returns a file's content.
func (c *commitFS) file(name string) ([]byte, bool) {
	if _, asked := c.known[name]; !asked && c.err == nil && len(c.known) < maxOpened && fs.ValidPath(name) && name != "." {
		data, found, err := c.read(name)
		if fault.Is(err, fault.Invalid) { // no file can have this name
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

// commitFile is an open file of a commit, and what is known about it.
type commitFile struct {
	*strings.Reader
	name string
	mode fs.FileMode
}

// Stat implements fs.File.
func (f *commitFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File: the file is in memory.
func (f *commitFile) Close() error { return nil }

// Name implements fs.FileInfo, as do the methods that follow.
func (f *commitFile) Name() string { return f.name }

// Mode returns whether it is a file or a folder.
func (f *commitFile) Mode() fs.FileMode { return f.mode }

// ModTime returns no time: a commit has none for its files.
func (f *commitFile) ModTime() time.Time { return time.Time{} }

// IsDir reports whether it is a folder.
func (f *commitFile) IsDir() bool { return f.mode.IsDir() }

// Sys returns nothing.
func (f *commitFile) Sys() any { return nil }
