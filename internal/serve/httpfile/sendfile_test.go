package httpfile

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func headers() http.Header {
	return http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Etag": {`"abc"`}, "Cache-Control": {"public"},
		"Vary": {"Accept-Encoding"}}
}

// reference returns a handler that uses the standard library with the same headers.
func reference(h http.Header, data []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range h {
			w.Header()[name] = values
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
}

// A precomputed response equals the standard library's, for every condition and range.
func TestResponsesMatchStandardLibrary(t *testing.T) {
	data := []byte(strings.Repeat("0123456789", 1000))
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	a := New(headers(), int64(len(data)))
	fromDisk := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := os.Open(name)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = f.Close() }()
		a.Stream(w, r, f)
	})
	fromMemory := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.Bytes(w, r, data) })
	for _, c := range []struct{ method, name, value string }{
		{"GET", "", ""}, {"HEAD", "", ""}, {"GET", "If-None-Match", `"abc"`}, {"GET", "If-None-Match", `W/"abc"`},
		{"GET", "If-None-Match", `"x", "abc"`}, {"HEAD", "If-None-Match", `"abc"`},
		{"GET", "If-None-Match", "*"}, {"GET", "If-None-Match", `"other"`}, {"GET", "If-None-Match", ""},
		{"GET", "Range", "bytes=5-9"}, {"GET", "Range", "bytes=-5"}, {"GET", "Range", "bytes=99999-"},
		{"GET", "Range", "bytes=0-1,4-5"}, {"GET", "Range", "nonsense"}, {"GET", "If-Match", `"other"`},
		{"GET", "If-Match", `"abc"`}, {"GET", "If-Modified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"},
		{"GET", "If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"},
	} {
		want := answered(t, reference(headers(), data), c.method, c.name, c.value)
		for place, h := range map[string]http.Handler{"memory": fromMemory, "disk": fromDisk} {
			if got := answered(t, h, c.method, c.name, c.value); got != want {
				t.Errorf("%s %s: %s from %s:\n%s\nwant\n%s", c.method, c.name, c.value, place, got, want)
			}
		}
	}
}

// answered returns a whole response, received over a real connection, without its date.
func answered(t *testing.T, h http.Handler, method, name, value string) string {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if name != "" {
		req.Header.Set(name, value)
	}
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(kind, "multipart/") { // its boundary is random
		_, boundary, _ := strings.Cut(kind, "boundary=")
		resp.Header.Set("Content-Type", "multipart")
		body = bytes.ReplaceAll(body, []byte(boundary), nil)
	}
	return fmt.Sprint(resp.StatusCode, resp.Header, resp.ContentLength, len(body), string(body[:min(len(body), 400)]))
}

func TestCompressedFilesHaveLengthAndNoRanges(t *testing.T) {
	h := headers()
	h.Set("Content-Encoding", "gzip")
	data := []byte(strings.Repeat("x", 9000))
	a := New(h, int64(len(data)))
	for _, want := range []string{"", "bytes=0-1"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		if want != "" {
			r.Header.Set("Range", want)
		}
		w := httptest.NewRecorder()
		a.Bytes(w, r, data)
		if w.Code != http.StatusOK || w.Header().Get("Content-Length") != "9000" ||
			w.Header().Get("Accept-Ranges") != "" || w.Body.Len() != 9000 {
			t.Errorf("range %q: %d %v", want, w.Code, w.Header())
		}
	}
}

func TestResponsesAreIndependent(t *testing.T) {
	a := New(headers(), 1)
	for range 2 {
		w := httptest.NewRecorder()
		a.Bytes(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), []byte("x"))
		if got := w.Header().Values("Vary"); len(got) != 1 {
			t.Fatalf("Vary: %q", got)
		}
		w.Header().Add("Vary", "Cookie")
		w.Header().Set("ETag", "other")
	}
}

func TestCacheKeepsUsedEntriesWithinLimit(t *testing.T) {
	s := NewCache[string, int](100)
	s.Keep("hot", 1, 10)
	for i := range 1000 {
		if v, ok := s.Find("hot"); !ok || v != 1 {
			t.Fatalf("an entry in constant use was evicted after %d others", i)
		}
		s.Keep(fmt.Sprint(i), i, 10)
		if s.used > 100 || len(s.ring) != len(s.byKey) || s.used != int64(10*len(s.ring)) {
			t.Fatalf("%d bytes, %d entries, %d keys", s.used, len(s.ring), len(s.byKey))
		}
	}
	s.Keep("giant", 1, 101)
	if _, ok := s.Find("giant"); ok {
		t.Error("a value heavier than the cache was stored")
	}
	s.Keep("hot", 2, 10)
	if v, _ := s.Find("hot"); v != 1 {
		t.Error("a key's value changed")
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	s := NewCache[int, int](200)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 5000 {
				key := (i*7 + n) % 60
				if v, ok := s.Find(key); ok && v != key {
					t.Errorf("got %d for key %d", v, key)
				}
				s.Keep(key, key, 10)
			}
		})
	}
	wg.Wait()
}
