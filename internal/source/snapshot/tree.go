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

// tree provides the files of one or more zip archives as a file system. It contains only regular files with valid
// names and their folders; size and checksum are verified while reading. It is safe for concurrent use.
type tree struct {
	files   map[string]*treeFile
	folders map[string][]fs.DirEntry // files and folders in each folder, ordered by name
}

// treeFile is a file in one of the archives.
type treeFile struct {
	*zip.File
	content
}

// copyTo sets the file's compressed content, without verifying it. It returns false if this program would not have
// compressed it in this way. buffer holds the content.
func (f *treeFile) copyTo(out *output.File, buffer *[]byte) (ok bool, err error) {
	raw, err := f.OpenRaw()
	if err != nil {
		return false, err
	}
	*buffer = slices.Grow((*buffer)[:0], int(f.CompressedSize64))[:f.CompressedSize64]
	if _, err := io.ReadFull(raw, *buffer); err != nil {
		return false, err
	}
	data := *buffer
	out.Packed = &output.Packed{Size: int64(f.UncompressedSize64), SHA256: f.sum, CRC32: f.CRC32}
	if f.Method == zip.Store {
		out.Data = data
		return true, nil
	}
	out.Packed.Deflated, ok = output.WithoutFinalBlock(data)
	return ok, nil
}

func emptyTree() *tree {
	return &tree{files: map[string]*treeFile{}, folders: map[string][]fs.DirEntry{".": nil}}
}

var (
	errEntry = errors.New("archive entry is not a source file")
	errLarge = errors.New("archive exceeds the limits for a source")
)

// maxOwnFiles is the maximum number of files that we add to a source's archive: dates, digests, and copies of API
// descriptions.
const maxOwnFiles = 10_000

// maxOwnFile limits the size of each of them, in bytes.
const maxOwnFile = 128 << 20

// openTree opens a stored source. damaged means that the archive has changed since it was stored; no content is known
// then, nor in a source stored by an earlier release.
func openTree(from io.ReaderAt, size int64, limits sourcetree.Limits) (t *tree, damaged bool, err error) {
	t = emptyTree()
	comment, err := t.read(from, size, limits)
	if err != nil {
		return nil, false, err
	}
	list, ok := t.files[digestsFile]
	if !ok {
		return t, false, nil
	}
	t.hide(digestsFile)
	if list.UncompressedSize64 > maxDigests || !intact(from, comment) {
		return t, true, nil
	}
	data, err := readAll(list.File, int64(list.UncompressedSize64))
	if err != nil {
		return t, true, nil
	}
	for p, is := range parseDigests(data) {
		if f, ok := t.files[p]; ok {
			f.content = is
		}
	}
	return t, false, nil
}

// hide removes a file that is the only one in its folder at the root.
func (t *tree) hide(name string) {
	dir := path.Dir(name)
	delete(t.files, name)
	delete(t.folders, dir)
	t.folders["."] = slices.DeleteFunc(t.folders["."], func(e fs.DirEntry) bool { return e.Name() == dir })
}

// read adds the files of a zip archive and returns its comment.
func (t *tree) read(from io.ReaderAt, size int64, limits sourcetree.Limits) (comment string, err error) {
	zr, err := zip.NewReader(from, size)
	if err != nil {
		return "", err
	}
	zr.RegisterDecompressor(zip.Deflate, output.Inflate)
	if len(zr.File) > limits.Files+maxOwnFiles {
		return "", errLarge
	}
	left := uint64(limits.Bytes)
	for _, f := range zr.File {
		if own := reserved(f.Name) || f.Name == digestsFile; own && f.UncompressedSize64 > maxOwnFile {
			return "", errLarge
		} else if !own {
			if f.UncompressedSize64 > left {
				return "", errLarge
			}
			left -= f.UncompressedSize64
		}
		if err := t.enter(f.Name, &treeFile{File: f}); err != nil {
			return "", err
		}
	}
	for _, list := range t.folders {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return zr.Comment, nil
}

// enter adds a file and its folders. The lists of the folders must be sorted afterwards.
func (t *tree) enter(name string, f *treeFile) error {
	_, file := t.files[name]
	_, folder := t.folders[name]
	if !fs.ValidPath(name) || !f.Mode().IsRegular() || file || folder {
		return fmt.Errorf("%w: %q", errEntry, name)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, file := t.files[dir]; file {
			return fmt.Errorf("%w: %q", errEntry, name)
		}
	}
	t.files[name] = f
	child := fs.FileInfoToDirEntry(info{path.Base(name), int64(f.UncompressedSize64), 0o444})
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		_, known := t.folders[dir]
		t.folders[dir] = append(t.folders[dir], child)
		if known {
			return nil
		}
		child = fs.FileInfoToDirEntry(info{path.Base(dir), 0, fs.ModeDir | 0o555})
	}
}

// find looks up a name; file is nil for a folder.
func (t *tree) find(op, name string) (file *treeFile, i info, err error) {
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
	data, err := readAll(f.File, i.size)
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
