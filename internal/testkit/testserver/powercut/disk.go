package powercut

import (
	"sync"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is a mounted file system with its record.
type Disk struct {
	Dir string // where it is mounted

	mu   sync.Mutex
	ops  []op             // guarded by mu
	ids  map[uint64]int   // object by inode number of the folder below; guarded by mu
	last int              // object that was named last; guarded by mu
	end  func(testing.TB) // takes it down, once
}

// Mount mounts an empty disk. It is taken down with the test.
func Mount(t testing.TB) *Disk {
	t.Helper()
	below, dir := t.TempDir(), t.TempDir()
	d := &Disk{Dir: dir, ids: map[uint64]int{}, last: rootID}
	root := &node{disk: d, id: rootID}
	data := &fs.LoopbackRoot{Path: below, RootNode: root}
	// Deprecated, but its replacement does not get the inode.
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
				t.Errorf("take the disk down: %v", err)
			}
			server.Wait()
		})
	}
	t.Cleanup(func() { d.end(t) })
	return d
}

// Ops returns how many changes and syncs there were so far. What a program has promised by now must survive a cut after
// so many.
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

// object names a file by a number that is never used again, unlike those of inodes.
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
