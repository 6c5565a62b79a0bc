package adminapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// generate requests a link to a job's bundle.
func (w *world) generate(t testing.TB, key, jobID string) linkBody {
	t.Helper()
	return read[linkBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs/" + jobID + "/bundle", key, "", nil}).
		want(t, 200))
}

// download requests the link without a key, as anyone with the link can.
func (w *world) download(t testing.TB, link string) reply {
	t.Helper()
	u, err := url.Parse(link)
	must(t, err)
	return w.do(t, ask{method: "GET", path: u.RequestURI()})
}

// B2: a link works until the time in the response, to the second, whatever lifetime the operator set.
func TestBundleLinkExpiresAtStatedTime(t *testing.T) {
	for _, life := range []time.Duration{time.Second, 90 * time.Minute, 7 * 24 * time.Hour} {
		t.Run(life.String(), func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.LinkLife = life })
			asked := w.clock.Now()
			link := w.generate(t, x.key, x.done.ID)
			if lives := link.ExpiresAt.Sub(asked); lives > life || lives <= life-time.Second {
				t.Errorf("lifetime in the response: %s", lives)
			}
			w.clock.Advance(link.ExpiresAt.Add(-time.Nanosecond).Sub(w.clock.Now()))
			if life > time.Second {
				w.clock.Advance(-time.Second)
			}
			w.download(t, link.BundleURL).want(t, 200)
			w.clock.Advance(link.ExpiresAt.Add(time.Second).Sub(w.clock.Now()))
			w.download(t, link.BundleURL).want(t, 403)
		})
	}
}

// B4: after each of several expirations, a new link leads to the same bytes of the same job.
func TestRenewedLinksServeSameBytes(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	seen := map[string]bool{}
	for range 10 {
		link := w.generate(t, x.key, x.done.ID)
		got := w.download(t, link.BundleURL).want(t, 200)
		if seen[link.BundleURL] || link.JobID != x.done.ID || link.SHA256 != bundleSHA ||
			hexSHA(string(got.body)) != bundleSHA || link.SizeBytes != int64(len(got.body)) {
			t.Errorf("%+v", link)
		}
		seen[link.BundleURL] = true
		w.clock.Advance(time.Hour + time.Second)
		for old := range seen {
			w.download(t, old).want(t, 403)
		}
	}
	if n := len(read[struct{ Jobs []exportBody }](t, w.do(t, ask{"GET", "/v1/static-export/jobs", x.key, "", nil}).
		want(t, 200)).Jobs); n != 2 {
		t.Errorf("renewing created jobs: %d", n)
	}
}

// B5: the response to a bundle request in each state of a job.
func TestBundleRequestInEachJobState(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	other := w.newTenant(t, "b", account.PlanEnterprise)
	running := w.newExport(t, x)
	_, err := w.store.StartExport(t.Context(), w.hold(t, running.ID), lease)
	must(t, err)
	failed := w.newExport(t, x)
	h := w.hold(t, failed.ID)
	_, err = w.store.StartExport(t.Context(), h, lease)
	must(t, err)
	must(t, w.store.FailExport(t.Context(), h, "The repository could not be read."))
	canceled := w.newExport(t, x)
	w.do(t, ask{"POST", "/v1/static-export/jobs/" + canceled.ID + "/cancel", x.key, "", nil}).want(t, 200)
	for name, c := range map[string]struct {
		jobID, code string
		status      int
		texts       []string // all must be in the response
	}{
		"queued":  {x.queued.ID, "export_not_completed", 409, []string{"queued"}},
		"running": {running.ID, "export_not_completed", 409, []string{"running"}},
		"failed": {failed.ID, "export_not_completed", 409,
			[]string{"failed", "The repository could not be read."}},
		"canceled":               {canceled.ID, "export_not_completed", 409, []string{"failed", "canceled by the key"}},
		"unknown":                {w.ids.New("export"), "unknown_export", 404, nil},
		"no id":                  {"nonsense", "unknown_export", 404, nil},
		"another organization's": {other.done.ID, "unknown_export", 404, nil},
		"completed":              {x.done.ID, "", 200, []string{x.done.Bundles[0].SHA256}},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.do(t, ask{"POST", "/v1/static-export/jobs/" + c.jobID + "/bundle", x.key, "", nil}).
				want(t, c.status)
			if c.code != "" && got.code(t) != c.code {
				t.Errorf("code %s: %s", got.code(t), got.body)
			}
			for _, text := range c.texts {
				if !strings.Contains(string(got.body), text) {
					t.Errorf("%q is missing from %s", text, got.body)
				}
			}
			if c.status != 200 && strings.Contains(string(got.body), "/blob/") {
				t.Errorf("response contains a link: %s", got.body)
			}
		})
	}
}

// B7: for each format, the response contains the size and digest of the bundle that its link leads to.
func TestBundleResponseHasSizeAndDigest(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for _, f := range []export.Format{export.TarGz, export.Zip} {
		path := fmt.Sprintf("/v1/static-export/jobs/%s/bundle?format=%s", x.done.ID, f)
		link := read[linkBody](t, w.do(t, ask{"POST", path, x.key, "", nil}).want(t, 200))
		got := w.download(t, link.BundleURL).want(t, 200)
		if link.Format != string(f) || link.SizeBytes != int64(len(got.body)) ||
			link.SHA256 != hexSHA(string(got.body)) {
			t.Errorf("%+v of %d bytes, %s", link, len(got.body), hexSHA(string(got.body)))
		}
	}
}
