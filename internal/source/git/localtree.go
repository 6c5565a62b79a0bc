package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// LocalTree is the docs folder at a commit, as an fs.FS. Files are read when they are opened. It is safe for
// concurrent use. Symbolic links are listed but cannot be opened; submodules are empty folders.
type LocalTree struct {
	blobs *blobReader
	nodes map[string]*treeNode // by path; "." is the folder itself
}

// treeNode is a file or a folder of a tree. It implements fs.DirEntry and fs.FileInfo.
type treeNode struct {
	name string
	mode fs.FileMode
	id   string // id of a blob
	size int64
	sub  []fs.DirEntry // entries of a folder, ordered by name
}

// Name, Type, Info, Size, Mode, ModTime, IsDir and Sys implement fs.DirEntry and fs.FileInfo.
func (n *treeNode) Name() string               { return n.name }
func (n *treeNode) Type() fs.FileMode          { return n.mode.Type() }
func (n *treeNode) Info() (fs.FileInfo, error) { return n, nil }
func (n *treeNode) Size() int64                { return n.size }
func (n *treeNode) Mode() fs.FileMode          { return n.mode }
func (n *treeNode) ModTime() time.Time         { return time.Time{} }
func (n *treeNode) IsDir() bool                { return n.mode.IsDir() }
func (n *treeNode) Sys() any                   { return nil }

// Tree opens the docs folder at a commit; if the commit does not contain it, the tree is empty. The caller closes
// the tree.
func (r *LocalRepo) Tree(ctx context.Context, commit string) (*LocalTree, error) {
	blobs, err := r.openBlobs(ctx)
	if err != nil {
		return nil, err
	}
	t, err := r.tree(ctx, blobs, commit)
	if err != nil {
		_ = blobs.Close()
		return nil, err
	}
	return t, nil
}

// tree lists the folder at a commit.
func (r *LocalRepo) tree(ctx context.Context, blobs *blobReader, commit string) (*LocalTree, error) {
	t := newLocalTree(blobs)
	name := commit + "^{tree}"
	if r.folder != "" {
		name = commit + ":" + r.folder
	}
	id, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
	if err != nil {
		return t, ctx.Err() // the commit exists, so it does not contain the folder
	}
	err = r.read(ctx, func(stdout io.Reader) error {
		lines := pieces(stdout)
		for lines.Scan() {
			l, err := parseLeaf(lines.Text())
			if err != nil {
				return err
			}
			t.add(l)
		}
		return lines.Err()
	}, "ls-tree", "-r", "-z", "-l", "--full-tree", id)
	if err != nil {
		return nil, fmt.Errorf("list files of commit: %w", err)
	}
	t.sort()
	return t, nil
}

func newLocalTree(blobs *blobReader) *LocalTree {
	return &LocalTree{blobs: blobs, nodes: map[string]*treeNode{".": {name: ".", mode: fs.ModeDir | 0o755}}}
}

// add adds a leaf and the folders above it.
func (t *LocalTree) add(l leaf) {
	if !fs.ValidPath(l.path) {
		return
	}
	n := &treeNode{name: path.Base(l.path), mode: 0o644, id: l.id, size: l.size}
	switch {
	case l.mode == modeLink:
		n.mode = fs.ModeSymlink | 0o777
	case !l.regular():
		n.mode = fs.ModeDir | 0o755
	}
	t.enter(l.path, n)
}

func (t *LocalTree) enter(name string, n *treeNode) {
	t.nodes[name] = n
	dir := path.Dir(name)
	if t.nodes[dir] == nil {
		t.enter(dir, &treeNode{name: path.Base(dir), mode: fs.ModeDir | 0o755})
	}
	t.nodes[dir].sub = append(t.nodes[dir].sub, n)
}

func (t *LocalTree) sort() {
	for _, n := range t.nodes {
		slices.SortFunc(n.sub, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
}

// Close ends the git process that reads the files.
func (t *LocalTree) Close() error { return t.blobs.Close() }

func (t *LocalTree) find(op, name string) (*treeNode, error) {
	if n := t.nodes[name]; n != nil {
		return n, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open implements fs.FS.
func (t *LocalTree) Open(name string) (fs.File, error) {
	n, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	f := &treeFile{treeNode: n}
	if n.IsDir() {
		return f, nil
	}
	if !n.mode.IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("symbolic link")}
	}
	data, err := t.blobs.read(n.id)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f.Reader = bytes.NewReader(data)
	return f, nil
}

// ReadDir implements fs.ReadDirFS.
func (t *LocalTree) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := t.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if !n.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	return slices.Clone(n.sub), nil
}

// Stat implements fs.StatFS. It does not follow links.
func (t *LocalTree) Stat(name string) (fs.FileInfo, error) { return t.Lstat(name) }

// Lstat implements fs.ReadLinkFS.
func (t *LocalTree) Lstat(name string) (fs.FileInfo, error) {
	n, err := t.find("lstat", name)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// ReadLink implements fs.ReadLinkFS. It always fails, because links in a docs folder are not followed.
func (t *LocalTree) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// treeFile is an open file or folder.
type treeFile struct {
	*treeNode
	*bytes.Reader // nil for a folder
	listed        int
}

// Stat, Size, Read, Close and ReadDir implement fs.ReadDirFile.
func (f *treeFile) Stat() (fs.FileInfo, error) { return f.treeNode, nil }
func (f *treeFile) Size() int64                { return f.treeNode.size }
func (f *treeFile) Close() error               { return nil }

func (f *treeFile) Read(p []byte) (int, error) {
	if f.Reader == nil {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a folder")}
	}
	return f.Reader.Read(p)
}

func (f *treeFile) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := f.sub[f.listed:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 {
		rest = rest[:min(n, len(rest))]
	}
	f.listed += len(rest)
	return slices.Clone(rest), nil
}

// blobReader reads objects through a running "git cat-file --batch".
type blobReader struct {
	mu   sync.Mutex // one request at a time
	talk objects
	cmd  *exec.Cmd
	stop context.CancelFunc
}

func (r *LocalRepo) openBlobs(ctx context.Context) (*blobReader, error) {
	ctx, stop := context.WithCancel(ctx)
	b := &blobReader{cmd: r.command(ctx, "cat-file", "--batch"), stop: stop}
	in, err := b.cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, fmt.Errorf("open pipe to git: %w", err)
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		stop()
		return nil, fmt.Errorf("open pipe from git: %w", err)
	}
	if err := b.cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("start git: %w", err)
	}
	b.talk = objects{in: in, out: bufio.NewReaderSize(out, 64<<10)}
	return b, nil
}

func (b *blobReader) read(id string) (data []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err = b.talk.each(1, func(int) string { return id }, func(_ int, r io.Reader) error {
		data, err = io.ReadAll(r)
		return err
	})
	return data, err
}

// Close ends the process.
func (b *blobReader) Close() error {
	_ = b.talk.in.Close() // git then exits by itself
	b.stop()
	_ = b.cmd.Wait() // it may have been killed
	return nil
}
