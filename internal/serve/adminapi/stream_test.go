package adminapi_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

// follow opens a stream; the test reads it line by line.
func (w *world) follow(ctx context.Context, t *testing.T, key, jobID string) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", w.server.URL+"/v1/static-export/jobs/"+jobID+"/events", nil)
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := w.server.Client().Do(req)
	must(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	return bufio.NewReader(res.Body)
}

// nextEvent reads up to the next event and returns its name and data; "" at the stream's end.
func nextEvent(t *testing.T, r *bufio.Reader) (name, data string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return "", ""
		}
		must(t, err)
		if v, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(v)
		} else if v, ok := strings.CutPrefix(line, "data: "); ok {
			return name, strings.TrimSpace(v)
		}
	}
}

func TestStreamSendsEachChangeAndEnds(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	r := w.follow(t.Context(), t, x.key, x.queued.ID)
	expect := func(name, part string) {
		t.Helper()
		if n, data := nextEvent(t, r); n != name || !strings.Contains(data, part) {
			t.Fatalf("event %q %s, want %q with %s", n, data, name, part)
		}
	}
	expect("progress", `"status":"queued"`)
	h := w.hold(t, x.queued.ID)
	_, err := w.store.StartExport(t.Context(), h, lease)
	must(t, err)
	expect("progress", `"status":"running"`)
	left := 2500 * time.Millisecond
	_, err = w.store.AdvanceExport(t.Context(), h, lease, store.ExportProgress{Progress: 41.5, PageCount: 83,
		Stage: export.StagePages, PageTotal: 200, PagesPerSecond: 40.2, Left: &left})
	must(t, err)
	expect("progress", `"progress":41.5,"pageCount":83`)
	_, err = w.store.AdvanceExport(t.Context(), h, lease, store.ExportProgress{Progress: 42, PageCount: 84,
		Stage: export.StagePages, PageTotal: 200, PagesPerSecond: 40.2, Left: &left})
	must(t, err)
	expect("progress",
		`"stage":"pages","message":"Writing pages: 84 of 200.","pageTotal":200,"pagesPerSecond":40.2,"secondsLeft":3,`)
	must(t, w.store.FailExport(t.Context(), h, "The source has no pages."))
	expect("progress", `"status":"failed"`)
	expect("end", `The source has no pages.`)
	if name, _ := nextEvent(t, r); name != "" {
		t.Errorf("event after the end: %q", name)
	}
}

// An idle stream sends keep-alives; it ends when the server stops or its key is revoked.
func TestStreamSendsKeepAlivesAndStops(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	key, keyID := w.newKey(t, x.org.ID, nil)
	revoked := w.follow(t.Context(), t, key, x.queued.ID)
	stopped := w.follow(t.Context(), t, x.key, x.queued.ID)
	for {
		line, err := stopped.ReadString('\n')
		must(t, err)
		if strings.HasPrefix(line, ":") {
			break
		}
	}
	w.do(t, ask{"DELETE", "/v1/keys/" + keyID, x.key, "", nil}).want(t, 204)
	if _, err := io.ReadAll(revoked); err != nil {
		t.Errorf("the stream of a revoked key was cut: %v", err)
	}
	close(w.stop)
	if _, err := io.ReadAll(stopped); err != nil {
		t.Errorf("the stream of a stopping server was cut: %v", err)
	}
}

func TestStreamEndsWhenClientDisconnects(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	ctx, leave := context.WithCancel(t.Context())
	r := w.follow(ctx, t, x.key, x.queued.ID)
	nextEvent(t, r)
	leave()
	w.server.Close() // waits for every running request: returns only when the handler has ended
	if strings.Contains(w.log.String(), "response aborted") || strings.Contains(w.log.String(), "request failed") {
		t.Errorf("a disconnected client was logged as an error: %s", w.log)
	}
}
