package adminapi_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/store"
)

const session = `{"messages":[{"role":"user","content":"Fix broken links."}]}`

func sessionAsk(x tenant, method, rest, body string) ask {
	return ask{method, "/v1/agent/" + x.project.ID + rest, x.key, body, map[string]string{"Accept": "application/json"}}
}

// Clients of the older API see jobs created with the newer one and vice versa, because both use the same jobs.
func TestOlderAgentAPIShowsSameJobs(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	first := w.do(t, sessionAsk(x, "POST", "/job",
		`{"messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Fix broken links."},
		{"role":"assistant","content":"Done."}],"branch":"docs","asDraft":true,"model":"opus"}`)).want(t, 200)
	got := first.object(t)
	name := got["sessionId"].(string)
	if first.header.Get("X-Session-Id") != name ||
		first.header.Get("X-Branch-Name") != "lectern/fix-broken-links-"+name[len(name)-10:] ||
		got["haulted"] != false || got["haultReason"] != "processing" || got["branch"] != nil ||
		got["subdomain"] != x.project.Domains[0] || got["pullRequestLink"] != "" {
		t.Errorf("%v %s", first.header, first.body)
	}
	stored, err := w.store.FindAgentJobByID(t.Context(), name)
	must(t, err)
	record, err := w.store.ListAgentEntries(t.Context(), name, 0, 10)
	must(t, err)
	want := "Fix broken links.\n\nFurther instructions:\nBe short.\n\nExample of a reply:\nDone."
	if !stored.Draft || stored.Base != "docs" || stored.Model != "builtin" || record[0].Text != want ||
		record[0].Author != x.keyID {
		t.Errorf("%+v %q", stored, record[0].Text)
	}
	w.do(t, agentAsk(x, "GET", "/job/"+name, "")).want(t, 200)
	w.finishAgentJob(t, stored)
	done := w.do(t, sessionAsk(x, "GET", "/job/"+name, "")).want(t, 200).object(t)
	if done["haulted"] != true || done["haultReason"] != "completed" ||
		done["pullRequestLink"] != "https://git.example.com/docs/pulls/7" ||
		done["messageToUser"] != "Two links were broken." || done["title"] != "Fix links" || done["branch"] == nil {
		t.Errorf("%v", done)
	}
	w.do(t, agentAsk(x, "POST", "/job/"+name+"/archive", "")).want(t, 200)
	if got := w.do(t, sessionAsk(x, "GET", "/job/"+name, "")).want(t, 200).
		object(t); got["haultReason"] != "completed" {
		t.Errorf("archived after it completed: %v", got)
	}
	again := w.do(t, sessionAsk(x, "POST", "/job", session)).want(t, 200).object(t)["sessionId"].(string)
	stored, err = w.store.FindAgentJobByID(t.Context(), again)
	must(t, err)
	w.finishAgentJob(t, stored)
	w.do(t, agentAsk(x, "POST", "/job/"+again+"/message", `{"prompt":"And the others."}`)).want(t, 200)
	w.do(t, agentAsk(x, "POST", "/job/"+again+"/archive", "")).want(t, 200)
	if got := w.do(t, sessionAsk(x, "GET", "/job/"+again, "")).want(t, 200).
		object(t); got["haultReason"] != "interrupted" || got["messageToUser"] != "" {
		t.Errorf("archived during its second run: %v", got)
	}
	w.do(t, agentAsk(x, "POST", "/job/"+x.agentJob.ID+"/archive", "")).want(t, 200)
	if got := w.do(t, sessionAsk(x, "GET", "/job/"+x.agentJob.ID, "")).want(t, 200).
		object(t); got["haultReason"] != "interrupted" {
		t.Errorf("archived while it was working: %v", got)
	}
}

func TestOlderAgentAPIListsByCount(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil) // has two jobs
	var made []string
	for range 14 {
		w.clock.Advance(time.Second)
		made = append(made, w.do(t, sessionAsk(x, "POST", "/job", session)).want(t, 200).
			object(t)["sessionId"].(string))
	}
	type list struct{ AllSessions []struct{ SessionID string } }
	for query, want := range map[string]int{"": 12, "?take=100": 16, "?take=3&skip=1": 3, "?skip=15": 1,
		"?skip=16": 0} {
		if got := read[list](t, w.do(t, sessionAsk(x, "GET", "/jobs"+query, "")).
			want(t, 200)); len(got.AllSessions) != want {
			t.Errorf("%s: %d sessions", query, len(got.AllSessions))
		}
	}
	got := read[list](t, w.do(t, sessionAsk(x, "GET", "/jobs?skip=2&take=2", "")).want(t, 200))
	if got.AllSessions[0].SessionID != made[11] || got.AllSessions[1].SessionID != made[10] {
		t.Errorf("%+v, created %v", got, made)
	}
	for query, field := range map[string]string{"skip=-1": "skip", "skip=x": "skip", "take=0": "take",
		"take=101": "take"} {
		if got := w.do(t, sessionAsk(x, "GET", "/jobs?"+query, "")).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", query, got.body)
		}
	}
}

func TestInvalidSessionNamesTheField(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	long := strings.Repeat("x", agentjob.MaxPrompt/2)
	for body, field := range map[string]string{
		`{}`: "messages", `{"messages":[]}`: "messages", `{"messages":"x"}`: "messages",
		`{"messages":[{"role":"system","content":"x"}]}`:      "messages",
		`{"messages":[{"role":"user","content":" "}]}`:        "messages",
		`{"messages":[{"role":"data","content":"x"}]}`:        "messages",
		`{"messages":[{"role":"user","content":"a\u0000b"}]}`: "messages",
		`{"messages":[{"role":"user"}]}`:                      "messages.0.content", `{"messages":[` +
			strings.Repeat(`{"role":"user","content":"x"},`, 50) + `{"role":"user","content":"x"}]}`: "messages",
		fmt.Sprintf(`{"messages":[{"role":"user","content":%q},{"role":"user","content":%q}]}`, long, long): "messages",
		strings.Replace(session, "}]}", `}],"branch":"a..b"}`, 1):                                           "branch",
		strings.Replace(session, "}]}", `}],"model":"other"}`, 1):                                           "model",
		strings.Replace(session, "}]}", `}],"model":""}`, 1):                                                "model",
	} {
		got := w.do(t, sessionAsk(x, "POST", "/job", body)).want(t, 400)
		if !strings.Contains(string(got.body), `"field":"`+field) || strings.Contains(string(got.body), "prompt") {
			t.Errorf("%.80s: %s", body, got.body)
		}
	}
	x.project = x.folder
	if got := w.do(t, sessionAsk(x, "POST", "/job", strings.Replace(session, "}]}", `}],"branch":"main"}`, 1))).
		want(t, 409); got.code(t) != "no_branches" {
		t.Errorf("%s", got.body)
	}
}

// The stream is one message in the format that chat clients expect: the agent's text, notes, the session and an end. It
// lasts as long as the job.
func TestSessionStreamsUntilAgentStops(t *testing.T) {
	for name, fail := range map[string]bool{"completed": false, "failed": true} {
		t.Run(name, func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanFree, nil)
			req, err := http.NewRequestWithContext(t.Context(), "POST", w.server.URL+"/v1/agent/"+x.project.ID+"/job",
				strings.NewReader(session))
			must(t, err)
			req.Header.Set("Authorization", "Bearer "+x.key)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", "one")
			req.Header.Set("Accept", "application/json, text/plain, */*") // as HTTP libraries send it by default
			res, err := w.server.Client().Do(req)
			must(t, err)
			defer res.Body.Close()
			job := res.Header.Get("X-Session-Id")
			if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" ||
				res.Header.Get(aistream.Header) != "v1" || job == "" {
				t.Fatalf("%d %v", res.StatusCode, res.Header)
			}
			r := bufio.NewReader(res.Body)
			expect := func(part string) {
				t.Helper()
				for {
					line, err := r.ReadString('\n')
					if err != nil || strings.HasPrefix(line, "data: ") {
						if !strings.Contains(line, part) {
							t.Fatalf("%q %v, want %s", line, err, part)
						}
						return
					}
				}
			}
			expect(`{"type":"start","messageId":"` + job + `"}`)
			h := w.hold(t, job)
			_, err = w.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{},
				agentjob.Entry{Kind: agentjob.Answer, Text: "I look.",
					Calls: []agentjob.Call{{ID: "1", Name: "check", Input: []byte(`{"secret":"x"}`)}}},
				agentjob.Entry{Kind: agentjob.Note, Code: "comments", Text: "They said:\n" + guard.Untrusted("comments", "Nice.")})
			must(t, err)
			expect(`"type":"text-start","id":"t1"`)
			expect(`"delta":"I look."`)
			expect(`"type":"text-end"`)
			expect(`{"type":"data-tool","data":{"name":"check"}}`)
			expect(`"data":{"code":"comments","text":"They said:\nNice."`)
			if fail {
				must(t, w.store.FailAgentJob(t.Context(), h, "The site does not build."))
			} else {
				must(t, w.store.CompleteAgentJob(t.Context(), h, 2, agentjob.Changed))
			}
			if fail {
				expect(`"type":"data-note","data":{"code":"failed"`)
			}
			expect(`"type":"data-session","data":{"sessionId":"` + job)
			if fail {
				expect(`{"type":"error","errorText":"The site does not build."}`)
			} else {
				expect(`{"type":"finish"}`)
			}
			expect("[DONE]")
			again := w.do(t, repeatable(ask{"POST", "/v1/agent/" + x.project.ID + "/job", x.key, session, nil}, "one")).
				want(t, 200)
			if again.header.Get("X-Session-Id") != job || again.header.Get("Idempotency-Replayed") != "true" ||
				!strings.Contains(string(again.body), "I look.") {
				t.Errorf("%v %s", again.header, again.body)
			}
			once := sessionAsk(x, "POST", "/job", session)
			once.header = map[string]string{"Accept": "application/json", "Idempotency-Key": "one"}
			if ended := w.do(t, once).want(t, 200); ended.header.Get("Retry-After") != "" ||
				ended.object(t)["haulted"] != true {
				t.Errorf("an ended job asks to be polled: %v %s", ended.header, ended.body)
			}
		})
	}
}

// A workflow is an agent job with a stored prompt; the error for an unknown workflow lists the known ones.
func TestWorkflowStartsAgentJob(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	for _, name := range agentjob.Workflows() {
		res := w.do(t, ask{"POST", "/v1/workflow/" + x.project.ID + "/" + name + "/trigger", x.key, "", nil}).
			want(t, 202)
		got := res.object(t)
		record, err := w.store.ListAgentEntries(t.Context(), got["jobId"].(string), 0, 10)
		must(t, err)
		if prompt, _ := agentjob.WorkflowPrompt(name); got["schemaId"] != name || got["instanceId"] != got["jobId"] ||
			record[0].Text != prompt || record[0].Author != x.keyID ||
			res.header.Get("Location") != "/v2/agent/"+x.project.ID+"/job/"+got["jobId"].(string) {
			t.Errorf("%s: %s %+v", name, res.body, record)
		}
	}
	for _, name := range []string{"nope", "6650f0a0c1e7f2a9b8d3c4e5", "FIX-LINKS", "%00"} {
		got := w.do(t, ask{"POST", "/v1/workflow/" + x.project.ID + "/" + name + "/trigger", x.key, "", nil}).
			want(t, 404)
		if got.code(t) != "unknown_workflow" || !strings.Contains(string(got.body), "fix-links") {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	at := ask{"POST", "/v1/workflow/" + x.project.ID + "/fix-links/trigger", x.key, "", nil}
	first := w.do(t, repeatable(at, "one")).want(t, 202)
	if again := w.do(t, repeatable(at, "one")).want(t, 202); string(again.body) != string(first.body) {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	at.path = strings.Replace(at.path, "fix-links", "format", 1)
	w.do(t, repeatable(at, "one")).want(t, 409)
}
