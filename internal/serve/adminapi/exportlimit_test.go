package adminapi_test

import (
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// liveBody has the fields of an export that go beyond the specification.
type liveBody struct {
	exportBody
	ErrorCode       *string    `json:"errorCode"`
	Stage           string     `json:"stage"`
	Message         string     `json:"message"`
	PageTotal       *int       `json:"pageTotal"`
	PagesPerSecond  *float64   `json:"pagesPerSecond"`
	SecondsLeft     *int       `json:"secondsLeft"`
	Diagnostics     diag.List  `json:"diagnostics"`
	ReusedFrom      *string    `json:"reusedFrom"`
	BundleExpiredAt *time.Time `json:"bundleExpiredAt"`
	Joined          bool       `json:"joined"`
}

func (w *world) startLive(t testing.TB, key, body string) liveBody {
	t.Helper()
	return read[liveBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs", key, body, nil}).want(t, 202))
}

func (w *world) getLive(t testing.TB, key, jobID string) liveBody {
	t.Helper()
	return read[liveBody](t, w.do(t, ask{"GET", "/v1/static-export/jobs/" + jobID, key, "", nil}).want(t, 200))
}

// B4: a second start of the same export joins it while it runs, and reuses its files afterwards; ten concurrent
// starts create one job.
func TestEqualExportRequestsShareOneJob(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	bodies := []string{`{"domain":"docs.a.example","paths":["a","b"]}`,
		`{"domain":"docs.a.example","paths":["/b","a.mdx","b"]}`}
	first := w.startLive(t, x.key, bodies[0])
	if first.Joined || first.Stage != "queued" || first.PageTotal != nil || first.SecondsLeft != nil ||
		first.PagesPerSecond != nil {
		t.Fatalf("%+v", first)
	}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if again := w.startLive(t, x.key, bodies[i%2]); !again.Joined || again.JobID != first.JobID {
				t.Errorf("%+v", again)
			}
		})
	}
	wg.Wait()
	job, err := w.store.FindExportByID(t.Context(), first.JobID)
	must(t, err)
	if job.DeploymentID != x.deployment.ID {
		t.Errorf("it will export the deployment %q, live is %q", job.DeploymentID, x.deployment.ID)
	}
	w.finishExport(t, job)
	// finishExport does not record how the files were made, so no other job can reuse them.
	if fresh := w.startLive(t, x.key, bodies[0]); fresh.Joined || fresh.JobID == first.JobID ||
		w.getLive(t, x.key, fresh.JobID).Status != "queued" {
		t.Errorf("%+v", fresh)
	}
}

func TestNewJobReusesCompletedExportFiles(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.ExportMaking = "m" })
	first := w.startLive(t, x.key, `{"domain":"docs.a.example"}`)
	h := w.hold(t, first.JobID)
	_, err := w.store.StartExport(t.Context(), h, lease)
	must(t, err)
	made := export.Bundle{Format: export.TarGz, Key: x.done.Bundles[0].Key, Size: x.done.Bundles[0].Size,
		SHA256: x.done.Bundles[0].SHA256}
	must(t, w.store.CompleteExportWithin(t.Context(), h,
		store.ExportDone{Pages: 3, Bundles: []export.Bundle{made}, Making: "m"}))
	second := w.startLive(t, x.key, `{"domain":"docs.a.example"}`)
	if second.Joined || second.JobID == first.JobID || second.Status != "queued" || *second.ReusedFrom != first.JobID {
		t.Fatalf("%+v", second)
	}
	now := w.getLive(t, x.key, second.JobID)
	if now.Status != "completed" || now.Progress != 100 || now.PageCount != 3 || *now.PageTotal != 3 ||
		now.Stage != "done" || *now.SecondsLeft != 0 {
		t.Errorf("%+v", now)
	}
	for _, id := range []string{first.JobID, second.JobID} {
		if link := read[linkBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs/" + id + "/bundle", x.key, "", nil}).
			want(t, 200)); link.SHA256 != made.SHA256 {
			t.Errorf("%+v", link)
		}
	}
	// A new deployment of the site needs a new export.
	var d = x.deployment
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		w.clock.Advance(time.Second)
		d, err = tx.QueueDeployment(t.Context(), x.project, "production", "", "api")
		return err
	}))
	w.publish(t, &d)
	if third := w.startLive(t, x.key, `{"domain":"docs.a.example"}`); third.ReusedFrom != nil ||
		w.getLive(t, x.key, third.JobID).Status != "queued" {
		t.Errorf("%+v", third)
	}
}

// A5: above the limit of waiting exports, a start is refused with Retry-After, but joining is allowed.
func TestExportQueueIsLimited(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.ExportLimits.MaxQueued = 2 }) // one waits already
	w.startLive(t, x.key, `{"domain":"docs.a.example","version":"1"}`)
	got := w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example","version":"2"}`, nil}).
		want(t, 429)
	if got.code(t) != "too_many_exports" || got.header.Get("Retry-After") != "30" {
		t.Errorf("%s %v", got.body, got.header)
	}
	if again := w.startLive(t, x.key, `{"domain":"docs.a.example","version":"1"}`); !again.Joined {
		t.Errorf("%+v", again)
	}
}

// B5: expired bundles are removed, and the response says what to do; bundles with a valid link are kept.
func TestExpiredBundlesAreRemoved(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	bundle := ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle", x.key, "", nil}
	w.do(t, bundle).want(t, 200)
	keep := export.Limits{KeepFor: time.Minute}
	for _, step := range []struct {
		later   time.Duration
		expired int
	}{{2 * time.Minute, 0}, {time.Hour, 1}} {
		w.clock.Advance(step.later)
		if n, err := w.store.ExpireExports(t.Context(), keep); err != nil || n != step.expired {
			t.Fatalf("after %s: %d expired, %v", step.later, n, err)
		}
	}
	got := w.do(t, bundle).want(t, 410)
	if got.code(t) != "bundle_expired" || got.object(t)["hint"] == "" {
		t.Errorf("%s", got.body)
	}
	job := w.getLive(t, x.key, x.done.ID)
	if job.Status != "completed" || job.BundleExpiredAt == nil || job.Progress != 100 {
		t.Errorf("%+v", job)
	}
}

// A failed job has all findings from its build, and a stable error code.
func TestFailedExportHasItsFindings(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	h := w.hold(t, x.queued.ID)
	_, err := w.store.StartExport(t.Context(), h, lease)
	must(t, err)
	found := diag.List{{File: "a.mdx", Line: 2, Column: 3, Severity: diag.Error, Code: "c", Message: "No.",
		Hint: "Yes."}}
	must(t, w.store.NoteExport(t.Context(), h, lease, "build_failed", found))
	must(t, w.store.FailExport(t.Context(), h, "The site does not build: a.mdx:2:3: error: No. [c]"))
	job := w.getLive(t, x.key, x.queued.ID)
	if *job.ErrorCode != "build_failed" || len(job.Diagnostics) != 1 || job.Diagnostics[0] != found[0] ||
		job.Stage != "fetching" {
		t.Errorf("%+v", job)
	}
}
