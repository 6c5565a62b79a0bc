package disk_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/blobtest"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
)

// clock is a time that moves only when a test advances it.
type clock struct{ unixNano atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.set(time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, time.UTC))
	return c
}

func (c *clock) now() time.Time       { return time.Unix(0, c.unixNano.Load()) }
func (c *clock) set(moment time.Time) { c.unixNano.Store(moment.UnixNano()) }

// opened is a store with a server for its links.
type opened struct {
	*disk.Store
	folder string
	clock  *clock
	server *httptest.Server
}

func open(t *testing.T, options ...disk.Option) opened {
	t.Helper()
	o := opened{folder: filepath.Join(t.TempDir(), "data", "blobs"), clock: newClock()}
	signer, err := blob.NewSigner([]byte(strings.Repeat("m", 32)), nil, o.clock.now)
	if err != nil {
		t.Fatal(err)
	}
	o.Store, err = disk.Open(o.folder, signer, func() string { return o.server.URL + "/" }, options...)
	if err != nil {
		t.Fatal(err)
	}
	o.server = httptest.NewServer(o.Store)
	t.Cleanup(func() {
		o.server.Close()
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func (o opened) temporary(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(o.folder, "~tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestConformance(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Fixture {
		o := open(t)
		return blobtest.Fixture{
			Store:       o,
			Until:       func(_ *testing.T, moment time.Time) { o.clock.set(moment) },
			Unfinished:  o.temporary,
			OneSpelling: true,
		}
	})
}

func TestOpenRemovesAbandonedPartsButKeepsActiveOnes(t *testing.T) {
	o := open(t)
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "fresh": time.Minute} {
		file := filepath.Join(o.folder, "~tmp", name)
		moment := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), os.Chtimes(file, moment, moment)); err != nil {
			t.Fatal(err)
		}
	}
	again, err := disk.Open(o.folder, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if left := o.temporary(t); len(left) != 1 || filepath.Base(left[0]) != "fresh" {
		t.Errorf("left: %q", left)
	}
}

// J8: partial files of a killed process are removed while the server runs, not only at its next start. Files that are
// being written are kept, no matter how long the writer pauses.
func TestRemovePartialRemovesPartsWithoutWriter(t *testing.T) {
	o := open(t)
	writer := blob.Create(t.Context(), o, "slow")
	if _, err := writer.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	writing := o.temporary(t)
	dead, young := filepath.Join(o.folder, "~tmp", "dead"), filepath.Join(o.folder, "~tmp", "young")
	if len(writing) != 1 {
		t.Fatalf("being written: %q", writing)
	}
	old := time.Now().Add(-48 * time.Hour)
	err := errors.Join(os.WriteFile(dead, []byte("x"), 0o600), os.WriteFile(young, []byte("x"), 0o600),
		os.Chtimes(dead, old, old), os.Chtimes(writing[0], old, old))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := o.RemovePartial(t.Context(), time.Hour); n != 1 || err != nil {
		t.Errorf("removed %d (error %v)", n, err)
	}
	if left := o.temporary(t); !slices.Equal(left, slices.Sorted(slices.Values([]string{writing[0], young}))) {
		t.Errorf("left: %q", left)
	}
	if err := writer.Close(nil); err != nil {
		t.Error(err)
	}
	if _, _, err := o.Open(t.Context(), "slow"); err != nil {
		t.Error(err)
	}
}

func TestSymlinkOutOfFolderIsNotFollowed(t *testing.T) {
	o := open(t)
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(o.folder, "file")),
		os.Symlink(filepath.Dir(outside), filepath.Join(o.folder, "folder"))); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"file", "folder/secret"} {
		if r, _, err := o.Open(t.Context(), key); err == nil {
			_ = r.Close()
			t.Errorf("opened %s", key)
		}
	}
	if _, err := o.Put(t.Context(), "folder/new", strings.NewReader("x")); err == nil {
		t.Error("wrote through a symbolic link")
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(outside), "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("outside: %v", err)
	}
}

func TestKeyCannotBeParentOfAnotherKey(t *testing.T) {
	o := open(t)
	if _, err := o.Put(t.Context(), "a/b", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "a/b/c", "a/b/c/d"} {
		if _, err := o.Put(t.Context(), key, strings.NewReader("x")); !fault.HasCode(err, "blob_key_conflict") {
			t.Errorf("put %s = %v", key, err)
		}
	}
	if left := o.temporary(t); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestDeleteLeavesNoEmptyFolders(t *testing.T) {
	o := open(t)
	if _, err := o.Put(t.Context(), "a/b/c", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if err := o.Delete(t.Context(), "a/b/c"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(o.folder, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder: %v", err)
	}
}

func get(t *testing.T, link string, header ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestLinkHasOneCanonicalForm(t *testing.T) {
	o := open(t)
	if _, err := o.Put(t.Context(), "a/b", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	link, err := o.Link(t.Context(), "a/b", "a b", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, link.URL); got.StatusCode != http.StatusOK {
		t.Fatalf("status %s", got.Status)
	}
	for name, other := range map[string]string{
		"escaped path":   strings.Replace(link.URL, "/a/b", "/a%2Fb", 1),
		"escaped letter": strings.Replace(link.URL, "/a/b", "/%61/b", 1),
		"space":          strings.Replace(link.URL, "a+b", "a%20b", 1),
		"leading zero":   strings.Replace(link.URL, "expires=", "expires=0", 1),
		"plus sign":      strings.Replace(link.URL, "kid=", "kid=+", 1),
		"padding":        link.URL + "=",
		"twice":          link.URL + "&expires=1",
	} {
		if got := get(t, other); other == link.URL || got.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %s", name, got.Status)
		}
	}
}

func TestLinkResponsesHaveSecurityHeaders(t *testing.T) {
	o := open(t)
	if _, err := o.Put(t.Context(), "page.html", strings.NewReader("<script>")); err != nil {
		t.Fatal(err)
	}
	link, err := o.Link(t.Context(), "page.html", "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{link.URL, link.URL + "x"} {
		header := get(t, url).Header
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("header of %s: %v", url, header)
		}
	}
	first := get(t, link.URL)
	if kind := first.Header.Get("Content-Type"); kind != "application/octet-stream" {
		t.Errorf("content type %s", kind)
	}
	if again := get(t, link.URL, "If-None-Match",
		first.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("with the same ETag: %s", again.Status)
	}
	// If a blob is replaced, resuming a download returns the whole new blob rather than a mixture.
	if _, err := o.Put(t.Context(), "page.html", strings.NewReader("replaced")); err != nil {
		t.Fatal(err)
	}
	resumed := get(t, link.URL, "Range", "bytes=1-", "If-Range", first.Header.Get("ETag"))
	body, err := io.ReadAll(resumed.Body)
	if err != nil || resumed.StatusCode != http.StatusOK || string(body) != "replaced" {
		t.Errorf("resumed: %s %q %v", resumed.Status, body, err)
	}
}

func TestErrorsUseTheGivenErrorWriter(t *testing.T) {
	var codes []string
	o := open(t, disk.WithErrorWriter(func(w http.ResponseWriter, _ *http.Request, err error) {
		found, _ := fault.As(err)
		codes = append(codes, found.Code)
		w.WriteHeader(http.StatusTeapot)
	}))
	link, err := o.Link(t.Context(), "absent", "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	head, err := http.Head(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = head.Body.Close()
	if head.Header.Get("Allow") != "GET" || head.StatusCode != http.StatusTeapot {
		t.Errorf("HEAD: %s, Allow %q", head.Status, head.Header.Get("Allow"))
	}
	get(t, link.URL)
	get(t, link.URL+"x")
	o.clock.set(link.ExpiresAt)
	get(t, link.URL)
	if got, want := strings.Join(codes, " "), "method_not_allowed blob_not_found bad_link link_expired"; got != want {
		t.Errorf("codes %s, want %s", got, want)
	}
}

func TestLinkUsesBaseURLOfContext(t *testing.T) {
	o := open(t)
	ctx := blob.WithBaseURL(t.Context(), "https://docs.example.com")
	link, err := o.Link(ctx, "a/b", "", time.Hour)
	if err != nil || !strings.HasPrefix(link.URL, "https://docs.example.com/blob/a/b?expires=") {
		t.Errorf("link %s, %v", link.URL, err)
	}
	link, err = o.Link(t.Context(), "a/b", "", time.Hour)
	if err != nil || !strings.HasPrefix(link.URL, o.server.URL+"/blob/a/b?expires=") {
		t.Errorf("link %s, %v", link.URL, err)
	}
}

func TestPutSurvivesConcurrentFolderPruning(t *testing.T) {
	o := open(t)
	var group sync.WaitGroup
	for worker := range 8 {
		key := fmt.Sprintf("a/b/c/%d", worker)
		group.Go(func() {
			for range 100 {
				if _, err := o.Put(t.Context(), key, strings.NewReader("x")); err != nil {
					t.Errorf("put: %v", err)
				}
				if err := o.Delete(t.Context(), key); err != nil {
					t.Errorf("delete: %v", err)
				}
			}
		})
	}
	group.Wait()
}
