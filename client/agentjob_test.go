package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// serveEvents responds to every request with the same stream.
func serveEvents(t *testing.T, stream string, asked func(*http.Request)) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked != nil {
			asked(r)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func entryEvent(sequence string) string {
	return "id: " + sequence + "\nevent: entry\ndata: " +
		strings.Replace(agentEntry, `"sequence":1`, `"sequence":`+sequence, 1) + "\n\n"
}

func TestAgentStreamResumesAfterGivenLine(t *testing.T) {
	var header http.Header
	end := strings.Replace(agentJob, "archived", "completed", 1)
	c := serveEvents(t, ": hello\n\n"+entryEvent("8")+entryEvent("9")+"event: job\ndata: "+end+
		"\n\nevent: later\ndata: {}\n\nevent: end\ndata: "+end+"\n\n", func(r *http.Request) { header = r.Header })
	var lines []int64
	var jobs []client.AgentJobStatus
	err := c.StreamAgentJob(t.Context(), "prj_1", "aj_1", 7, client.AgentEvents{
		Entry: func(e client.AgentEntry) error { lines = append(lines, e.Sequence); return nil },
		Job:   func(j client.AgentJob) error { jobs = append(jobs, j.Status); return nil },
	})
	if err != nil || len(lines) != 2 || lines[0] != 8 || lines[1] != 9 || len(jobs) != 1 ||
		jobs[0] != client.AgentJobStatusCompleted {
		t.Errorf("%v %v (error %v)", lines, jobs, err)
	}
	if header.Get("Last-Event-ID") != "7" || header.Get("Accept") != "text/event-stream" {
		t.Errorf("%v", header)
	}
}

func TestAgentStreamReportsItsEnd(t *testing.T) {
	failed := strings.Replace(agentJob, "archived", "failed", 1)
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		stream string
		on     client.AgentEvents
		want   func(error) bool
	}{
		"broken off": {entryEvent("1"), client.AgentEvents{},
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"cut in a line": {entryEvent("1") + "event: end\ndata: " + failed, client.AgentEvents{},
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"failed": {"event: end\ndata: " + failed + "\n\n", client.AgentEvents{}, func(err error) bool {
			var f *client.FailedError
			return errors.As(err, &f) && f.Reason == "e"
		}},
		"no JSON": {"event: end\ndata: {\n\n", client.AgentEvents{},
			func(err error) bool { return err != nil && strings.Contains(err.Error(), "decode event") }},
		"not wanted": {entryEvent("1"), client.AgentEvents{Entry: func(client.AgentEntry) error { return boom }},
			func(err error) bool { return errors.Is(err, boom) }},
		"unread JSON": {"event: entry\ndata: {\n\nevent: end\ndata: " + agentJob + "\n\n", client.AgentEvents{},
			func(err error) bool { return err == nil }},
	} {
		t.Run(name, func(t *testing.T) {
			if err := serveEvents(t, c.stream, nil).
				StreamAgentJob(t.Context(), "prj_1", "aj_1", 0, c.on); !c.want(err) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestWaitAgentJobEndsWithJob(t *testing.T) {
	states := []string{"active", "active", "failed"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		state := states[0]
		if len(states) > 1 {
			states = states[1:]
		}
		w.Header().Set("Retry-After", "0")
		_, _ = io.WriteString(w, strings.Replace(agentJob, "archived", state, 1))
	}))
	defer server.Close()
	c, err := client.New(server.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	job, err := c.WaitAgentJob(t.Context(), "prj_1", "aj_1", func(client.AgentJob) { seen++ })
	var failed *client.FailedError
	if !errors.As(err, &failed) || failed.Reason != "e" || job == nil || job.Status != client.AgentJobStatusFailed ||
		seen != 3 {
		t.Errorf("%+v after %d states (error %v)", job, seen, err)
	}
}
