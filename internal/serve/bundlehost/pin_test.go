package bundlehost

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// H10, B14: a pinned version that is stored but not current is served when it can no longer be fetched.
func TestStoredPinnedVersionOutlivesItsLink(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir})
	r.until(t, "/", "home of v1")
	o.give(bundleOf(t, "v2"))
	r.again <- struct{}{}
	r.until(t, "/", "home of v2")
	r.stop()
	o.give(nil)
	r = start(t, o.URL, setup{dir: dir, version: "v1"})
	r.ready(t)
	r.until(t, "/", "home of v1")
	r.said(t, "serving the pinned version from the volume")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v2"})
	r.ready(t)
	r.until(t, "/", "home of v2")
	r.stop()
}

// H10: if a pin cannot be met, the server serves nothing else and does not exit: it reports what it is waiting for,
// and keeps trying.
func TestServerIsNotReadyWithoutPinnedVersion(t *testing.T) {
	for name, c := range map[string]struct {
		kept, offered string // versions; "" = nothing stored, or a dead link
		words         []string
	}{
		"another version, nothing kept": {"", "v9",
			[]string{`version "v2" is required`, "stored: nothing", `it has the version "v9"`}},
		"another version, older one kept": {"v1", "v9",
			[]string{`version "v2" is required`, `stored: "v1"`, `it has the version "v9"`}},
		"the kept version is offered": {"v1", "v1",
			[]string{`version "v2" is required`, `it has the version "v1"`}},
		"dead link, another version kept": {"v1", "",
			[]string{`version "v2" is required`, `stored: "v1"`, "status 403"}},
		"dead link at a start from nought": {"", "",
			[]string{`version "v2" is required`, "stored: nothing", "status 403"}},
	} {
		t.Run(name, func(t *testing.T) {
			o, dir := newOrigin(t, nil), t.TempDir()
			if c.kept != "" {
				o.give(bundleOf(t, c.kept))
				r := start(t, o.URL, setup{dir: dir, version: c.kept})
				r.ready(t)
				r.stop()
			}
			o.give(nil)
			if c.offered != "" {
				o.give(bundleOf(t, c.offered))
			}
			r := start(t, o.URL+"/?signature=topsecret", setup{dir: dir, version: "v2"})
			r.said(t, `not ready: version \"v2\" is required`)
			resp, body := r.get(t, "/readyz")
			if resp.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("/readyz: %d %s", resp.StatusCode, body)
			}
			if want := "not ready: version \"v2\" is required but not available yet"; strings.TrimSpace(body) != want {
				t.Errorf("/readyz for readers is %q, want %q", body, want)
			}
			_, body = r.get(t, "/readyz", "Host: "+operatorHost)
			for _, word := range c.words {
				if !strings.Contains(body, word) {
					t.Errorf("/readyz for operators lacks %q: %s", word, body)
				}
			}
			if resp, body := r.get(t, "/"); resp.StatusCode != http.StatusServiceUnavailable ||
				strings.Contains(body, "home of") {
				t.Errorf("pages of another version: %d %s", resp.StatusCode, body)
			}
			if resp, _ := r.get(t, "/healthz"); resp.StatusCode != http.StatusOK {
				t.Errorf("liveness check failed, which causes a restart: %d", resp.StatusCode)
			}
			asked := o.asked.Load()
			o.give(bundleOf(t, "v2"))
			r.ready(t) // on its own, without a signal and without --poll
			r.until(t, "/", "home of v2")
			if r.stop(); o.asked.Load() == asked || strings.Contains(r.log.String()+body, "topsecret") {
				t.Errorf("no retry, or the log contains the link: %s", r.log)
			}
		})
	}
}

// A refused bundle may be large, so it is downloaded only once as long as the source offers no other bundle.
func TestRefusedBundleIsDownloadedOnce(t *testing.T) {
	o := newOrigin(t, bundleOf(t, "v9"))
	r := start(t, o.URL, setup{dir: t.TempDir(), version: "v2", poll: 10 * time.Millisecond})
	for o.asked.Load() < 5 {
		r.said(t, "not ready")
	}
	r.stop()
	if full := o.given.Load(); full != 1 {
		t.Errorf("downloaded %d times", full)
	}
}

// A failed transfer can look like a bad bundle. The source's tag then belongs to the intact bundle and must not be sent
// with the next request: the response would be that nothing has changed.
func TestDamagedTransferIsFetchedAgain(t *testing.T) {
	whole := bundleOf(t, "v2")
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	digest := fmt.Sprintf("%x", sha256.Sum256(whole))
	for name, c := range map[string]struct {
		sent   []byte
		sha256 string
	}{
		"cut off":          {whole[:len(whole)-5], ""},
		"almost nothing":   {whole[:5], ""},
		"damaged":          {flipped, ""},
		"cut off, digest":  {whole[:len(whole)/2], digest},
		"damaged, digest":  {flipped, digest},
		"another's answer": {[]byte("<p>Sign in to the proxy</p>"), ""},
		"another, digest":  {[]byte("<p>Sign in to the proxy</p>"), digest},
	} {
		t.Run(name, func(t *testing.T) {
			var first atomic.Bool
			o := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"of the whole bundle"`)
				switch {
				case first.CompareAndSwap(false, true):
					_, _ = w.Write(c.sent)
				case r.Header.Get("If-None-Match") != "":
					w.WriteHeader(http.StatusNotModified)
				default:
					_, _ = w.Write(whole)
				}
			}))
			defer o.Close()
			r := start(t, o.URL, setup{dir: t.TempDir(), version: "v2", sha256: c.sha256})
			r.said(t, "The bundle was rejected")
			r.ready(t)
			r.until(t, "/", "home of v2")
			r.stop()
		})
	}
}

// Pods of a rolling update may share a volume. The new one must get its version while the old one runs, and the old
// one keeps its own version.
func TestServersWithDifferentPinsCanShareVolume(t *testing.T) {
	first, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	for name, pin := range map[string]string{"pinned": "v1", "not pinned": ""} {
		t.Run(name, func(t *testing.T) {
			old := start(t, first.URL, setup{dir: dir, version: pin, poll: 20 * time.Millisecond})
			old.ready(t)
			old.until(t, "/", "home of v1")
			next := start(t, newOrigin(t, bundleOf(t, "v2")).URL, setup{dir: dir, version: "v2"})
			next.ready(t)
			next.until(t, "/", "home of v2")
			asked := first.asked.Load()
			for first.asked.Load() < asked+5 { // the old server keeps polling, and neither switches to the other's version
				next.until(t, "/", "home of v2")
				if pin != "" {
					old.until(t, "/", "home of v1")
				}
			}
		})
	}
}

// Servers with different pins do not follow each other, so neither may delete a version that the other serves,
// however old it is.
func TestVersionInUseByOtherServerIsNotRemoved(t *testing.T) {
	o, dir := newOrigin(t, nil), t.TempDir()
	for _, version := range []string{"v1", "v2", "v3"} {
		o.give(bundleOf(t, version))
		r := start(t, o.URL, setup{dir: dir, version: version})
		r.ready(t)
		r.stop()
	}
	old := start(t, newOrigin(t, nil).URL, setup{dir: dir, version: "v1"}) // its link has expired
	old.ready(t)
	o.give(bundleOf(t, "v4"))
	next := start(t, o.URL, setup{dir: dir, version: "v4"})
	next.ready(t)
	next.until(t, "/", "home of v4")
	if resp, body := old.get(t, "/guides/start"); resp.StatusCode != http.StatusOK ||
		!strings.Contains(body, "start of v1") {
		t.Fatalf("old server: %d %s; new server's log: %s", resp.StatusCode, body, next.log)
	}
	old.stop()
	next.again <- struct{}{}
	next.said(t, `msg="old bundle removed" version=v1`)
}

// A server that polls waits for a file that a scheduled export has yet to write; one that does not poll reports the
// error and exits.
func TestPollingServerWaitsForBundleFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.tar.gz")
	r := start(t, file, setup{dir: t.TempDir(), poll: 10 * time.Millisecond})
	r.said(t, "no stored bundle to serve, retrying")
	if err := os.WriteFile(file+".part", bundleOf(t, "v1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".part", file); err != nil {
		t.Fatal(err)
	}
	r.until(t, "/", "home of v1")
	r.stop()
	r = start(t, filepath.Join(t.TempDir(), "none.tar.gz"), setup{dir: t.TempDir()})
	if err := <-r.ended; !fault.HasCode(err, "source_missing") {
		t.Errorf("ended with %v", err)
	}
	r.ended <- nil
}

// A manual rollback overrides the pin in effect at that time, but not a pin set later.
func TestRollbackOverridesPinUntilPinChanges(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir, version: "v1"})
	r.ready(t)
	r.stop()
	o.give(bundleOf(t, "v2"))
	r = start(t, o.URL, setup{dir: dir, version: "v2"})
	r.ready(t)
	r.until(t, "/", "home of v2")
	v, err := bundlestore.Existing(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Rollback(""); err != nil {
		t.Fatal(err)
	}
	r.until(t, "/", "home of v1")
	r.said(t, "overrides the pinned version")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v2"}) // restarted with the same values
	r.ready(t)
	r.until(t, "/", "home of v1")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v3"}) // this version was not rolled back
	r.said(t, "not ready")
	if resp, body := r.get(t, "/"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v2"}) // pinned again, after the rollback
	r.ready(t)
	r.until(t, "/", "home of v2")
}
