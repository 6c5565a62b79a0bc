package powercut

import (
	"sync"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is a mounted file system with a record of its changes.
type Disk struct {
	Dir string // mount point

	mu   sync.Mutex
	ops  []op             // guarded by mu
	ids  map[uint64]int   // objects by inode number of the underlying folder; guarded by mu
	last int              // id of the newest object; guarded by mu
	end  func(testing.TB) // unmounts it, once
}

// Mount mounts an empty disk. It is unmounted at the end of the test.
func Mount(t testing.TB) *Disk {
	t.Helper()
	below, dir := t.TempDir(), t.TempDir()
	d := &Disk{Dir: dir, ids: map[uint64]int{}, last: rootID}
	root := &node{disk: d, id: rootID}
	data := &fs.LoopbackRoot{Path: below, RootNode: root}
	// This field is deprecated, but its replacement does not receive the inode.
	data.NewNode = d.newNode
	root.RootData = data
	brief := time.Second
	server, err := fs.Mount(dir, root, &fs.Options{EntryTimeout: &brief, AttrTimeout: &brief,
		MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "powercut", Name: "powercut",
			MaxWrite: 1 << 20}})
	if err != nil {
		t.Fatalf("mount a file system, which needs root and /dev/fuse: %v", err)
	}
	var once sync.Once
	d.end = func(t testing.TB) {
		once.Do(func() {
			if err := server.Unmount(); err != nil {
				t.Errorf("unmount the disk: %v", err)
			}
			server.Wait()
		})
	}
	t.Cleanup(func() { d.end(t) })
	return d
}

// Ops returns the number of changes and syncs so far. Everything that a program has reported as done by now must
// survive a power cut after that many operations.
func (d *Disk) Ops() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ops)
}

func (d *Disk) record(o op) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, o)
}

// object returns the id of a file. Unlike inode numbers, ids are never reused.
func (d *Disk) object(inode uint64, fresh bool) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, known := d.ids[inode]
	if !known || fresh {
		d.last++
		id = d.last
		d.ids[inode] = id
	}
	return id
}
