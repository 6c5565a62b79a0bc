package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
)

// sourceFunc is a reader that calls a function when its content is exhausted.
type sourceFunc struct {
	content io.Reader
	end     func() error
}

func (s *sourceFunc) Read(p []byte) (int, error) {
	n, err := s.content.Read(p)
	if err == io.EOF {
		return n, s.end()
	}
	return n, err
}

// brokenSizes returns how many bytes are read before a source fails: none, less than one part, and more than one part.
func brokenSizes() []int { return []int{0, 1000, large} }

func testFailingReader(t *testing.T, f Fixture) {
	// The end of an interrupted download must not count as the end of the blob.
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF} {
		for _, size := range brokenSizes() {
			source := &sourceFunc{bytes.NewReader(bytesOf(size, 1)), func() error { return broken }}
			if _, err := f.Store.Put(t.Context(), "a/b", source); !errors.Is(err, broken) {
				t.Errorf("put of %d bytes, then %v = %v", size, broken, err)
			}
			wantNothing(t, f)
		}
	}
}

func testCancelledContext(t *testing.T, f Fixture) {
	for _, size := range brokenSizes() {
		ctx, cancel := context.WithCancel(t.Context())
		source := &sourceFunc{bytes.NewReader(bytesOf(size, 1)), func() error { cancel(); return io.EOF }}
		if _, err := f.Store.Put(ctx, "a/b", source); !errors.Is(err, context.Canceled) {
			t.Errorf("put of %d bytes, then cancelled = %v", size, err)
		}
		wantNothing(t, f)
		if _, err := f.Store.Put(ctx, "a/b", bytes.NewReader(bytesOf(size, 1))); !errors.Is(err, context.Canceled) {
			t.Errorf("put of %d bytes after cancellation = %v", size, err)
		}
		wantNothing(t, f)
	}
}

func wantNothing(t *testing.T, f Fixture) {
	t.Helper()
	wantAbsent(t, f.Store, "a/b")
	if found := keys(t, f.Store, ""); len(found) > 0 {
		t.Errorf("visible: %q", found)
	}
	if left := f.Unfinished(t); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func testFailedOverwrite(t *testing.T, f Fixture) {
	put(t, f.Store, "key", []byte("earlier"))
	broken := errors.New("broken")
	for _, size := range brokenSizes() {
		source := &sourceFunc{bytes.NewReader(bytesOf(size, 1)), func() error { return broken }}
		if _, err := f.Store.Put(t.Context(), "key", source); !errors.Is(err, broken) {
			t.Errorf("put = %v", err)
		}
		wantContent(t, f.Store, "key", []byte("earlier"))
	}
}

func testInvisible(t *testing.T, f Fixture) {
	content := bytesOf(large, 1)
	looked := false
	source := &sourceFunc{bytes.NewReader(content), func() error {
		looked = true
		wantAbsent(t, f.Store, "key")
		if found := keys(t, f.Store, ""); len(found) > 0 {
			t.Errorf("visible: %q", found)
		}
		if len(f.Unfinished(t)) == 0 {
			t.Error("the unfinished write was not found: the fixture looks in the wrong place")
		}
		return io.EOF
	}}
	if _, err := f.Store.Put(t.Context(), "key", source); err != nil || !looked {
		t.Fatalf("put = %v, looked %v", err, looked)
	}
	wantContent(t, f.Store, "key", content)
}

// testFlatMemory counts all allocated bytes, freed or not, so it does not depend on the garbage collector.
func testFlatMemory(t *testing.T, f Fixture) {
	const size, allowed = 96 << 20, 48 << 20 // bytes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := f.Store.Put(t.Context(), "huge", io.LimitReader(zeros{}, size)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > allowed {
		t.Errorf("a blob of %d bytes took %d bytes of memory, allowed %d", size, used, allowed)
	}
	r, info, err := f.Store.Open(t.Context(), "huge")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); n != size || info.Size != size || err != nil {
		t.Errorf("read %d of %d bytes: %v", n, info.Size, err)
	}
}

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
