package buildcache

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestProgramDigestCoversWholeFile(t *testing.T) {
	a, err := runningProgram()
	if err != nil || a == ([32]byte{}) {
		t.Fatal(a, err)
	}
	content := strings.Repeat("0123456789abcdef", 3*chunk/16) + "end"
	seen := map[[32]byte]bool{a: true}
	for _, text := range []string{content, content[1:], content[:len(content)-1], "", "1" + content[1:],
		content[:2*chunk] + "!" + content[2*chunk+1:]} {
		sum, err := digest(strings.NewReader(text), int64(len(text)))
		if err != nil || seen[sum] {
			t.Errorf("%d bytes: digest seen before, or %v", len(text), err)
		}
		seen[sum] = true
	}
	if _, err := digest(strings.NewReader("short"), 6); err == nil {
		t.Error("a file that shrank has a digest")
	}
}

func TestProgramIsHashedOnlyWhenItChanges(t *testing.T) {
	dir := t.TempDir()
	hashed := 0
	begin := func(change func(*Store)) *Session {
		s, err := Open(dir, Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		s.program = func() ([32]byte, error) { hashed++; return runningProgram() }
		change(s)
		return s.Begin()
	}
	as := func(key [32]byte) func(*Store) {
		return func(s *Store) { s.identify = func() ([32]byte, bool) { return key, true } }
	}
	want, err := runningProgram()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		change func(*Store)
		hashed int
	}{{as(keyOf("one")), 1}, {as(keyOf("one")), 1}, {as(keyOf("two")), 2}, {as(keyOf("one")), 2},
		{as(keyOf("two")), 2}} {
		n := begin(c.change)
		if n.Program() != want || hashed != c.hashed {
			t.Errorf("start %d: digest is correct: %v; hashed %d times, want %d", i, n.Program() == want, hashed,
				c.hashed)
		}
		n.Close()
	}
	unknown := func(s *Store) { s.program = func() ([32]byte, error) { return [32]byte{}, errors.New("no program") } }
	if n := begin(func(s *Store) { unknown(s); as(keyOf("three"))(s) }); n != nil {
		t.Error("Begin returned a session although the program's digest is unknown")
	}
}

// The identity of a file differs from that of every other file, and changes whenever the file changes.
func TestFileIdentityChangesWithFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // identityOf returns no identity there
	}
	path := t.TempDir() + "/program"
	identity := func() string {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := identityOf(info)
		if !ok {
			t.Fatal("no identity")
		}
		return text
	}
	put := func(text string) {
		if err := errors.Join(os.WriteFile(path+".new", []byte(text), 0o600),
			os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
	}
	put("one")
	first := identity()
	if _, err := os.ReadFile(path); err != nil || identity() != first {
		t.Error("reading changes the identity")
	}
	put("two") // of the same size
	if identity() == first {
		t.Error("another file has the same identity")
	}
	a, ok := identifyProgram()
	b, again := identifyProgram()
	if !ok || !again || a != b {
		t.Error("the program's identity changes between calls")
	}
}
