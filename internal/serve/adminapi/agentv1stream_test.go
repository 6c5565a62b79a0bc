package adminapi_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// openSession starts a job with the older API, and returns its id and its stream.
func (w *world) openSession(t *testing.T, x tenant, key string) (string, *bufio.Reader) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", w.server.URL+"/v1/agent/"+x.project.ID+"/job",
		strings.NewReader(session))
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := w.server.Client().Do(req)
	must(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != 200 {
		t.Fatalf("status %d", res.StatusCode)
	}
	return res.Header.Get("X-Session-Id"), bufio.NewReader(res.Body)
}

// Chat clients treat a message without an end as complete, so a stream that ends before its job reports an error.
func TestSessionStreamReportsEarlyEnd(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	key, keyID := w.newKey(t, x.org.ID, nil)
	revokedJob, revoked := w.openSession(t, x, key)
	stoppedJob, stopped := w.openSession(t, x, x.key)
	w.do(t, ask{"DELETE", "/v1/keys/" + keyID, x.key, "", nil}).want(t, 204)
	check := func(why, job string, from io.Reader) {
		t.Helper()
		all, err := io.ReadAll(from)
		if text := string(all); err != nil ||
			!strings.Contains(text,
				`{"type":"error","errorText":"The stream ended before the agent finished. For the job's state, use GET /v1/agent/`) ||
			!strings.Contains(text, "/job/"+job+".") || !strings.HasSuffix(text, "data: [DONE]\n\n") {
			t.Errorf("%s: %v\n%s", why, err, text)
		}
	}
	check("a revoked key", revokedJob, revoked)
	close(w.stop)
	check("a server that stops", stoppedJob, stopped)
}

// The request timeout applies until a stream starts, but not to the stream.
func TestSessionStreamOutlastsWriteTimeout(t *testing.T) {
	const longest = 2 * time.Second
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.Longest = longest })
	job, r := w.openSession(t, x, x.key)
	for begun := time.Now(); time.Since(begun) < longest+longest/4; {
		if line, err := r.ReadString('\n'); err != nil || strings.Contains(line, "error") {
			t.Fatalf("%q %v", line, err)
		}
	}
	must(t, w.store.CompleteAgentJob(t.Context(), w.hold(t, job), 2, agentjob.Changed))
	if rest, err := io.ReadAll(r); err != nil || !strings.Contains(string(rest), `{"type":"finish"}`) {
		t.Errorf("%v %s", err, rest)
	}
}
