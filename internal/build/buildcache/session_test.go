package buildcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a clock that tests advance.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_700_000_000, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Nanosecond)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func openStore(t testing.TB, dir string, bound int64, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(dir, Options{MaxBytes: bound, Now: now,
		OnError: func(err error) { t.Errorf("a session failed: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	noProgram(s)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// noProgram replaces the computation of the test program's digest, which takes time and stores a record that tests
// would count.
func noProgram(s *Store) {
	s.program = func() ([32]byte, error) { return [32]byte{1}, nil }
	s.identify = func() ([32]byte, bool) { return [32]byte{}, false }
}

// keyOf returns a digest, like the keys of real builds.
func keyOf(parts ...any) [32]byte { return sha256.Sum256([]byte(fmt.Sprint(parts...))) }

// valueOf returns a value that differs for each key.
func valueOf(key [32]byte, size int) []byte {
	out := make([]byte, 0, size+32)
	for i := uint64(0); len(out) < size; i++ {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(key[:], i))
		out = append(out, sum[:]...)
	}
	return out[:size]
}

func wantValue(t testing.TB, n *Session, key [32]byte, size int) {
	t.Helper()
	got, ok := n.Get(key)
	if !ok || !bytes.Equal(got, valueOf(key, size)) {
		t.Fatalf("Get = %d bytes, %v; want the value that was put", len(got), ok)
	}
}

func TestPutIsVisibleInSameAndLaterSessions(t *testing.T) {
	s := openStore(t, t.TempDir()+"/cache", 0, time.Now)
	sizes := []int{0, 1, 31, 8 << 10, bufferSize - 1, bufferSize, 3 * bufferSize, 5, 7}
	n := s.Begin()
	for i, size := range sizes {
		value := valueOf(keyOf(i), size)
		n.Put(keyOf(i), value)
		clear(value) // Put must not keep a reference to it
	}
	for i, size := range sizes {
		wantValue(t, n, keyOf(i), size)
	}
	n.Close()
	n.Close() // harmless
	n = s.Begin()
	defer n.Close()
	for i, size := range sizes {
		wantValue(t, n, keyOf(i), size)
	}
	if _, ok := n.Get(keyOf("other")); ok {
		t.Error("a key that was never put is found")
	}
	want := Figures{Hits: 2 * int64(len(sizes)), Misses: 1, Stored: int64(len(sizes))}
	if got := s.Figures(); got.Hits != want.Hits || got.Misses != want.Misses || got.Stored != want.Stored ||
		got.Read != 2*got.Written {
		t.Errorf("figures are %+v", got)
	}
}

func TestClosedOrNilSessionStoresNothing(t *testing.T) {
	s := openStore(t, t.TempDir(), 0, time.Now)
	n := s.Begin()
	n.Put(keyOf(1), []byte("x"))
	n.Close()
	n.Put(keyOf(2), []byte("y"))
	n.Flush()
	if _, ok := n.Get(keyOf(1)); ok {
		t.Error("a closed session returned a value")
	}
	var none *Store
	none.Begin().Close()
	if none.Begin() != nil || none.Close() != nil {
		t.Error("a nil Store returned a session")
	}
}

func TestKeyIsStoredOnce(t *testing.T) {
	s := openStore(t, t.TempDir(), 0, time.Now)
	for range 3 {
		n := s.Begin()
		for range 2 {
			n.Put(keyOf(1), valueOf(keyOf(1), 1000))
		}
		n.Close()
	}
	u, err := s.Usage()
	if err != nil || u.Packs != 1 || u.Records != 1 || u.Bytes > 1200 {
		t.Errorf("usage is %+v, %v; want one pack of one record", u, err)
	}
}

// A value that builds can no longer use is replaced by the new one. Otherwise every build would compute it again.
func TestLaterValueReplacesEarlierOne(t *testing.T) {
	now := newClock()
	s := openStore(t, t.TempDir(), 0, now.Now)
	for i := range 30 { // enough for packs to be merged
		now.pass(time.Second)
		n := s.Begin()
		if i > 0 {
			if got, ok := n.Get(keyOf("page")); !ok || string(got) != fmt.Sprint("state ", i-1) {
				t.Fatalf("after %d sessions the value is %q, %v", i, got, ok)
			}
		}
		n.Put(keyOf(i), valueOf(keyOf(i), 100*i))
		n.Put(keyOf("page"), []byte("of this session, at first"))
		n.Put(keyOf("page"), []byte(fmt.Sprint("state ", i)))
		if got, ok := n.Get(keyOf("page")); !ok || string(got) != fmt.Sprint("state ", i) {
			t.Fatalf("the session that put state %d finds %q, %v", i, got, ok)
		}
		n.Close()
	}
	n := s.Begin()
	defer n.Close()
	for i := range 30 {
		wantValue(t, n, keyOf(i), 100*i)
	}
}

// All values that have the same length and end with their own checksum have the same checksum.
func TestValuesWithEqualChecksumsReplaceEachOther(t *testing.T) {
	s := openStore(t, t.TempDir(), 0, time.Now)
	for _, text := range []string{"first", "other"} {
		value := binary.LittleEndian.AppendUint32([]byte(text), checksum([]byte(text)))
		n := s.Begin()
		n.Put(keyOf("record"), value)
		n.Close()
		n = s.Begin()
		if got, ok := n.Get(keyOf("record")); !ok || !bytes.Equal(got, value) {
			t.Errorf("got %q, %v instead of %q", got, ok, value)
		}
		n.Close()
	}
}

func TestKeysWithSamePrefixAreDistinct(t *testing.T) {
	s := openStore(t, t.TempDir(), 0, time.Now)
	a, b := keyOf(1), keyOf(1)
	b[31] ^= 1
	n := s.Begin()
	n.Put(a, []byte("a"))
	n.Put(b, []byte("b"))
	for range 2 {
		if got, ok := n.Get(b); !ok || string(got) != "b" {
			t.Errorf("Get = %q, %v", got, ok)
		}
		if got, ok := n.Get(a); ok && string(got) != "a" {
			t.Errorf("the value of the other key is found: %q", got)
		}
		n.Flush()
	}
	n.Close()
}

func TestOversizedValuesAndSessionsAreNotStored(t *testing.T) {
	s := openStore(t, t.TempDir(), 100_000, time.Now)
	n := s.Begin()
	for i := range 100 {
		n.Put(keyOf(i), valueOf(keyOf(i), 1000))
	}
	n.Put(keyOf("huge"), make([]byte, maxValue+1))
	n.Close()
	if u, err := s.Usage(); err != nil || u.Records < 40 || u.Records > 50 {
		t.Errorf("usage is %+v, %v; want half of the bound", u, err)
	}
	if n.Err() != nil {
		t.Errorf("Err = %v, want nil", n.Err())
	}
}

func TestFlushPublishesRecordsAndSessionContinues(t *testing.T) {
	dir := t.TempDir()
	one, two := openStore(t, dir, 0, time.Now), openStore(t, dir, 0, time.Now)
	a, b := one.Begin(), two.Begin()
	defer b.Close()
	a.Put(keyOf("a"), valueOf(keyOf("a"), 100))
	b.Put(keyOf("b"), valueOf(keyOf("b"), 100))
	if _, ok := b.Get(keyOf("a")); ok {
		t.Fatal("a record is visible to another session before Flush")
	}
	a.Flush()
	b.Flush()
	a.Flush() // stores nothing new, but makes b's value visible
	wantValue(t, a, keyOf("b"), 100)
	wantValue(t, b, keyOf("a"), 100)
	a.Put(keyOf("later"), valueOf(keyOf("later"), 100))
	wantValue(t, a, keyOf("later"), 100)
	a.Close()
	b.Flush()
	wantValue(t, b, keyOf("later"), 100)
}

// Sessions of one process and goroutines of one session read and write the same and different keys while packs are
// created and removed.
func TestConcurrentSessionsReadOnlyStoredValues(t *testing.T) {
	s := openStore(t, t.TempDir(), 400_000, time.Now)
	var sessions sync.WaitGroup
	for w := range 4 {
		sessions.Go(func() {
			for round := range 12 {
				busy(t, s, w, round)
			}
		})
	}
	sessions.Wait()
	u, err := s.Usage()
	if err != nil || u.Bytes > 400_000 || u.Records == 0 {
		t.Errorf("usage is %+v, %v", u, err)
	}
	if len(s.packs) != 0 {
		t.Errorf("%d packs are still open", len(s.packs))
	}
}

// busy is one build by three goroutines, which share half of their keys with other builds.
func busy(t *testing.T, s *Store, w, round int) {
	n := s.Begin()
	defer n.Close()
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for i := range 100 {
				key := keyOf("shared", (i*7+g)%60)
				if i%2 == 0 {
					key = keyOf(w, round, i)
				}
				if got, ok := n.Get(key); ok && !bytes.Equal(got, valueOf(key, 500)) {
					t.Errorf("the cache returned a wrong value of %d bytes", len(got))
				}
				n.Put(key, valueOf(key, 500))
				if got, ok := n.Get(key); !ok || !bytes.Equal(got, valueOf(key, 500)) {
					t.Errorf("a stored value is not found: %d bytes, %v", len(got), ok)
				}
				if g == 0 && i%40 == 39 {
					n.Flush()
				}
			}
		})
	}
	wg.Wait()
}

// otherProcess returns a command that runs a test of this binary in a separate process, with the given cache folder.
func otherProcess(t *testing.T, test, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), "BUILDCACHE_TEST_DIR="+dir)
	return cmd
}

// TestProcessesShareAFolder runs itself as three processes that read and write concurrently, then checks the folder.
func TestProcessesShareAFolder(t *testing.T) {
	const records, size = 300, 2000
	build := func(s *Store, who int) {
		n := s.Begin()
		for i := range records {
			if got, ok := n.Get(keyOf(i)); ok && !bytes.Equal(got, valueOf(keyOf(i), size)) {
				t.Errorf("the cache returned a wrong value of %d bytes", len(got))
			}
			n.Put(keyOf(i), valueOf(keyOf(i), size))
		}
		n.Put(keyOf("process", who), valueOf(keyOf("process", who), size))
		n.Close()
	}
	if dir := os.Getenv("BUILDCACHE_TEST_DIR"); dir != "" {
		s := openStore(t, dir, 0, time.Now)
		for range 10 {
			build(s, os.Getpid())
		}
		return
	}
	dir := t.TempDir()
	var outputs [3]bytes.Buffer
	var commands []*exec.Cmd
	for i := range outputs {
		cmd := otherProcess(t, t.Name(), dir)
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, cmd)
	}
	for i, cmd := range commands {
		if err := cmd.Wait(); err != nil || !strings.Contains(outputs[i].String(), "--- PASS") {
			t.Fatalf("process: %v\n%s", err, outputs[i].String())
		}
	}
	n := openStore(t, dir, 0, time.Now).Begin()
	defer n.Close()
	for i := range records {
		wantValue(t, n, keyOf(i), size)
	}
	for _, cmd := range commands {
		wantValue(t, n, keyOf("process", cmd.Process.Pid), size)
	}
}
