package adminapi_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/store"
)

// followAgent opens a job's stream after the event with the id lastEvent; "" = from the beginning.
func (w *world) followAgent(t *testing.T, x tenant, jobID, lastEvent string) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET",
		w.server.URL+"/v2/agent/"+x.project.ID+"/job/"+jobID+"/events", nil)
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+x.key)
	if lastEvent != "" {
		req.Header.Set("Last-Event-ID", lastEvent)
	}
	res, err := w.server.Client().Do(req)
	must(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	return bufio.NewReader(res.Body)
}

// G9: the stream sends the whole transcript line by line, then the job, live.
func TestAgentStreamSendsEachLineAndEnds(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"Fix it."}`)).want(t, 201).object(t)["id"].(string)
	r := w.followAgent(t, x, made, "")
	expect := func(name, part string) {
		t.Helper()
		if n, data := nextEvent(t, r); n != name || !strings.Contains(data, part) {
			t.Fatalf("event %q %s, want %q with %s", n, data, name, part)
		}
	}
	expect("entry", `"sequence":1,"round":1,"kind":"prompt","code":null,"author":"`+x.keyID+
		`","authorName":null,"text":"Fix it.","calls":[],"results":[],"usage":null,`)
	expect("job", `"status":"active"`)
	h := w.hold(t, made)
	_, err := w.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{Ref: "lectern/fix-it-x"},
		agentjob.Entry{Kind: agentjob.Answer, Text: "I see.",
			Calls: []agentjob.Call{{ID: "1", Name: "read", Input: []byte(`{"path":`)}},
			Used:  agentjob.Use{Steps: 1, InputTokens: 3}})
	must(t, err)
	expect("entry",
		`"kind":"answer","code":null,"author":null,"authorName":null,"text":"I see.","calls":[{"id":"1","name":"read","input":"{\"path\":"}],"results":[],"usage":{"steps":1,"inputTokens":3,`)
	for {
		name, data := nextEvent(t, r)
		if name != "job" {
			t.Fatalf("%s %s", name, data)
		}
		if strings.Contains(data, `"ref":"lectern/fix-it-x"`) {
			break
		}
	}
	must(t, w.store.FailAgentJob(t.Context(), h, "The site does not build."))
	expect("entry", `"kind":"note","code":"failed"`)
	for {
		name, data := nextEvent(t, r)
		if name == "end" && strings.Contains(data, `"error":"The site does not build."`) {
			break
		}
		if name != "job" {
			t.Fatalf("%s %s", name, data)
		}
	}
	if name, _ := nextEvent(t, r); name != "" {
		t.Errorf("event after the end: %q", name)
	}
}

// A client that reconnects gets the lines after the last one it received, even if there are more than one batch.
func TestAgentStreamResumes(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"Fix it."}`)).want(t, 201).object(t)["id"].(string)
	h := w.hold(t, made)
	notes := make([]agentjob.Entry, 64)
	for i := range notes {
		notes[i] = agentjob.Entry{Kind: agentjob.Note, Code: "n"}
	}
	_, err := w.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{}, notes...)
	must(t, err)
	must(t, w.store.CompleteAgentJob(t.Context(), h, 1, agentjob.Changed))
	for after, want := range map[string]int{"": 65, "0": 65, "1": 64, "60": 5, "65": 0, "1000": 0} {
		r := w.followAgent(t, x, made, after)
		lines, last := 0, ""
		for {
			name, _ := nextEvent(t, r)
			if name == "" {
				break
			}
			if last = name; name == "entry" {
				lines++
			}
		}
		if lines != want || last != "end" {
			t.Errorf("after %q: %d lines, %s at the end", after, lines, last)
		}
	}
	for _, bad := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		a := agentAsk(x, "GET", "/job/"+made+"/events", "")
		a.header = map[string]string{"Last-Event-ID": bad}
		if got := w.do(t, a).want(t, 400); !strings.Contains(string(got.body), `"field":"Last-Event-ID"`) {
			t.Errorf("%s", got.body)
		}
	}
}
