package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// large is larger than one part of any driver, and larger than the buffers of a connection.
const large = 20_000_000

func testRoundTrip(t *testing.T, f Fixture) {
	for _, size := range []int{1, 1000, 100_000, large} {
		content := bytesOf(size, 1)
		put(t, f.Store, "folder/blob.bin", content)
		wantContent(t, f.Store, "folder/blob.bin", content)
	}
	if left := f.Unfinished(t); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func testSeek(t *testing.T, f Fixture) {
	content := bytesOf(300_000, 1)
	put(t, f.Store, "seek", content)
	r, info, err := f.Store.Open(t.Context(), "seek")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if info.ModTime.IsZero() {
		t.Error("the blob has no time")
	}
	for _, step := range []struct {
		offset int64
		whence int
		at     int64
	}{
		{0, io.SeekEnd, 300_000},
		{0, io.SeekStart, 0},
		{200_000, io.SeekStart, 200_000},
		{-100_000, io.SeekCurrent, 100_100}, // 100 bytes have been read in the meantime
		{-50, io.SeekEnd, 299_950},
		{10, io.SeekEnd, 300_010},
	} {
		at, err := r.Seek(step.offset, step.whence)
		if err != nil || at != step.at {
			t.Fatalf("seek %+v = %d, %v", step, at, err)
		}
		want := content[min(at, 300_000):min(at+100, 300_000)]
		got := make([]byte, len(want))
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("read after seek %+v: %v, equal %v", step, err, bytes.Equal(got, want))
		}
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read beyond the end = %d, %v", n, err)
	}
	if _, err := r.Seek(-1, io.SeekStart); err == nil {
		t.Error("seek before the start succeeded")
	}
}

func testAbsent(t *testing.T, f Fixture) {
	wantAbsent(t, f.Store, "nothing")
	put(t, f.Store, "folder/blob", []byte("x"))
	wantAbsent(t, f.Store, "folder")
	wantAbsent(t, f.Store, "folder/blob/deeper")
}

func testEmpty(t *testing.T, f Fixture) {
	put(t, f.Store, "empty", nil)
	wantContent(t, f.Store, "empty", nil)
}

func testOverwrite(t *testing.T, f Fixture) {
	for seed, size := range []int{1000, large, 10} {
		content := bytesOf(size, uint64(seed))
		put(t, f.Store, "a/b", content)
		wantContent(t, f.Store, "a/b", content)
	}
}

func testDelete(t *testing.T, f Fixture) {
	put(t, f.Store, "a/b/one", []byte("1"))
	put(t, f.Store, "a/b/two", []byte("2"))
	for range 2 {
		if err := f.Store.Delete(t.Context(), "a/b/one"); err != nil {
			t.Fatal(err)
		}
	}
	wantAbsent(t, f.Store, "a/b/one")
	if err := f.Store.Delete(t.Context(), "a/b"); err != nil {
		t.Errorf("delete of a folder's name: %v", err)
	}
	if err := f.Store.Delete(t.Context(), "a/b/two/deeper"); err != nil {
		t.Errorf("delete below a blob's name: %v", err)
	}
	wantContent(t, f.Store, "a/b/two", []byte("2"))
	if err := f.Store.Delete(t.Context(), "a/b/two"); err != nil {
		t.Fatal(err)
	}
	put(t, f.Store, "a/b", []byte("now a blob"))
	wantContent(t, f.Store, "a/b", []byte("now a blob"))
}

func keys(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	found := []string{}
	err := s.List(t.Context(), prefix, func(info blob.Info) error {
		found = append(found, info.Key)
		if info.ModTime.IsZero() || info.Size != int64(len(info.Key)) {
			t.Errorf("listed %+v", info)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("list %q: %v", prefix, err)
	}
	slices.Sort(found)
	return found
}

func testList(t *testing.T, f Fixture) {
	all := []string{"a", "b-c", "b.c", "b/a/x", "b/a/y", "b/ab", "b/b/z", "bb/x"}
	for _, key := range all {
		put(t, f.Store, key, []byte(key)) // the content is as long as the key
	}
	for prefix, want := range map[string]string{
		"":       "a b-c b.c b/a/x b/a/y b/ab b/b/z bb/x",
		"b":      "b-c b.c b/a/x b/a/y b/ab b/b/z bb/x",
		"b/":     "b/a/x b/a/y b/ab b/b/z",
		"b/a":    "b/a/x b/a/y b/ab",
		"b/a/":   "b/a/x b/a/y",
		"b/a/x":  "b/a/x",
		"b/a/x/": "",
		"a/":     "",
		"none/x": "",
		"z":      "",
	} {
		if got := strings.Join(keys(t, f.Store, prefix), " "); got != want {
			t.Errorf("list %q = %s\nwant %s", prefix, got, want)
		}
	}
}

func testListStops(t *testing.T, f Fixture) {
	for _, key := range []string{"a", "b", "c"} {
		put(t, f.Store, key, []byte("x"))
	}
	stop, calls := errors.New("enough"), 0
	err := f.Store.List(t.Context(), "", func(blob.Info) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("list = %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Store.List(ctx, "", func(blob.Info) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("list with a cancelled context = %v", err)
	}
}

func testListDelete(t *testing.T, f Fixture) {
	for _, key := range []string{"a/1", "a/2", "a/b/1", "c/1", "d"} {
		put(t, f.Store, key, []byte(key))
	}
	err := f.Store.List(t.Context(), "", func(info blob.Info) error { return f.Store.Delete(t.Context(), info.Key) })
	if err != nil {
		t.Fatal(err)
	}
	if left := keys(t, f.Store, ""); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func testConcurrent(t *testing.T, f Fixture) {
	// Each writer writes blobs of one repeated byte, so that a mixture is visible.
	const size, writers, rounds = 200_000, 4, 10
	put(t, f.Store, "shared/key", bytes.Repeat([]byte{'0'}, size))
	var group sync.WaitGroup
	for writer := range writers {
		content := bytes.Repeat([]byte{'a' + byte(writer)}, size)
		group.Go(func() {
			for range rounds {
				if _, err := f.Store.Put(t.Context(), "shared/key", bytes.NewReader(content)); err != nil {
					t.Errorf("put: %v", err)
				}
				if _, err := f.Store.Put(t.Context(), "passing/key", bytes.NewReader(content)); err != nil {
					t.Errorf("put during deletes: %v", err)
				}
			}
		})
		group.Go(func() {
			for range rounds {
				got := get(t, f.Store, "shared/key")
				if len(got) != size || bytes.Count(got, got[:1]) != size {
					t.Errorf("a reader saw a mixture of %d bytes", len(got))
				}
				if err := f.Store.Delete(t.Context(), "passing/key"); err != nil {
					t.Errorf("delete: %v", err)
				}
			}
		})
	}
	group.Wait()
}

func testReplacedWhileRead(t *testing.T, f Fixture) {
	old := bytesOf(large, 1)
	put(t, f.Store, "key", old)
	r, _, err := f.Store.Open(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := make([]byte, large)
	if _, err := io.ReadFull(r, got[:1000]); err != nil {
		t.Fatal(err)
	}
	put(t, f.Store, "key", bytesOf(large, 2))
	if _, err := r.Seek(1000, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, got[1000:]); err == nil && !bytes.Equal(got, old) {
		t.Error("the reader switched to the new blob")
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, got[:1000]); err == nil && !bytes.Equal(got[:1000], old[:1000]) {
		t.Error("the reader switched to the new blob after a seek")
	}
}

func testHostileKeys(t *testing.T, f Fixture) {
	ctx := t.Context()
	for _, key := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", `a\b`, `..\a`, "a b", "a%2fb",
		"a\x00b",
		"a\nb", "~tmp/x", "é", "a?b", "a#b", "a:b", "*", "/etc/passwd", strings.Repeat("a", 513),
		strings.Repeat("a", 256),
		"\xff",
	} {
		_, putErr := f.Store.Put(ctx, key, strings.NewReader("hostile"))
		_, _, openErr := f.Store.Open(ctx, key)
		_, linkErr := f.Store.Link(ctx, key, "x", blob.MaxLinkLife)
		for call, err := range map[string]error{
			"put": putErr, "open": openErr, "link": linkErr, "delete": f.Store.Delete(ctx, key),
		} {
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%s %q = %v, want an invalid fault", call, key, err)
			}
		}
	}
	for _, prefix := range []string{"/", "../", "a//", "./a", "a/../", "~", "a b", "\x00"} {
		err := f.Store.List(ctx, prefix, func(blob.Info) error { return nil })
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("list %q = %v, want an invalid fault", prefix, err)
		}
	}
	if found := keys(t, f.Store, ""); len(found) > 0 {
		t.Errorf("stored: %q", found)
	}
}

func testUnusualKeys(t *testing.T, f Fixture) {
	unusual := []string{
		"...", "..a", ".hidden/.x", "-", "_", "a.tar.gz", "UPPER/lower", "upper/LOWER", "a/-/b", "tmp/x",
		strings.Repeat("k", 200) + "/" + strings.Repeat("l", 200),
	}
	for _, key := range unusual {
		put(t, f.Store, key, []byte(key))
	}
	for _, key := range unusual {
		wantContent(t, f.Store, key, []byte(key))
	}
	slices.Sort(unusual)
	if got := keys(t, f.Store, ""); !slices.Equal(got, unusual) {
		t.Errorf("listed %q, want %q", got, unusual)
	}
}
