package adminapi_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// onePage is a source with one page and one picture, in place of a repository.
type onePage struct{}

func (onePage) List(_ context.Context, _ project.Project, folder string) (string, []string, bool, error) {
	if folder != "" {
		return headCommit, nil, false, nil
	}
	return headCommit, []string{"index.mdx", "pot.png"}, false, nil
}

func (onePage) Read(_ context.Context, _ project.Project, path string) (string, []byte, error) {
	switch path {
	case "index.mdx":
		return headCommit, []byte("Boil watr.\n"), nil
	case "pot.png":
		return headCommit, []byte{0x89, 0xff}, nil
	}
	return "", nil, fault.Newf(fault.NotFound, "unknown_file", "File not found: %q.", path).WithField("path")
}

func TestSourceFilesAreReadAsText(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	if got := w.do(t, agentAsk(x, "GET", "/files", "")).want(t, 200).object(t); got["commit"] != headCommit || len(got["files"].([]any)) != 2 ||
		got["truncated"] != false {
		t.Errorf("%v", got)
	}
	if got := w.do(t, agentAsk(x, "GET", "/files?folder=none", "")).want(t, 200); !strings.Contains(string(got.body), `"files":[]`) {
		t.Errorf("%s", got.body)
	}
	if got := w.do(t, agentAsk(x, "GET", "/file?path=index.mdx", "")).want(t, 200).object(t); got["text"] != "Boil watr.\n" {
		t.Errorf("%v", got)
	}
	for path, status := range map[string]int{"": 400, "pot.png": 400, "gone.mdx": 404} {
		if got := w.do(t, agentAsk(x, "GET", "/file?path="+path, "")).want(t, status); !strings.Contains(string(got.body), `"field":"path"`) {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	w.do(t, agentAsk(x, "GET", "/files?folder=%zz", "")).want(t, 400)
}

// An edit is a job whose transcript has its changes as tool calls; errors name what is invalid, and secrets are not
// recorded.
func TestSubmittedEditBecomesJob(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := w.do(t, agentAsk(x, "POST", "/edit", `{"title":"Fix a typo","reason":"Water was misspelt.","asDraft":true,
		"changes":[{"path":"index.mdx","old":"watr","new":"water"},{"path":"a.mdx","text":""},{"path":"b.mdx","delete":true}]}`)).want(t, 201)
	job := made.object(t)
	name := job["id"].(string)
	if job["status"] != "active" || job["model"] != "submitted" || job["title"] != "Fix a typo" ||
		made.header.Get("Location") != "/v2/agent/"+x.project.ID+"/job/"+name {
		t.Errorf("%s", made.body)
	}
	record, err := w.store.ListAgentEntries(t.Context(), name, 0, 10)
	must(t, err)
	if len(record) != 2 || record[0].Text != "Fix a typo\n\nWater was misspelt." || record[0].Author != x.keyID ||
		len(record[1].Calls) != 4 || record[1].Calls[0].Name != "edit" || record[1].Calls[1].Name != "write" ||
		record[1].Calls[2].Name != "delete" || record[1].Calls[3].Name != "finish" {
		t.Errorf("%+v", record)
	}
	change := `"changes":[{"path":"a.mdx","text":"x"}]`
	for body, want := range map[string]string{
		`{"title":"T","reason":"R"}`:                                                                         "changes",
		`{"title":"T","reason":"R","changes":[]}`:                                                            "changes",
		`{"title":"","reason":"R",` + change + `}`:                                                           "title",
		`{"title":"T","reason":" ",` + change + `}`:                                                          "reason",
		`{"title":"T","reason":"R","branch":"a..b",` + change + `}`:                                          "branch",
		`{"title":"T","reason":"R","branch":"b","jobId":"aj_x",` + change + `}`:                              "branch",
		`{"title":"T","reason":"R","changes":[{"path":"a.mdx"}]}`:                                            "changes",
		`{"title":"T","reason":"R","changes":[{"path":"a.mdx","text":"hunter2-is-the-key-of-this-server"}]}`: "changes",
	} {
		got := w.do(t, agentAsk(x, "POST", "/edit", body)).want(t, 400)
		if !strings.Contains(string(got.body), `"field":"`+want+`"`) || strings.Contains(string(got.body), "hunter2") {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	edit := func(jobID string) string {
		raw, err := json.Marshal(jobID)
		must(t, err)
		return `{"title":"T","reason":"R","jobId":` + string(raw) + `,` + change + `}`
	}
	for id, code := range map[string]string{name: "wrong_state", x.agentDone.ID: "not_submitted"} {
		if got := w.do(t, agentAsk(x, "POST", "/edit", edit(id))).want(t, 409); got.code(t) != code {
			t.Errorf("%s: %s", id, got.body)
		}
	}
	w.do(t, agentAsk(x, "POST", "/edit", edit("aj_none"))).want(t, 404)
	w.finishAgentJob(t, agentjob.Job{ID: name})
	if got := w.do(t, agentAsk(x, "POST", "/edit", edit(name))).want(t, 201).object(t); got["id"] != name || got["status"] != "active" {
		t.Errorf("%v", got)
	}
	off, y := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.AgentModels = nil })
	if got := off.do(t, agentAsk(y, "POST", "/edit", `{"title":"T","reason":"R",`+change+`}`)).want(t, 403); got.code(t) != "agent_off" {
		t.Errorf("%s", got.body)
	}
}

// A dry run is marked as such in the job and in the audit log, cannot be continued by an edit, and cannot continue an
// edit.
func TestDryRunIsMarkedInJobAndAuditLog(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	change := `"changes":[{"path":"a.mdx","text":"x"}]`
	for path, body := range map[string]string{"/edit": `{"title":"T","reason":"R","dryRun":true,` + change + `}`,
		"/job": `{"prompt":"Fix it.","dryRun":true}`} {
		job := w.do(t, agentAsk(x, "POST", path, body)).want(t, 201).object(t)
		if job["dryRun"] != true || job["status"] != "active" || job["prLink"] != nil {
			t.Errorf("%s: %v", path, job)
		}
		id := job["id"].(string)
		list, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 1000)
		must(t, err)
		if last := list[len(list)-1]; last.Target != id || last.Data["mode"] != "dry run" {
			t.Errorf("%s: %+v", path, list)
		}
		h := w.hold(t, id)
		must(t, w.store.CompleteAgentJob(t.Context(), h, 4, agentjob.WouldChange))
		job = w.do(t, agentAsk(x, "GET", "/job/"+id, "")).want(t, 200).object(t)
		if job["status"] != "completed" || job["outcome"] != "would_change" || job["prLink"] != nil || job["pullRequest"] != nil {
			t.Errorf("%s: %v", path, job)
		}
		want := map[string]string{"/edit": "dry_run", "/job": "not_submitted"}[path]
		if got := w.do(t, agentAsk(x, "POST", "/edit", `{"title":"T","reason":"R","jobId":"`+id+`",`+change+`}`)).want(t, 409); got.code(t) != want {
			t.Errorf("%s: %s", path, got.body)
		}
		if got := w.do(t, agentAsk(x, "POST", "/edit", `{"title":"T","reason":"R","dryRun":true,"jobId":"`+id+`",`+change+`}`)).want(t, 400); !strings.Contains(string(got.body), `"field":"dryRun"`) {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	if job := w.do(t, agentAsk(x, "POST", "/edit", `{"title":"T","reason":"R",`+change+`}`)).want(t, 201).object(t); job["dryRun"] != false {
		t.Errorf("%v", job)
	}
}
