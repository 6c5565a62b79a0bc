package dashboard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/store"
)

func agentAt(j agentjob.Job) string {
	return "/dashboard/projects/" + j.ProjectID + "/agent/" + j.ID
}

// newJob starts an agent job in a project.
func newJob(r *rig, p project.Project, prompt, author string) (j agentjob.Job) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(r.t.Context(), agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID,
			Repository: p.Source.URL(), Model: "builtin"},
			agentjob.Entry{Author: author, Text: prompt})
		return err
	}))
	return j
}

// input encodes the input of a tool: alternating names and values.
func input(pairs ...string) json.RawMessage {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return raw
}

func TestAgentJobIsShownInEachState(t *testing.T) {
	r := newRig(t)
	status, body := r.get("editor", agentAt(r.a.agentJob))
	showsAll(t, "active", status, 200, body, `data-state="active"`, "Fix broken links.", "key_x", "none yet",
		"data-live", "Send a message to the agent", "The agent is stopped.",
		"/v2/agent/"+r.a.project.ID+"/job/"+r.a.agentJob.ID+"/message")
	showsNone(t, "active", body, `http-equiv="refresh"`)

	status, body = r.get("editor", agentAt(r.a.agentDone))
	showsAll(t, "completed", status, 200, body, `data-state="changed"`, "<h1>Fix links</h1>",
		"Two links were broken.", `<a href="https://git.example.com/docs/pulls/7" rel="noreferrer">#7</a>`,
		`data-state="open"`,
		"I look.", "<code>check</code>", "two\nlines", "pull_opened",
		"1 step, 100 input tokens, 20 output tokens, $0.0015", "lectern/fix-broken-links")
	showsNone(t, "completed", body, " data-live>", "changed file")
	if status, to := r.post("editor", agentAt(r.a.agentDone)+"/redo", nil); status != http.StatusSeeOther ||
		to != agentAt(r.a.agentDone)+"?did=agent-redo" {
		t.Errorf("%d %s", status, to)
	}
	status, body = r.get("editor", agentAt(r.a.agentDone)+"?did=agent-redo")
	showsAll(t, "redo", status, 200, body, `data-state="active"`, "is redoing its work", "Redo everything that was asked for above")
	showsNone(t, "redo", body, agentAt(r.a.agentDone)+"/redo")
	status, body = r.post("editor", agentAt(r.a.agentDone)+"/redo", nil)
	showsAll(t, "redo of an active job", status, 409, body, "The agent is working on the job.")

	stopped := newJob(r, r.a.project, "Wait.", "key_x")
	if status, to := r.post("editor", agentAt(stopped)+"/stop", nil); status != http.StatusSeeOther ||
		to != agentAt(stopped)+"?did=agent-stopped" {
		t.Errorf("%d %s", status, to)
	}
	status, body = r.get("editor", agentAt(stopped)+"?did=agent-stopped")
	showsAll(t, "stopped", status, 200, body, `data-state="stopped"`, "Send a message below to let it go on", "<h1>Wait.</h1>")
	showsNone(t, "stopped", body, "Stop the agent")

	failed := newJob(r, r.a.project, "Do it.", "key_x")
	h := r.hold(task.Agent, failed.ID)
	_, err := r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	must(t, r.store.FailAgentJob(t.Context(), h, "The model "+evil+" does not answer."))
	status, body = r.get("editor", agentAt(failed))
	showsAll(t, "failed", status, 200, body, `data-state="failed"`, "does not answer.",
		"Send a message below with what to do differently", "Send a message to the agent")
	showsPlain(t, "failed", body)

	if status, to := r.post("editor", agentAt(failed)+"/archive", nil); status != http.StatusSeeOther ||
		to != agentAt(failed)+"?did=agent-archived" {
		t.Errorf("%d %s", status, to)
	}
	status, body = r.get("editor", agentAt(failed)+"?did=agent-archived")
	showsAll(t, "archived", status, 200, body, `data-state="archived"`, "The job was archived.",
		"accepts no more messages", "Archived</dt>")
	showsNone(t, "archived", body, `action="`+agentAt(failed), "Send a message")
	status, body = r.post("editor", agentAt(failed)+"/message", url.Values{"message": {"go on"}})
	showsAll(t, "message to an archived job", status, http.StatusConflict, body, `role="alert"`, "archived")
}

// Work is shown where it was requested: edits and new files as changes, results next to their calls, plans expanded.
func TestAgentRecordShowsEachStep(t *testing.T) {
	r := newRig(t)
	j := newJob(r, r.a.folder, "Fix it.", r.people["owner"].member.ID)
	h := r.hold(task.Agent, j.ID)
	_, err := r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	_, err = r.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{},
		agentjob.Entry{Kind: agentjob.Answer, Text: "## I **plan**\n- see https://evil.example/x",
			Calls: []agentjob.Call{
				{ID: "p", Name: "plan", Input: input("steps", "1. look\n2. mend")},
				{ID: "e", Name: "edit", Input: input("path", "index.mdx", "old", "one two three\n", "new",
					"one 2 three\n")},
				{ID: "w", Name: "write", Input: input("path", "new.mdx", "text", "first\nsecond\n")},
				{ID: "b", Name: "write", Input: input("path", "logo.png", "text", "AAAA", "encoding", "base64")},
				{ID: "m", Name: "move", Input: input("from", "a.mdx", "to", "b.mdx")},
				{ID: "s", Name: "shell", Input: input("command", "ls -l")},
				{ID: "u", Name: "unheard", Input: json.RawMessage(`{"deep":{"x":1}}`)},
				{ID: "j", Name: "edit", Input: json.RawMessage(`["no object"]`)},
			}},
		agentjob.Entry{Kind: agentjob.Results,
			Results: []agentjob.Result{{CallID: "e", Text: guard.Untrusted("edit", "Replaced 1 in index.mdx.")},
				{CallID: "s", Text: "sh: no", Failed: true}, {CallID: "stray", Text: "for nobody"}}},
		agentjob.Entry{Kind: agentjob.Note, Code: "began", Text: "Working on it."})
	must(t, err)
	status, body := r.get("viewer", agentAt(j))
	showsAll(t, "record", status, 200, body, "<strong>owner@example.com</strong>",
		"<p><strong>I <strong>plan</strong></strong></p>", "1. look\n2. mend", "<del>one <mark>two</mark> three</del>",
		"<ins>one <mark>2</mark> three</ins>",
		"<ins>first</ins>", "<ins>second</ins>", "4 characters of base64", "a.mdx → b.mdx", "<code>shell</code> ls -l",
		"sh: no", "Replaced 1 in index.mdx.", "for nobody", "&#34;deep&#34;: {", "no object", "<code>began</code>",
		"see https://evil.example/x")
	showsNone(t, "record", body, "untrusted", `href="https://evil.example`, `action="`+agentAt(j))
}

// All text in a record comes from models, repositories and callers. None of it becomes markup, wherever it occurs.
func TestHostileAgentOutputIsEscaped(t *testing.T) {
	r := newRig(t)
	j := newJob(r, r.a.folder, evil+" please", evil)
	h := r.hold(task.Agent, j.ID)
	_, err := r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	var calls []agentjob.Call
	var results []agentjob.Result
	for i, name := range []string{"edit", "write", "plan", "finish", "move", "search", "shell", "list", "read",
		"delete", evil} {
		id := fmt.Sprint(evil, i)
		calls = append(calls, agentjob.Call{ID: id, Name: name, Input: input("path", evil, "old", evil, "new", evil+"x",
			"text", evil, "steps", evil, "title", evil, "summary", evil,
			"from", evil, "to", evil, "query", evil, "command", evil, "folder", evil)})
		results = append(results, agentjob.Result{CallID: id, Text: evil})
	}
	_, err = r.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{Ref: "lectern/" + evil, Title: evil,
		Summary: evil, PRLink: "javascript:alert(1)", PRNumber: 1, PRState: agentjob.PullOpen},
		agentjob.Entry{Kind: agentjob.Answer, Text: evil + " `" + evil + "` **" + evil + "**", Calls: calls},
		agentjob.Entry{Kind: agentjob.Results, Results: append(results, agentjob.Result{CallID: "x", Text: evil})},
		agentjob.Entry{Kind: agentjob.Note, Code: evil, Text: evil})
	must(t, err)
	for _, path := range []string{agentAt(j), "/dashboard/projects/" + r.a.folder.ID + "/agent", "/dashboard/agent"} {
		status, body := r.get("editor", path)
		showsAll(t, path, status, 200, body, "&lt;img src=x")
		showsPlain(t, path, body)
	}
}

// A record may have any length: the page shows its newest part and links to the rest.
func TestLongAgentRecordIsPaginated(t *testing.T) {
	r := newRig(t)
	j := newJob(r, r.a.folder, "Do it.\n\nthe very first words", "key_x")
	h := r.hold(task.Agent, j.ID)
	_, err := r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	long := strings.Repeat("é", 20_000) + "the end of it"
	entries := []agentjob.Entry{{Kind: agentjob.Answer, Text: "look",
		Calls: []agentjob.Call{{ID: "r", Name: "read", Input: input("path", "a.mdx")}}},
		{Kind: agentjob.Results, Results: []agentjob.Result{{CallID: "r", Text: long}}}}
	for i := range 600 {
		entries = append(entries,
			agentjob.Entry{Kind: agentjob.Note, Code: "n", Text: fmt.Sprintf("note number %d.", i)})
	}
	_, err = r.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{}, entries...)
	must(t, err)
	status, body := r.get("viewer", agentAt(j))
	showsAll(t, "newest", status, 200, body, "note number 599.", "note number 100.", `href="?before=104"`)
	showsNone(t, "newest", body, "note number 99.", "the very first words", "Go to the newest")

	status, body = r.get("viewer", agentAt(j)+"?before=104")
	showsAll(t, "earlier", status, 200, body, "the very first words", "note number 99.", "Go to the newest",
		`href="?before=104&amp;whole=3#e2-0"`, "13 more characters")
	showsNone(t, "earlier", body, "note number 100.", "the end of it", ">Earlier<")

	status, body = r.get("viewer", agentAt(j)+"?before=104&whole=3")
	showsAll(t, "in full", status, 200, body, "the end of it")
	for _, q := range []string{"?before=-1", "?before=x&whole=y", "?before=99999999999999999999"} {
		if status, body := r.get("viewer", agentAt(j)+q); status != 200 || !strings.Contains(body, "note number 599.") {
			t.Errorf("%s: %d", q, status)
		}
	}
}

func TestAgentJobIsStarted(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/projects/" + r.a.project.ID + "/agent"
	status, body := r.get("editor", at+"?prompt=fix+%3Cb%3E&status=completed")
	showsAll(t, "form", status, 200, body, "fix &lt;b&gt;</textarea>",
		"<option>builtin</option><option>example-model</option>", `name="branch"`, r.a.agentDone.ID, "Fix links",
		"Open proposals", "What the model builtin can do", `<a href="?prompt=rename%20Foo%20to%20Bar#start">rename Foo to Bar</a>`)
	showsNone(t, "form", body, agentAt(r.a.agentJob)+`"`)

	status, to := r.post("editor", at,
		url.Values{"prompt": {"add descriptions"}, "branch": {"next"}, "model": {"example-model"}, "draft": {"yes"}})
	if status != http.StatusSeeOther || !strings.HasSuffix(to, "?did=agent-started") {
		t.Fatalf("%d %s", status, to)
	}
	jobID := strings.TrimSuffix(to[strings.LastIndexByte(to, '/')+1:], "?did=agent-started")
	j, err := r.store.FindAgentJobByID(t.Context(), jobID)
	must(t, err)
	if j.Base != "next" || j.Model != "example-model" || !j.Draft {
		t.Errorf("%+v", j)
	}
	_, body = r.get("editor", to)
	showsAll(t, "started", 200, 200, body, "The agent was started.", "add descriptions",
		"<strong>editor@example.com</strong>")

	status, body = r.post("editor", at,
		url.Values{"prompt": {"x " + evil}, "branch": {"-bad " + evil}, "model": {"builtin"}, "draft": {"yes"}})
	showsAll(t, "refused", status, http.StatusBadRequest, body, `id="branch-error"`, `aria-invalid="true"`, "x &lt;img",
		"<option selected>builtin</option>", `value="yes" checked`)
	showsPlain(t, "refused", body)
	status, body = r.post("editor", at, url.Values{"prompt": {" "}})
	showsAll(t, "empty", status, http.StatusBadRequest, body, `id="prompt-error"`)

	_, body = r.get("editor", "/dashboard/projects/"+r.a.folder.ID+"/agent")
	showsNone(t, "a folder", body, `name="branch"`)
}

// A person who exceeds the hourly limit sees when to try again.
func TestHourlyLimitShowsTheWaitingTime(t *testing.T) {
	r := newRig(t)
	for range agentjob.HourlyPrompts {
		newJob(r, r.a.folder, "again", "key_x")
	}
	r.clock.Advance(13 * time.Minute)
	status, body := r.post("editor", "/dashboard/projects/"+r.a.folder.ID+"/agent", url.Values{"prompt": {"once more"}})
	showsAll(t, "too many", status, http.StatusTooManyRequests, body, "limit of 100 agent jobs and messages per hour",
		"Try again in 47 minutes.", "once more</textarea>")
}

// A message makes a job that has stopped active again.
func TestFollowUpReactivatesTheJob(t *testing.T) {
	r := newRig(t)
	at := agentAt(r.a.agentDone)
	if status, to := r.post("editor", at+"/message",
		url.Values{"message": {"also the images"}}); status != http.StatusSeeOther || to != at+"?did=agent-message-sent" {
		t.Fatalf("%d %s", status, to)
	}
	status, body := r.get("editor", at+"?did=agent-message-sent")
	showsAll(t, "again", status, 200, body, `data-state="active"`, "also the images", "Round 2",
		"The agent reads your message", " data-live>")
	status, body = r.post("editor", at+"/message",
		url.Values{"message": {"\n " + strings.Repeat("a", agentjob.MaxPrompt)}})
	showsAll(t, "too long", status, http.StatusBadRequest, body, `id="message-error"`, "32768")
	status, _ = r.post("editor", at+"/message", url.Values{"message": {strings.Repeat("日", agentjob.MaxPrompt)}})
	if status != http.StatusSeeOther {
		t.Errorf("the longest permitted prompt: %d", status)
	}
	for _, do := range []string{"/message", "/redo", "/archive"} {
		if status, to := r.get("editor", at+do); status != http.StatusSeeOther || to != at {
			t.Errorf("the address of a form: %d %s", status, to)
		}
	}
}

// A job that completed without changes looks different from one that did its task, and claims that the changes do not
// confirm are labelled.
func TestJobPageShowsItsOutcome(t *testing.T) {
	r := newRig(t)
	for outcome, words := range map[agentjob.Outcome]string{agentjob.NotUnderstood: "did not understand",
		agentjob.NeedsAnswer: "needs an answer", agentjob.NothingToDo: "found nothing to change"} {
		j := newJob(r, r.a.folder, "Fix it.", "key_x")
		h := r.hold(task.Agent, j.ID)
		_, err := r.store.StartAgentJob(t.Context(), h, lease)
		must(t, err)
		_, err = r.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{
			Summary: agentjob.LabelSummary("All is well.", []string{"Nothing was changed, and the agent did not say why."})})
		must(t, err)
		must(t, r.store.CompleteAgentJob(t.Context(), h, 1, outcome))
		status, body := r.get("viewer", agentAt(j))
		showsAll(t, string(outcome), status, 200, body, words, `data-state="`+string(outcome)+`"`, "Not confirmed by the changes",
			"the agent did not say why")
	}
}

// Once the agent has stopped, its page shows the complete change of a proposal on the embedded code host.
func TestJobShowsItsCompleteDiff(t *testing.T) {
	r := newRig(t)
	j := newJob(r, r.a.folder, "Fix it.", "key_x")
	branch := agentjob.Branch(j.ID, "Fix it.")
	p := r.propose(r.a.folder, branch,
		draft.Change{Path: "index.mdx", Before: []byte("---\ntitle: Start\n---\n\nOld words.\n"),
			After: []byte("---\ntitle: Start\n---\n\nNew words.\n")})
	h := r.hold(task.Agent, j.ID)
	_, err := r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	_, err = r.store.RecordAgent(t.Context(), h, lease,
		store.AgentProgress{Ref: branch, PRLink: "http://elsewhere.example/_dashboard/proposals/" + p.ID,
			PRNumber: p.Number, PRState: agentjob.PullOpen})
	must(t, err)
	local := `<a href="` + proposal.Page(r.a.folder.ID, p.ID) + `">Proposal #1</a>`
	_, body := r.get("viewer", agentAt(j))
	showsAll(t, "active", 200, 200, body, local)
	showsNone(t, "active", body, "1 changed file")
	must(t, r.store.CompleteAgentJob(t.Context(), h, 1, agentjob.Changed))
	_, body = r.get("viewer", agentAt(j))
	showsAll(t, "completed", 200, 200, body, local, "1 changed file", "<del><mark>Old</mark> words.</del>",
		"<ins><mark>New</mark> words.</ins>")

	redo := `action="` + agentAt(j) + `/redo"`
	_, body = r.get("editor", proposalAt(p))
	showsNone(t, "up to date", body, redo)
	must(t, os.WriteFile(filepath.Join(r.a.folder.Source.Path, "other.mdx"), []byte("---\ntitle: Other\n---\n"), 0o600))
	r.tip(r.a.folder, p.Head)
	for _, path := range []string{proposalAt(p), agentAt(j)} {
		_, body = r.get("editor", path)
		showsAll(t, "behind", 200, 200, body, redo, "Redo on newest base")
	}
}

func TestAgentPageExplainsMissingModels(t *testing.T) {
	r := newRig(t, func(p *parts) { p.Dashboard.Models, p.API.AgentModels = nil, nil })
	for _, path := range []string{"/dashboard/agent", "/dashboard/projects/" + r.a.project.ID + "/agent"} {
		status, body := r.get("owner", path)
		showsAll(t, path, status, 200, body, "The agent is turned off on this server.")
		showsNone(t, path, body, "Start agent")
	}
	status, body := r.post("owner", "/dashboard/projects/"+r.a.project.ID+"/agent", url.Values{"prompt": {"x"}})
	showsAll(t, "by hand", status, http.StatusForbidden, body, "The agent is turned off on this server.")
}

// A viewer can follow agents but not start any; requests that the forms would send are refused, and nothing changes.
func TestViewerCannotControlAgents(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/projects/" + r.a.project.ID
	status, body := r.get("viewer", "/dashboard/agent")
	showsAll(t, "all", status, 200, body, agentAt(r.a.agentJob), agentAt(r.a.agentDone), at+"/agent")
	showsNone(t, "all", body, r.b.agentJob.ID, r.b.project.ID)
	for _, path := range []string{at + "/agent", agentAt(r.a.agentJob), agentAt(r.a.agentDone), at + "/proposals",
		at + "/proposals/" + r.a.proposal.ID} {
		status, body := r.get("viewer", path)
		showsAll(t, path, status, 200, body, "data-state")
		showsNone(t, path, body, `method="post" action="`+at)
	}
	before := eventCount(r)
	for _, path := range []string{at + "/agent", agentAt(r.a.agentJob) + "/message", agentAt(r.a.agentJob) + "/archive",
		at + "/proposals/" + r.a.proposal.ID + "/merge", at + "/proposals/" + r.a.proposal.ID + "/close"} {
		status, body := r.post("viewer", path, url.Values{"prompt": {"x"}, "message": {"x"}})
		showsAll(t, path, status, http.StatusForbidden, body, "editor")
	}
	if after := eventCount(r); after != before {
		t.Errorf("%d new events", after-before)
	}
	for _, rt := range dashboard.Routes() {
		if rt.Method != http.MethodGet ||
			!strings.Contains(rt.Pattern, "/agent/") && !strings.Contains(rt.Pattern, "/proposals/") || rt.Public {
			continue
		}
		path := strings.NewReplacer("{projectId}", r.a.project.ID, "{jobId}", r.a.agentDone.ID, "{proposalId}",
			r.a.proposal.ID, "{do}", "merge").Replace(rt.Pattern)
		if status, _ := r.get("foreign", path); status != http.StatusNotFound {
			t.Errorf("%s of another organization: %d", path, status)
		}
	}
}
