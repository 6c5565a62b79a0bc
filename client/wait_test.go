package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// step is one response of a scripted server.
type step struct {
	status     int
	etag       string
	retryAfter string
	body       string
}

// scripted serves the steps in order, repeats the last one, and records the If-None-Match header of each call. The
// client records its waits instead of waiting.
func scripted(t *testing.T, steps ...step) (*Client, *[]time.Duration, *[]string) {
	t.Helper()
	var waits []time.Duration
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := steps[min(len(seen), len(steps)-1)]
		seen = append(seen, r.Header.Get("If-None-Match"))
		if s.etag != "" {
			w.Header().Set("ETag", s.etag)
		}
		if s.retryAfter != "" {
			w.Header().Set("Retry-After", s.retryAfter)
		}
		w.WriteHeader(s.status)
		io.WriteString(w, s.body)
	}))
	t.Cleanup(server.Close)
	c, err := New(server.URL, "k")
	if err != nil {
		t.Fatal(err)
	}
	c.wait = func(ctx context.Context, d time.Duration) error {
		waits = append(waits, d)
		return ctx.Err()
	}
	return c, &waits, &seen
}

func exportState(status string, progress int) string {
	return fmt.Sprintf(`{"jobId":"se_1","status":%q,"progress":%d,"error":null}`, status, progress)
}

func TestWaitExportUsesETagAndRetryAfter(t *testing.T) {
	c, waits, seen := scripted(t,
		step{200, `"1"`, "", exportState("queued", 0)},
		step{304, `"1"`, "", ""},
		step{304, `"1"`, "2", ""},
		step{200, `"2"`, "1", exportState("running", 50)},
		step{200, `"3"`, "", exportState("completed", 100)})
	var progress []float64
	job, err := c.WaitExport(t.Context(), "se_1", func(j ExportJob) { progress = append(progress, j.Progress) })
	if err != nil || job.Status != ExportStatusCompleted {
		t.Fatalf("%+v, %v", job, err)
	}
	if !slices.Equal(progress, []float64{0, 50, 100}) {
		t.Errorf("progress %v", progress)
	}
	if want := []string{"", `"1"`, `"1"`, `"1"`, `"2"`}; !slices.Equal(*seen, want) {
		t.Errorf("If-None-Match was %q, want %q", *seen, want)
	}
	if want := []time.Duration{200 * time.Millisecond, 300 * time.Millisecond, 2 * time.Second,
		time.Second}; !slices.Equal(*waits, want) {
		t.Errorf("waited %v, want %v", *waits, want)
	}
}

func TestWaitIntervalGrowsToItsLimit(t *testing.T) {
	steps := slices.Repeat([]step{{200, "", "", exportState("running", 1)}}, 20)
	c, waits, _ := scripted(t, append(steps, step{200, "", "", exportState("completed", 100)})...)
	if _, err := c.WaitExport(t.Context(), "se_1", nil); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(*waits) || (*waits)[19] != maxPoll {
		t.Errorf("waited %v", *waits)
	}
}

func TestWaitToleratesAnOutage(t *testing.T) {
	c, waits, seen := scripted(t,
		step{200, `"1"`, "", exportState("running", 1)},
		step{503, "", "9", ""}, step{502, "", "", ""}, step{429, "", "4", `{"error":"slow","code":"rate_limited"}`},
		step{200, `"2"`, "", exportState("completed", 100)})
	if _, err := c.WaitExport(t.Context(), "se_1", nil); err != nil {
		t.Fatal(err)
	}
	if (*waits)[1] != 9*time.Second || (*waits)[3] != 4*time.Second {
		t.Errorf("Retry-After was not honoured: %v", *waits)
	}
	if (*seen)[4] != `"1"` {
		t.Errorf("the ETag was forgotten: %q", *seen)
	}
}

func TestWaitStopsOnPermanentErrors(t *testing.T) {
	for name, c := range map[string]struct {
		step  step
		calls int
	}{"not found": {step{404, "", "", `{"error":"No such job.","code":"not_found"}`}, 1},
		"always away": {step{503, "", "", ""}, maxFailures}} {
		cl, _, seen := scripted(t, c.step)
		_, err := cl.WaitExport(t.Context(), "se_1", nil)
		var e *Error
		if !errors.As(err, &e) || e.Status != c.step.status || len(*seen) != c.calls {
			t.Errorf("%s: %v after %d calls", name, err, len(*seen))
		}
	}
}

func TestWaitEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, _, _ := scripted(t, step{200, "", "", exportState("running", 1)})
	_, err := c.WaitExport(ctx, "se_1", func(ExportJob) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("sleep: %v", err)
	}
}

func TestWaitReturnsReasonOfFailedJob(t *testing.T) {
	c, _, _ := scripted(t, step{200, "", "", `{"jobId":"se_1","status":"failed","error":"No pages."}`})
	job, err := c.WaitExport(t.Context(), "se_1", nil)
	var f *FailedError
	if !errors.As(err, &f) || f.Reason != "No pages." || job == nil {
		t.Errorf("%+v, %v", job, err)
	}
	c, _, _ = scripted(t, step{200, "", "", `{"statusId":"dep_1","status":"queued"}`},
		step{200, "", "", `{"statusId":"dep_1","status":"failure","error":null}`})
	update, err := c.WaitUpdate(t.Context(), "dep_1", nil)
	if !errors.As(err, &f) || f.ID != "dep_1" || update == nil {
		t.Errorf("%+v, %v", update, err)
	}
	c, _, _ = scripted(t, step{200, "", "", `{"statusId":"dep_1","status":"success"}`})
	if update, err := c.WaitUpdate(t.Context(), "dep_1", nil); err != nil || update.Status != UpdateStateSuccess {
		t.Errorf("%+v, %v", update, err)
	}
}
