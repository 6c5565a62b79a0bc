package powercut

import (
	"bytes"
	"context"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// node is a file or folder. It passes all operations to the underlying folder and records changes.
type node struct {
	fs.LoopbackNode
	disk *Disk
	id   int
}

var (
	_ fs.NodeCreater        = (*node)(nil)
	_ fs.NodeMkdirer        = (*node)(nil)
	_ fs.NodeLinker         = (*node)(nil)
	_ fs.NodeSymlinker      = (*node)(nil)
	_ fs.NodeUnlinker       = (*node)(nil)
	_ fs.NodeRmdirer        = (*node)(nil)
	_ fs.NodeRenamer        = (*node)(nil)
	_ fs.NodeSetattrer      = (*node)(nil)
	_ fs.NodeOpener         = (*node)(nil)
	_ fs.NodeFsyncer        = (*node)(nil)
	_ fs.NodeOpendirHandler = (*node)(nil)
)

func (d *Disk) newNode(data *fs.LoopbackRoot, _ *fs.Inode, _ string, st *syscall.Stat_t) fs.InodeEmbedder {
	return &node{LoopbackNode: fs.LoopbackNode{RootData: data}, disk: d, id: d.object(st.Ino, false)}
}

// made records a new object. Its inode may have belonged to another file before.
func (n *node) made(child *fs.Inode, name string, inode uint64, o op) {
	c := child.Operations().(*node)
	c.id = n.disk.object(inode, true)
	o.parent, o.name, o.id = n.id, name, c.id
	n.disk.record(o)
}

func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode,
	fs.FileHandle, uint32, syscall.Errno) {
	child, fh, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	if errno != 0 {
		return child, fh, fuseFlags, errno
	}
	n.made(child, name, out.Ino, op{kind: create, mode: mode})
	return child, &handle{fh, child.Operations().(*node)}, fuseFlags, 0
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	child, errno := n.LoopbackNode.Mkdir(ctx, name, mode, out)
	if errno == 0 {
		n.made(child, name, out.Ino, op{kind: mkdir, mode: mode})
	}
	return child, errno
}

func (n *node) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	child, errno := n.LoopbackNode.Symlink(ctx, target, name, out)
	if errno == 0 {
		n.made(child, name, out.Ino, op{kind: symlink, data: []byte(target)})
	}
	return child, errno
}

func (n *node) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (*fs.Inode,
	syscall.Errno) {
	child, errno := n.LoopbackNode.Link(ctx, target, name, out)
	if errno == 0 {
		n.disk.record(op{kind: link, parent: n.id, name: name, id: target.(*node).id})
	}
	return child, errno
}

func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	errno := n.LoopbackNode.Unlink(ctx, name)
	if errno == 0 {
		n.disk.record(op{kind: remove, parent: n.id, name: name})
	}
	return errno
}

func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	errno := n.LoopbackNode.Rmdir(ctx, name)
	if errno == 0 {
		n.disk.record(op{kind: remove, parent: n.id, name: name})
	}
	return errno
}

func (n *node) Rename(ctx context.Context, name string, newParent fs.InodeEmbedder, newName string,
	flags uint32) syscall.Errno {
	if flags&fs.RENAME_EXCHANGE != 0 {
		return syscall.EINVAL // no program uses it, and the record does not support it
	}
	errno := n.LoopbackNode.Rename(ctx, name, newParent, newName, flags)
	if errno == 0 {
		n.disk.record(op{kind: rename, parent: n.id, name: name, to: newParent.(*node).id, newName: newName})
	}
	return errno
}

func (n *node) Setattr(ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	errno := n.LoopbackNode.Setattr(ctx, inner(f), in, out)
	if size, ok := in.GetSize(); ok && errno == 0 {
		n.disk.record(op{kind: truncate, id: n.id, offset: int64(size)})
	}
	return errno
}

func (n *node) Getattr(ctx context.Context, f fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return n.LoopbackNode.Getattr(ctx, inner(f), out)
}

func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	fh, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	if errno != 0 {
		return fh, fuseFlags, errno
	}
	if flags&syscall.O_TRUNC != 0 {
		n.disk.record(op{kind: truncate, id: n.id})
	}
	return &handle{fh, n}, fuseFlags, 0
}

// Fsync implements fsync of files.
func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.disk.record(op{kind: syncFile, id: n.id})
	return 0
}

func (n *node) CopyFileRange(context.Context, fs.FileHandle, uint64, *fs.Inode, fs.FileHandle, uint64, uint64,
	uint64) (uint32, syscall.Errno) {
	return 0, syscall.ENOTSUP // callers fall back to reading and writing
}

func (n *node) Tmpfile(context.Context, uint32, uint32, *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32,
	syscall.Errno) {
	return nil, nil, 0, syscall.ENOTSUP
}

func (n *node) OpendirHandle(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	fh, fuseFlags, errno := n.LoopbackNode.OpendirHandle(ctx, flags)
	return &folder{fh, n}, fuseFlags, errno
}

// inner returns the handle of the underlying folder.
func inner(f fs.FileHandle) fs.FileHandle {
	if h, ok := f.(*handle); ok {
		return h.below
	}
	return f
}

// handle is an open file.
type handle struct {
	below fs.FileHandle
	n     *node
}

func (h *handle) Read(ctx context.Context, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	return h.below.(fs.FileReader).Read(ctx, dest, off)
}

func (h *handle) Write(ctx context.Context, data []byte, off int64) (uint32, syscall.Errno) {
	n, errno := h.below.(fs.FileWriter).Write(ctx, data, off)
	if n > 0 {
		h.n.disk.record(op{kind: write, id: h.n.id, offset: off, data: bytes.Clone(data[:n])})
	}
	return n, errno
}

func (h *handle) Flush(ctx context.Context) syscall.Errno {
	return h.below.(fs.FileFlusher).Flush(ctx)
}

func (h *handle) Release(ctx context.Context) syscall.Errno {
	return h.below.(fs.FileReleaser).Release(ctx)
}

// folder is an open folder.
type folder struct {
	below fs.FileHandle
	n     *node
}

func (f *folder) Fsyncdir(context.Context, uint32) syscall.Errno {
	f.n.disk.record(op{kind: syncFolder, id: f.n.id})
	return 0
}

func (f *folder) Readdirent(ctx context.Context) (*fuse.DirEntry, syscall.Errno) {
	return f.below.(fs.FileReaddirenter).Readdirent(ctx)
}

func (f *folder) Seekdir(ctx context.Context, off uint64) syscall.Errno {
	return f.below.(fs.FileSeekdirer).Seekdir(ctx, off)
}

func (f *folder) Releasedir(ctx context.Context, flags uint32) {
	f.below.(fs.FileReleasedirer).Releasedir(ctx, flags)
}
