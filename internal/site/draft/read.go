package draft

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Open opens a file or folder with the changes applied.
func (t *Tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if data, ok := t.written[name]; ok {
		if data == nil {
			return nil, gone("open", name)
		}
		return &file{info: t.info(name, data), Reader: bytes.NewReader(data)}, nil
	}
	info, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return t.base.Open(name)
	}
	entries, err := t.ReadDir(name)
	if err != nil {
		return nil, err
	}
	return &folder{info: info, entries: entries}, nil
}

// ReadFile reads a whole file with the changes applied. The caller owns the result.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	data, ok := t.written[name]
	switch {
	case ok && data == nil:
		return nil, gone("read", name)
	case ok:
		return bytes.Clone(data), nil
	}
	return fs.ReadFile(t.base, name)
}

// Stat describes a file or folder with the changes applied. A folder whose last file was removed still exists until the
// changes are written.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	if data, ok := t.written[name]; ok {
		if data == nil {
			return nil, gone("stat", name)
		}
		return t.info(name, data), nil
	}
	info, err := fs.Stat(t.base, name)
	if err != nil && t.folders[name] > 0 {
		return entry{name: path.Base(name), folder: true}, nil
	}
	return info, err
}

// ReadDir lists a folder with the changes applied, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(t.base, name)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || t.folders[name] == 0) {
		return nil, err
	}
	below := func(p string) (child string, direct, ok bool) {
		rest := p
		if name != "." {
			if rest, ok = strings.CutPrefix(p, name+"/"); !ok {
				return "", false, false
			}
		}
		child, _, deeper := strings.Cut(rest, "/")
		return child, !deeper, true
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		_, ok := t.written[path.Join(name, e.Name())]
		return ok
	})
	seen := map[string]bool{}
	for _, e := range list {
		seen[e.Name()] = true
	}
	for p, data := range t.written {
		child, direct, ok := below(p)
		if !ok || data == nil || seen[child] {
			continue
		}
		seen[child] = true
		if direct {
			list = append(list, t.info(p, data))
		} else {
			list = append(list, entry{name: child, folder: true})
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func gone(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func (t *Tree) info(name string, data []byte) entry {
	return entry{name: path.Base(name), size: int64(len(data))}
}

// entry is a written file, or a folder that exists only because it contains a written file.
type entry struct {
	name   string
	size   int64
	folder bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.folder }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

func (e entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// file is an open file with written content.
type file struct {
	info entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// folder is an open folder.
type folder struct {
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: errIsFolder}
}

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		out := f.entries
		f.entries = nil
		return out, nil
	}
	if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	out := f.entries[:n]
	f.entries = f.entries[n:]
	return out, nil
}
