package snapshot

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// tree provides a zip archive as a file system. It contains only regular files with valid names and their folders;
// size and checksum are verified while reading. It is safe for concurrent use.
type tree struct {
	files   map[string]*zip.File
	folders map[string][]fs.DirEntry // files and folders in each folder, ordered by name
}

var (
	errEntry = errors.New("archive entry is not a source file")
	errLarge = errors.New("archive exceeds the limits of a source")
)

func newTree(from io.ReaderAt, size int64, limits sourcetree.Limits) (*tree, error) {
	zr, err := zip.NewReader(from, size)
	if err != nil {
		return nil, err
	}
	zr.RegisterDecompressor(zip.Deflate, output.Inflate)
	if len(zr.File) > limits.Files+1 { // one more for the dates
		return nil, errLarge
	}
	t := &tree{files: make(map[string]*zip.File, len(zr.File)), folders: map[string][]fs.DirEntry{".": nil}}
	left := uint64(limits.Bytes + maxDates)
	for _, f := range zr.File {
		if f.UncompressedSize64 > left {
			return nil, errLarge
		}
		left -= f.UncompressedSize64
		if err := t.enter(f); err != nil {
			return nil, err
		}
	}
	for _, list := range t.folders {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return t, nil
}

// enter adds a file and its folders.
func (t *tree) enter(f *zip.File) error {
	_, file := t.files[f.Name]
	_, folder := t.folders[f.Name]
	if !fs.ValidPath(f.Name) || !f.Mode().IsRegular() || file || folder {
		return fmt.Errorf("%w: %q", errEntry, f.Name)
	}
	t.files[f.Name] = f
	child := fs.FileInfoToDirEntry(info{path.Base(f.Name), int64(f.UncompressedSize64), 0o444})
	for dir := path.Dir(f.Name); ; dir = path.Dir(dir) {
		if _, file := t.files[dir]; file {
			return fmt.Errorf("%w: %q", errEntry, f.Name)
		}
		_, known := t.folders[dir]
		t.folders[dir] = append(t.folders[dir], child)
		if known {
			return nil
		}
		child = fs.FileInfoToDirEntry(info{path.Base(dir), 0, fs.ModeDir | 0o555})
	}
}

// find looks up a name; file is nil for a folder.
func (t *tree) find(op, name string) (file *zip.File, i info, err error) {
	if !fs.ValidPath(name) {
		return nil, i, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if f, ok := t.files[name]; ok {
		return f, info{path.Base(name), int64(f.UncompressedSize64), 0o444}, nil
	}
	if _, ok := t.folders[name]; ok {
		return nil, info{path.Base(name), 0, fs.ModeDir | 0o555}, nil
	}
	return nil, i, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	f, i, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return &openFolder{info: i, left: t.folders[name]}, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{r, i}, nil
}

// Stat implements fs.StatFS without opening the file.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	_, i, err := t.find("stat", name)
	if err != nil {
		return nil, err
	}
	return i, nil
}

// ReadDir implements fs.ReadDirFS.
func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	f, _, err := t.find("readdir", name)
	if err == nil && f != nil {
		err = &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(t.folders[name]), nil
}

// ReadFile implements fs.ReadFileFS. The size given in the archive was checked against the limits.
func (t *tree) ReadFile(name string) ([]byte, error) {
	f, i, err := t.find("read", name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a folder")}
	}
	data, err := readAll(f, i.size)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

func readAll(f *zip.File, size int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF { // reading to the end verifies the checksum
		return nil, errors.Join(zip.ErrChecksum, err)
	}
	return data, nil
}

// info describes a file or folder.
type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} } // see Modified
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// openFile is a file opened for reading.
type openFile struct {
	io.ReadCloser
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// openFolder is a folder opened for listing.
type openFolder struct {
	info info
	left []fs.DirEntry // entries not returned yet
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFolder) Close() error               { return nil }
func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: errors.New("is a folder")}
}

// ReadDir implements fs.ReadDirFile.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.left) {
		if n > 0 && len(f.left) == 0 {
			return nil, io.EOF
		}
		n = len(f.left)
	}
	out := slices.Clone(f.left[:n])
	f.left = f.left[n:]
	return out, nil
}
