package adminapi_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// finishAgentJob does a job's work as a worker would: it opens a pull request and completes the job.
func (w *world) finishAgentJob(t testing.TB, j agentjob.Job) agentjob.Job {
	t.Helper()
	h := w.hold(t, j.ID)
	_, err := w.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	_, err = w.store.RecordAgent(t.Context(), h, lease,
		store.AgentProgress{Ref: agentjob.Branch(j.ID, "Fix broken links."), BaseCommit: "c1",
			HeadCommit: "c2", Title: "Fix links", Summary: "Two links were broken.",
			PRLink: "https://git.example.com/docs/pulls/7", PRNumber: 7, PRState: agentjob.PullOpen},
		agentjob.Entry{Kind: agentjob.Answer, Text: "I look.",
			Calls: []agentjob.Call{{ID: "1", Name: "check", Input: []byte(`{"a":"<b>"}`)}, {ID: "2",
				Name: "finish"}}, Used: agentjob.Use{Steps: 1, InputTokens: 100, OutputTokens: 20, CostMicros: 1500}},
		agentjob.Entry{Kind: agentjob.Results,
			Results: []agentjob.Result{{CallID: "1", Text: guard.Untrusted("check", "two\nlines")}, {CallID: "2", Text: "no", Failed: true}}},
		agentjob.Entry{Kind: agentjob.Note, Code: "pull_opened", Text: "The pull request is " + guard.Untrusted("state", "open")})
	must(t, err)
	must(t, w.store.CompleteAgentJob(t.Context(), h, 4, agentjob.Changed))
	j, err = w.store.FindAgentJobByID(t.Context(), j.ID)
	must(t, err)
	return j
}

func agentAsk(x tenant, method, rest, body string) ask {
	return ask{method, "/v2/agent/" + x.project.ID + rest, x.key, body, nil}
}

// A9: the job has exactly the fields of the specification; additional fields are null until they have a value.
func TestAgentJobFromPromptToArchive(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	first := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"Fix the links.","branch":"docs","asDraft":true}`)).
		want(t, 201)
	job := first.object(t)
	name := job["id"].(string)
	if at := first.header.Get("Location"); at != "/v2/agent/"+x.project.ID+"/job/"+name ||
		first.header.Get("Retry-After") == "" {
		t.Errorf("%v", first.header)
	}
	source := job["source"].(map[string]any)
	if job["status"] != "active" || job["model"] != "builtin" ||
		source["repository"] != "https://git.example.com/a/docs.git" || job["baseBranch"] != "docs" ||
		job["createdAt"] != job["updatedAt"] || job["title"] != "Fix the links." {
		t.Errorf("%s", first.body)
	}
	for _, null := range []any{source["ref"], job["prLink"], job["archivedAt"], job["outcome"], job["summary"],
		job["error"], job["pullRequest"]} {
		if null != nil {
			t.Errorf("%s", first.body)
		}
	}
	stored, err := w.store.FindAgentJobByID(t.Context(), name)
	must(t, err)
	if !stored.Draft || stored.Base != "docs" {
		t.Errorf("stored %+v", stored)
	}
	w.finishAgentJob(t, stored)
	done := w.do(t, agentAsk(x, "GET", "/job/"+name, "")).want(t, 200)
	for _, part := range []string{`"status":"completed"`, `"outcome":"changed"`,
		`"ref":"lectern/fix-broken-links-` + name[len(name)-10:] + `"`,
		`"prLink":"https://git.example.com/docs/pulls/7"`, `"pullRequest":{"number":7,"state":"open"}`,
		`"usage":{"steps":1,"inputTokens":100,"outputTokens":20,"costUsd":0.0015}`, `"title":"Fix links"`,
		`"summary":"Two links were broken."`} {
		if !strings.Contains(string(done.body), part) {
			t.Errorf("%s is missing in %s", part, done.body)
		}
	}
	if done.header.Get("Retry-After") != "" {
		t.Error("the response for an ended job asks clients to poll")
	}
	w.clock.Advance(time.Minute)
	again := w.do(t, agentAsk(x, "POST", "/job/"+name+"/message", `{"prompt":"Also the images."}`)).want(t, 200).
		object(t)
	if again["status"] != "active" || again["prLink"] == nil || again["source"].(map[string]any)["ref"] == nil {
		t.Errorf("%v", again)
	}
	stopped := w.do(t, agentAsk(x, "POST", "/job/"+name+"/stop", "")).want(t, 200).object(t)
	if stopped["status"] != "failed" || stopped["outcome"] != "stopped" || stopped["error"] != "The agent was stopped." ||
		stopped["prLink"] == nil {
		t.Errorf("%v", stopped)
	}
	if got := w.do(t, agentAsk(x, "POST", "/job/"+name+"/stop", "")).want(t, 409); got.code(t) != "wrong_state" {
		t.Errorf("%s", got.body)
	}
	on := w.do(t, agentAsk(x, "POST", "/job/"+name+"/message", `{"prompt":"And this."}`)).want(t, 200).object(t)
	if on["status"] != "active" || on["outcome"] != nil || on["error"] != nil {
		t.Errorf("%v", on)
	}
	if got := w.do(t, agentAsk(x, "POST", "/job/"+name+"/redo", "")).want(t, 409); got.code(t) != "wrong_state" {
		t.Errorf("%s", got.body)
	}
	w.do(t, agentAsk(x, "POST", "/job/"+name+"/stop", "")).want(t, 200)
	redo := w.do(t, agentAsk(x, "POST", "/job/"+name+"/redo", "")).want(t, 200)
	if job := redo.object(t); job["status"] != "active" || job["prLink"] == nil || redo.header.Get("Retry-After") == "" {
		t.Errorf("%s", redo.body)
	}
	gone := w.do(t, agentAsk(x, "POST", "/job/"+name+"/archive", "")).want(t, 200).object(t)
	if gone["status"] != "archived" || gone["outcome"] != "stopped" || gone["archivedAt"] != "2026-03-04T05:07:07.123456Z" {
		t.Errorf("%v", gone)
	}
	for _, rest := range []ask{agentAsk(x, "POST", "/job/"+name+"/archive", ""),
		agentAsk(x, "POST", "/job/"+name+"/message", `{"prompt":"x"}`)} {
		if got := w.do(t, rest).want(t, 409); got.code(t) != "wrong_state" ||
			!strings.Contains(string(got.body), "archived") {
			t.Errorf("%s", got.body)
		}
	}
	prompts, err := w.store.ListAgentEntries(t.Context(), name, 0, 100)
	must(t, err)
	if last := prompts[len(prompts)-4]; last.Text != "And this." || last.Author != x.keyID || last.Round != 3 {
		t.Errorf("%+v", last)
	}
	if last := prompts[len(prompts)-2]; last.Code != agentjob.Redo || last.Author != x.keyID || last.Round != 4 {
		t.Errorf("%+v", last)
	}
}

// The response to each kind of invalid agent request names the invalid field.
func TestBadAgentRequestsNameTheField(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	long := strings.Repeat("ü", agentjob.MaxPrompt)
	for body, field := range map[string]string{
		`{}`: "prompt", `{"prompt":""}`: "prompt", `{"prompt":" \n"}`: "prompt", `{"prompt":"` + long + `x"}`: "prompt",
		`{"prompt":"a\u0000b"}`:      "prompt",
		`{"prompt":null}`:            "prompt",
		`{"prompt":"x","branch":""}`: "branch", `{"prompt":"x","branch":"a..b"}`: "branch",
		`{"prompt":"x","branch":"-x"}`:   "branch",
		`{"prompt":"x","branch":7}`:      "branch",
		`{"prompt":"x","model":"other"}`: "model", `{"prompt":"x","model":""}`: "model",
		`{"prompt":"x","asDraft":"yes"}`: "asDraft",
		`{"prompt":"x","ref":"y"}`:       "ref",
	} {
		if got := w.do(t, agentAsk(x, "POST", "/job", body)).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%.60s: %s", body, got.body)
		}
	}
	for body, field := range map[string]string{`{}`: "prompt", `{"prompt":"\t"}`: "prompt",
		`{"prompt":"x","branch":"y"}`: "branch"} {
		if got := w.do(t, agentAsk(x, "POST", "/job/"+x.agentJob.ID+"/message", body)).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	got := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"x","model":"other"}`))
	if hint := got.object(t)["hint"].(string); !strings.Contains(hint, "builtin") ||
		!strings.Contains(hint, "example-model") {
		t.Errorf("%s", got.body)
	}
	made := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"`+long+`","model":"example-model"}`)).want(t, 201)
	if made.object(t)["model"] != "example-model" {
		t.Errorf("%s", made.body)
	}
	x.project = x.folder
	if got := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"x","branch":"main"}`)).
		want(t, 409); got.code(t) != "no_branches" {
		t.Errorf("%s", got.body)
	}
	plain := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"x"}`)).want(t, 201).object(t)
	if at := plain["source"].(map[string]any)["repository"]; !strings.HasSuffix(at.(string),
		project.GitPath(x.org.ID, x.folder.ID)) {
		t.Errorf("the folder's repository is %v", at)
	}
}

func TestServerWithoutAgentsRefusesJobs(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.AgentModels, o.Merger = nil, nil })
	if got := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"x"}`)).want(t, 403); got.code(t) != "agent_off" {
		t.Errorf("%s", got.body)
	}
	for _, a := range []ask{agentAsk(x, "GET", "/proposal/"+x.proposal.ID, ""),
		agentAsk(x, "POST", "/proposal/"+x.proposal.ID+"/merge", "")} {
		if got := w.do(t, a).want(t, 403); got.code(t) != "feature_unavailable" {
			t.Errorf("%s", got.body)
		}
	}
	w.do(t, agentAsk(x, "GET", "/job/"+x.agentDone.ID, "")).want(t, 200)
	w.do(t, agentAsk(x, "GET", "/proposals", "")).want(t, 200)
}

// A5: a project's new jobs and messages share one limit, repeated requests are not counted, and the refusal says when
// to retry.
func TestAgentPromptsAreLimitedPerHour(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil) // two prompts so far
	create := agentAsk(x, "POST", "/job", `{"prompt":"x"}`)
	message := agentAsk(x, "POST", "/job/"+x.agentJob.ID+"/message", `{"prompt":"x"}`)
	for i := 2; i < agentjob.HourlyPrompts; i++ {
		switch {
		case i == 2:
			w.do(t, repeatable(create, "first")).want(t, 201)
		case i%2 == 0:
			w.do(t, create).want(t, 201)
		default:
			w.do(t, message).want(t, 200)
		}
	}
	w.clock.Advance(20 * time.Minute)
	for _, a := range []ask{create, message} {
		if got := w.do(t, a).want(t, 429); got.code(t) != "agent_rate_limit" ||
			got.header.Get("Retry-After") != "2400" {
			t.Errorf("%s %v", got.body, got.header)
		}
	}
	w.do(t, repeatable(create, "first")).want(t, 201)
	w.clock.Advance(40 * time.Minute)
	w.do(t, create).want(t, 201)
}

// A4: a repeated start creates one job, and a repeated message is sent once.
func TestRepeatedAgentRequestsRunOnce(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	create := agentAsk(x, "POST", "/job", `{"prompt":"x"}`)
	replies := make([]reply, 20)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() { replies[i] = w.do(t, repeatable(create, "once")) })
	}
	wg.Wait()
	for _, r := range replies {
		if r.status != 201 || string(r.body) != string(replies[0].body) ||
			r.header.Get("Location") != replies[0].header.Get("Location") {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	if list, _, err := w.store.ListAgentJobs(t.Context(), x.org.ID, x.project.ID, "",
		store.Page{Limit: 50}); err != nil || len(list) != 3 {
		t.Errorf("%d jobs, %v", len(list), err)
	}
	say := agentAsk(x, "POST", "/job/"+x.agentDone.ID+"/message", `{"prompt":"x"}`)
	first, again := w.do(t, repeatable(say, "said")).want(t, 200), w.do(t, repeatable(say, "said")).want(t, 200)
	if again.header.Get("Idempotency-Replayed") != "true" || string(first.body) != string(again.body) {
		t.Errorf("%s, %s", first.body, again.body)
	}
	if list, err := w.store.ListAgentEntries(t.Context(), x.agentDone.ID, 4, 50); err != nil || len(list) != 1 {
		t.Errorf("the message was sent %d times, %v", len(list), err)
	}
	other := agentAsk(x, "POST", "/job/"+x.agentJob.ID+"/message", `{"prompt":"x"}`)
	for _, a := range []ask{repeatable(other, "said"),
		repeatable(agentAsk(x, "POST", "/job", `{"prompt":"y"}`), "once")} {
		if got := w.do(t, a).want(t, 409); got.code(t) != "idempotency_key_reused" {
			t.Errorf("%s", got.body)
		}
	}
}

func TestAgentJobsAreListedByState(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	for query, want := range map[string]int{"": 2, "?status=completed": 1, "?status=active": 1, "?status=archived": 0,
		"?limit=1": 1} {
		got := w.do(t, agentAsk(x, "GET", "/jobs"+query, "")).want(t, 200).object(t)
		if n := len(got["jobs"].([]any)); n != want || (got["nextCursor"] != nil) != (query == "?limit=1") {
			t.Errorf("%s: %v", query, got)
		}
	}
}

// source.repository is a URL that a browser or git can open, whatever the project's source is.
func TestJobRepositoryIsAFullURL(t *testing.T) {
	for name, allowed := range map[string]bool{"allowed": true, "off": false} {
		t.Run(name, func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) {
				if o.PublicURL = "https://lectern.example.com"; !allowed {
					o.LocalSource = nil
				}
			})
			type body struct {
				ID     string
				Source struct{ Repository string }
			}
			path := "/v2/agent/" + x.folder.ID
			made := read[body](t, w.do(t, ask{"POST", path + "/job", x.key, `{"prompt":"fix"}`, nil}).want(t, 201))
			got := read[body](t, w.do(t, ask{"GET", path + "/job/" + made.ID, x.key, "", nil}).want(t, 200))
			listed := read[struct{ Jobs []body }](t, w.do(t, ask{"GET", path + "/jobs", x.key, "", nil}).want(t, 200))
			for _, b := range []body{made, got, listed.Jobs[0]} {
				if want := "https://lectern.example.com" +
					project.GitPath(x.org.ID, x.folder.ID); b.Source.Repository != want {
					t.Errorf("%q, want %q", b.Source.Repository, want)
				}
			}
		})
	}
}
