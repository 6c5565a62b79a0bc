package buildcache

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// onePack creates a folder with one pack and returns the pack's path and bytes.
func onePack(t testing.TB, records, size int) (path string, content []byte) {
	t.Helper()
	dir := t.TempDir()
	s := openStore(t, dir, 0, time.Now)
	n := s.Begin()
	for i := range records {
		n.Put(keyOf(i), valueOf(keyOf(i), size))
	}
	n.Close()
	found, err := filepath.Glob(filepath.Join(dir, "*"+packEnding))
	if err != nil || len(found) != 1 {
		t.Fatalf("packs: %v, %v", found, err)
	}
	content, err = os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return found[0], content
}

// check returns how many of the records are found in a folder, and fails if one of them is wrong. Then it stores all
// of them again, which must repair the folder.
func check(t *testing.T, dir string, records, size int) (found int) {
	t.Helper()
	s, err := Open(dir, Options{Now: time.Now, OnError: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	noProgram(s)
	n := s.Begin()
	for i := range records {
		if got, ok := n.Get(keyOf(i)); ok {
			found++
			if !bytes.Equal(got, valueOf(keyOf(i), size)) {
				t.Fatalf("record %d is wrong: %d bytes", i, len(got))
			}
		} else {
			n.Put(keyOf(i), valueOf(keyOf(i), size))
		}
	}
	n.Close()
	return found
}

func TestTruncatedPackIsRepairedByNextBuild(t *testing.T) {
	const records, size = 12, 100
	path, content := onePack(t, records, size)
	for length := 0; length < len(content); length += 7 {
		for name, torn := range map[string][]byte{
			"short":  content[:length],
			"zeroed": append(bytes.Clone(content[:length]), make([]byte, len(content)-length)...),
		} {
			write(t, path, torn)
			if found := check(t, filepath.Dir(path), records, size); length < len(content)-4 && found == records {
				t.Fatalf("%s after %d bytes: all records are found", name, length)
			}
			if found := check(t, filepath.Dir(path), records, size); found < records && name == "short" {
				t.Fatalf("%s after %d bytes: %d of %d are found in the repaired folder", name, length, found,
					records)
			}
		}
	}
}

// write puts content into the folder as its only pack.
func write(t *testing.T, path string, content []byte) {
	t.Helper()
	old, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"+packEnding))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlippedBitIsAMissAndRepairedByNextBuild(t *testing.T) {
	const records, size = 12, 100
	path, content := onePack(t, records, size)
	for at := range content {
		flipped := bytes.Clone(content)
		flipped[at] ^= 1 << (at % 8)
		write(t, path, flipped)
		found := check(t, filepath.Dir(path), records, size)
		if last := at >= len(content)-4; found == records && !last { // the last four bytes are unused
			t.Fatalf("with byte %d changed, all records are found", at)
		}
		if inRecords := at < records*(keySize+size); inRecords && found != records-1 {
			t.Fatalf("with byte %d changed, %d of %d are found", at, found, records)
		}
		check(t, filepath.Dir(path), records, size) // records found before the damage was noticed are removed with the pack
		if found := check(t, filepath.Dir(path), records, size); found != records {
			t.Fatalf("with byte %d changed, %d of %d are found after two builds", at, found, records)
		}
	}
}

func TestRemovedOrTruncatedPackIsAMiss(t *testing.T) {
	path, content := onePack(t, 100, 1000)
	s := openStore(t, filepath.Dir(path), 0, time.Now)
	n := s.Begin()
	defer n.Close()
	wantValue(t, n, keyOf(0), 1000)
	if err := os.Truncate(path, int64(len(content)/2)); err != nil {
		t.Fatal(err)
	}
	wantValue(t, n, keyOf(1), 1000)
	if _, ok := n.Get(keyOf(99)); ok {
		t.Error("a truncated record is found")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	n.Flush()
	if _, ok := n.Get(keyOf(50)); ok {
		t.Error("a record of a removed pack is found")
	}
}

// TestFullDiskDisablesCacheButNotBuild runs itself in a process that may only write files of up to 300,000 bytes.
func TestFullDiskDisablesCacheButNotBuild(t *testing.T) {
	dir := os.Getenv("BUILDCACHE_TEST_DIR")
	if dir == "" {
		out, err := otherProcess(t, t.Name(), t.TempDir()).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Fatalf("process: %v\n%s", err, out)
		}
		return
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 300_000, Max: 300_000}); err != nil {
		t.Fatal(err)
	}
	var reported error
	s, err := Open(dir, Options{Now: time.Now, OnError: func(err error) { reported = err }})
	if err != nil {
		t.Fatal(err)
	}
	noProgram(s)
	n := s.Begin()
	for i := range 1000 {
		n.Put(keyOf(i), valueOf(keyOf(i), 1000))
		if got, ok := n.Get(keyOf(i)); ok && !bytes.Equal(got, valueOf(keyOf(i), 1000)) {
			t.Fatal("the cache returned a wrong value")
		}
	}
	if !errors.Is(n.Err(), syscall.EFBIG) {
		t.Errorf("Err = %v", n.Err())
	}
	n.Close()
	if !errors.Is(reported, syscall.EFBIG) {
		t.Errorf("OnError got %v", reported)
	}
	if files, err := listFiles(s.root); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	n = s.Begin() // there is space again
	n.Put(keyOf(1), valueOf(keyOf(1), 1000))
	n.Close()
	n = s.Begin()
	wantValue(t, n, keyOf(1), 1000)
	n.Close()
}

// FuzzPack reads arbitrary bytes as a pack and looks up every entry.
func FuzzPack(f *testing.F) {
	_, content := onePack(f, 5, 20)
	f.Add(content)
	f.Add(content[:len(content)-1])
	f.Add(bytes.Repeat([]byte{0xff}, 100))
	f.Add([]byte(magic + strings.Repeat("\x00", 24)))
	f.Fuzz(func(t *testing.T, data []byte) {
		start, entries, err := readIndex(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			// Fuzzing cannot guess the checksum, so arbitrary bytes are also used as the index directly.
			entries, start = data[:len(data)/entrySize*entrySize], int64(len(data))
		}
		p := &pack{entries: entries, start: start}
		for i := range p.count() {
			at, _ := p.find(p.at(i))
			if record, err := readRecord(bytes.NewReader(data), at, start); err == nil && checksum(record) != at.sum {
				t.Fatal("a record with a wrong checksum is read")
			}
		}
		p.find(0)
		p.find(1<<64 - 1)
	})
}

// failing returns an error from every read, like a file on a failing disk.
type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, syscall.EIO }

// A pack that cannot be read now is not damaged: it stays in the folder, and the next build uses it.
func TestUnreadablePackIsKept(t *testing.T) {
	if _, _, err := readIndex(failing{}, 1000); !errors.Is(err, syscall.EIO) || errors.Is(err, errDamaged) {
		t.Errorf("index: %v", err)
	}
	path, _ := onePack(t, 12, 100)
	s := openStore(t, filepath.Dir(path), 0, time.Now)
	n := s.Begin()
	n.packs[0].file.Close()
	if _, ok := n.Get(keyOf(1)); ok {
		t.Fatal("a record was read from a closed file")
	}
	n.Close()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the pack is gone: %v", err)
	}
}
