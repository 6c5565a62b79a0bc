package powercut

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

type kind int

const (
	create kind = iota
	mkdir
	symlink
	link
	remove
	rename
	write
	truncate
	syncFile
	syncFolder
)

// op is one recorded change or sync.
type op struct {
	kind       kind
	id, parent int
	name       string
	mode       uint32
	to         int // new parent of a rename
	newName    string
	offset     int64 // of a write; for a truncate, the size
	data       []byte
}

const rootID = 1

// Loss describes what a disk may lose. Real file systems lose less, but which part they keep differs.
type Loss struct {
	Contents bool // written data is lost unless the file was synced afterwards
	Names    bool // folders revert to the entries that they had at their last sync

	// DeafFiles and DeafFolders are for control runs: syncs of this kind have no effect, as if the program had not
	// requested them.
	DeafFiles, DeafFolders bool
}

// Losses returns the losses that a program must survive.
func Losses() map[string]Loss {
	return map[string]Loss{
		"unsynced contents":           {Contents: true},
		"unsynced names":              {Names: true},
		"unsynced contents and names": {Contents: true, Names: true},
	}
}

// object is a file, link or folder: as programs see it (seen, names), and as it is on disk (kept, durable).
type object struct {
	kind           kind
	mode           uint32
	seen, kept     []byte
	shared         bool // seen and kept share memory; copy seen before the next write
	names, durable map[string]int
}

// Each rebuilds the disk's content after a power cut, once for each number of operations in points, and calls look with
// the folder. The points must be in ascending order. It unmounts the disk first, so that nothing changes any more.
func (d *Disk) Each(t testing.TB, points []int, loss Loss, look func(ops int, dir string)) {
	t.Helper()
	d.end(t)
	state := map[int]*object{rootID: {kind: mkdir, mode: 0o755, names: map[string]int{}, durable: map[string]int{}}}
	done := 0
	for _, n := range points {
		for ; done < n; done++ {
			apply(state, d.ops[done], loss)
		}
		dir := t.TempDir()
		restore(t, state, rootID, dir)
		look(n, dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

func apply(state map[int]*object, o op, loss Loss) {
	switch o.kind {
	case create, mkdir, symlink:
		n := &object{kind: o.kind, mode: o.mode, seen: o.data, kept: o.data, shared: true}
		if o.kind == mkdir {
			n.names, n.durable = map[string]int{}, map[string]int{}
		}
		state[o.id] = n
		state[o.parent].names[o.name] = o.id
	case link:
		state[o.parent].names[o.name] = o.id
	case remove:
		delete(state[o.parent].names, o.name)
	case rename:
		id := state[o.parent].names[o.name]
		delete(state[o.parent].names, o.name)
		state[o.to].names[o.newName] = id
	case write:
		f := state[o.id]
		f.resize(max(int64(len(f.seen)), o.offset+int64(len(o.data))))
		copy(f.seen[o.offset:], o.data)
	case truncate:
		state[o.id].resize(o.offset)
	case syncFile:
		if f := state[o.id]; !loss.DeafFiles {
			f.kept, f.shared = f.seen, loss.Contents
		}
	case syncFolder:
		if !loss.DeafFolders {
			state[o.id].durable = maps.Clone(state[o.id].names)
		}
	}
	reach(state, o, loss)
}

// reach makes changes durable immediately unless loss includes their kind.
func reach(state map[int]*object, o op, loss Loss) {
	if f := state[o.id]; f != nil && !loss.Contents && (o.kind == write || o.kind == truncate) {
		f.kept = f.seen // share the bytes, so that later writes change both
	}
	for _, id := range []int{o.parent, o.to} {
		if f := state[id]; f != nil && !loss.Names {
			f.durable = maps.Clone(f.names)
		}
	}
}

// resize changes the size of a file and makes its bytes writable. It copies them only if the old bytes must be
// kept, because programs write large files in many small pieces.
func (f *object) resize(size int64) {
	if f.shared {
		f.seen, f.shared = slices.Clone(f.seen), false
	}
	old := int64(len(f.seen))
	f.seen = slices.Grow(f.seen, int(max(0, size-old)))[:size]
	clear(f.seen[min(old, size):])
}

// restore writes the disk's content into a folder.
func restore(t testing.TB, state map[int]*object, id int, dir string) {
	t.Helper()
	for name, child := range state[id].durable {
		o, path := state[child], filepath.Join(dir, name)
		var err error
		switch o.kind {
		case mkdir:
			if err = os.Mkdir(path, os.FileMode(o.mode&0o777)|0o700); err == nil {
				restore(t, state, child, path)
			}
		case symlink:
			err = os.Symlink(string(o.kept), path)
		default:
			err = os.WriteFile(path, o.kept, os.FileMode(o.mode&0o777)|0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
