package bundlehost

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// B14: after the link has expired, and with no reachable service, a restarted server serves the last verified bundle
// and logs that it does so.
func TestRestartServesTheLastVerifiedBundle(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL+"/?signature=topsecret", setup{dir: dir})
	r.until(t, "/", "home of v1")
	r.stop()
	o.give(nil)
	r = start(t, o.URL+"/?signature=topsecret", setup{dir: dir})
	r.ready(t)
	r.until(t, "/", "home of v1")
	r.said(t, "still serving the last verified one")
	r.said(t, "Generate the bundle again")
	r.stop()
	if strings.Contains(r.log.String(), "topsecret") {
		t.Errorf("the log contains the link: %s", r.log)
	}
	o.Close()
	r = start(t, o.URL, setup{dir: dir})
	r.ready(t)
	r.until(t, "/", "home of v1")
	r.stop()
	silent := newOrigin(t, nil)
	silent.silent = true
	r = start(t, silent.URL, setup{dir: dir})
	r.until(t, "/", "home of v1")
	r.ready(t)
}

// H10: a bundle with another version is refused, and the current bundle stays in use.
func TestUnpinnedVersionIsRefused(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir, version: "v1"})
	r.ready(t)
	o.give(bundleOf(t, "v2"))
	r.again <- struct{}{}
	r.said(t, "bundle refused")
	r.until(t, "/", "home of v1")
	r.stop()
	r = start(t, o.URL, setup{dir: dir, version: "v2"})
	r.until(t, "/", "home of v2")
}

func TestServerWithoutBundleReportsWhyItStops(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		code string
	}{"expired link": {nil, "link_expired"}, "no bundle": {[]byte("no bundle"), bundlestore.CodeRefused}} {
		r := start(t, newOrigin(t, c.data).URL, setup{dir: t.TempDir()})
		err := <-r.ended
		if !fault.HasCode(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
		if resp, _ := r.get(t, "/readyz"); resp.StatusCode != 503 {
			t.Errorf("%s: readiness %d", name, resp.StatusCode)
		}
		if resp, _ := r.get(t, "/"); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s: home page %d", name, resp.StatusCode)
		}
		r.ended <- err
	}
}

func TestPollingActivatesNewBundleButRespectsRollback(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	r := start(t, o.URL, setup{dir: dir, poll: 50 * time.Millisecond})
	r.until(t, "/", "home of v1")
	css := "/_lectern/theme." + digits("v1") + ".css"
	o.give(bundleOf(t, "v2"))
	r.until(t, "/", "home of v2")
	if resp, _ := r.get(t, css); resp.StatusCode != 200 {
		t.Errorf("a style sheet that open pages still need: %d", resp.StatusCode)
	}
	v, err := bundlestore.Existing(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if to, err := v.Rollback(""); err != nil || to.Version != "v1" {
		t.Fatalf("%+v, %v", to, err)
	}
	r.until(t, "/", "home of v1")
	before := o.asked.Load()
	for o.asked.Load() < before+3 { // it keeps polling and does not switch back
		r.until(t, "/", "home of v1")
	}
	o.give(bundleOf(t, "v3"))
	r.until(t, "/", "home of v3")
}

// B13: readers see only the old version or only the new one, in release order, and nobody sees an error.
func TestReadersNeverSeeMixedVersions(t *testing.T) {
	o := newOrigin(t, bundleOf(t, "v0"))
	r := start(t, o.URL, setup{dir: t.TempDir()})
	r.ready(t)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for n := range 4 {
		readers.Go(func() {
			last := 0
			for i := 0; ctx.Err() == nil; i++ {
				resp, body := r.get(t, fmt.Sprintf("/page-%d", (i+n)%20))
				var page, version int
				if _, err := fmt.Sscanf(body, "<p>page %d of v%d</p>", &page, &version); err != nil ||
					resp.StatusCode != 200 || page != (i+n)%20 || version < last {
					t.Errorf("%d %q after v%d: %v", resp.StatusCode, body, last, err)
					return
				}
				last = version
			}
		})
	}
	for i := 1; i <= 8; i++ {
		o.give(bundleOf(t, fmt.Sprintf("v%d", i)))
		r.again <- struct{}{}
		r.until(t, "/", fmt.Sprintf("home of v%d<", i))
	}
	stop()
	readers.Wait()
}

// Servers can share a volume: each polls, the first one downloads, and all of them follow.
func TestSecondServerOnVolumeFollowsAndTakesOver(t *testing.T) {
	o, dir := newOrigin(t, bundleOf(t, "v1")), t.TempDir()
	first := start(t, o.URL, setup{dir: dir})
	first.until(t, "/", "home of v1")
	second := start(t, o.URL, setup{dir: dir, poll: 50 * time.Millisecond})
	second.ready(t)
	if full := o.given.Load(); full != 1 {
		t.Errorf("downloaded %d times for one volume", full)
	}
	o.give(bundleOf(t, "v2"))
	first.until(t, "/", "home of v2")
	second.until(t, "/", "home of v2")
	first.stop()
	o.give(bundleOf(t, "v3"))
	second.until(t, "/", "home of v3")
}

// While one server downloads, another one on the same volume waits for it instead of downloading too.
func TestServerWaitsWhileAnotherDownloads(t *testing.T) {
	slow, dir := newOrigin(t, nil), t.TempDir()
	slow.silent = true
	first := start(t, slow.URL, setup{dir: dir})
	first.asking(t, slow)
	second := start(t, newOrigin(t, bundleOf(t, "v1")).URL, setup{dir: dir})
	second.said(t, "another process downloads")
	first.stop()
	second.until(t, "/", "home of v1")
}
