package adminapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// reviewed returns a world whose proposals have the given changes.
func reviewed(t *testing.T, changes ...draft.Change) (*world, *deciding, tenant) {
	t.Helper()
	m := &deciding{changes: changes}
	w := newWorld(t, func(o *adminapi.Options) {
		m.store, m.now, o.Merger, o.Reviewer = o.Store, o.Now, m, m
	})
	return w, m, w.newTenant(t, "a", account.PlanFree)
}

func review(x tenant, method, path, body string) ask {
	return agentAsk(x, method, "/proposal/"+x.reviewed.ID+path, body)
}

// comments returns a proposal's comments as shown by the API, without the one that every tenant has.
func (w *world) comments(t *testing.T, x tenant) (out []map[string]any) {
	t.Helper()
	for _, c := range w.do(t, review(x, "GET", "", "")).want(t, 200).object(t)["comments"].([]any) {
		if c := c.(map[string]any); c["id"] != x.comment.ID {
			out = append(out, c)
		}
	}
	return out
}

func TestCommentsFollowTheirLines(t *testing.T) {
	before, after := []byte("one\ntwo\n"), []byte("one\n<2> & 3\nthree\n")
	w, m, x := reviewed(t, draft.Change{Path: "b.mdx", Before: before, After: after})
	for _, in := range []string{`"side":"old","line":2,"body":"Keep <b>this</b>."`,
		`"line":2,"endLine":3,"suggestion":"2\r\n3","body":""`, `"side":"new","line":3,"body":"?","suggestion":""`} {
		w.do(t, review(x, "POST", "/comments", `{"path":"b.mdx",`+in+`,"commit":"`+headCommit+`"}`).
			as(x.members[account.RoleEditor])).want(t, 201)
		w.clock.Advance(time.Second)
	}
	show := func() (out []string) {
		for _, c := range w.comments(t, x) {
			out = append(out, fmt.Sprint(c["path"], " ", c["side"], " ", c["line"], "-", c["endLine"], " ", c["outdated"],
				" ", c["body"], " ", c["suggestion"] != nil, " ", c["authorName"] != nil))
		}
		return out
	}
	same := func(name string, want ...string) {
		t.Helper()
		if got := show(); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q", name, got)
		}
	}
	const first = "b.mdx old 2-2 false Keep <b>this</b>. false true"
	same("as made", first, "b.mdx new 2-3 false  true true", "b.mdx new 3-3 false ? true true")
	m.changes[0].After = append([]byte("zero\n"), after...)
	same("moved", first, "b.mdx new 3-4 false  true true", "b.mdx new 4-4 false ? true true")
	m.changes[0].Path, m.changes[0].From = "c.mdx", "b.mdx"
	same("renamed", "c.mdx old 2-2 false Keep <b>this</b>. false true", "c.mdx new 3-4 false  true true",
		"c.mdx new 4-4 false ? true true")
	m.changes[0].After = []byte("one\nthree\n")
	const gone = "b.mdx new <nil>-<nil> true  true true"
	same("one is gone", "c.mdx old 2-2 false Keep <b>this</b>. false true", gone, "c.mdx new 2-2 false ? true true")
	m.changes[0].After = []byte("one\nthree\n" + strings.Repeat("x", 1<<20))
	same("too large to search", "c.mdx old 2-2 false Keep <b>this</b>. false true", gone,
		"b.mdx new <nil>-<nil> true ? true true")
	m.changes = nil
	same("the file is gone", "b.mdx old <nil>-<nil> true Keep <b>this</b>. false true", gone,
		"b.mdx new <nil>-<nil> true ? true true")
	m.refuse = fault.New(fault.NotFound, "branch_not_found", "No branch.")
	if got := show(); len(got) != 3 {
		t.Errorf("without a branch: %q", got)
	}
	w.do(t, review(x, "PATCH", "/comments/"+x.comment.ID, `{"resolved":true}`)).want(t, 200)
}

func TestInvalidCommentsAreRefused(t *testing.T) {
	w, m, x := reviewed(t, draft.Change{Path: "a.mdx", Before: []byte("one\n"), After: []byte("two\n")},
		draft.Change{Path: "new.mdx", After: []byte("x\n")}, draft.Change{Path: "logo.png", After: []byte{0}},
		draft.Change{Path: "there.mdx", From: "here.mdx", Before: []byte("x\n"), After: []byte("x\n")})
	fine := map[string]string{"path": `"a.mdx"`, "line": "1", "body": `"?"`, "commit": `"` + headCommit + `"`}
	for name, c := range map[string]struct {
		with   map[string]string
		status int
		field  string
	}{
		"unknown file":        {map[string]string{"path": `"b.mdx"`}, 400, "path"},
		"path before":         {map[string]string{"path": `"here.mdx"`}, 400, "path"},
		"binary file":         {map[string]string{"path": `"logo.png"`}, 400, "path"},
		"no old side":         {map[string]string{"path": `"new.mdx"`, "side": `"old"`}, 400, "path"},
		"no such side":        {map[string]string{"side": `"left"`}, 400, "side"},
		"line 0":              {map[string]string{"line": "0"}, 400, "line"},
		"beyond the end":      {map[string]string{"line": "2"}, 400, "line"},
		"ends before":         {map[string]string{"endLine": "0"}, 400, "endLine"},
		"no text":             {map[string]string{"body": `" "`}, 400, "body"},
		"long text":           {map[string]string{"body": `"` + strings.Repeat("x", proposal.MaxBody+1) + `"`}, 400, "body"},
		"edit of the past":    {map[string]string{"side": `"old"`, "suggestion": `""`}, 400, "suggestion"},
		"edit with NUL":       {map[string]string{"suggestion": `"\u0000"`}, 400, "suggestion"},
		"another commit":      {map[string]string{"commit": `"abc"`}, 409, "commit"},
		"commit of no branch": {map[string]string{"commit": `""`}, 409, "commit"},
	} {
		fields := []string{}
		for k, v := range fine {
			if c.with[k] == "" {
				fields = append(fields, `"`+k+`":`+v)
			}
		}
		for k, v := range c.with {
			fields = append(fields, `"`+k+`":`+v)
		}
		got := w.do(t, review(x, "POST", "/comments", "{"+strings.Join(fields, ",")+"}")).want(t, c.status)
		if !strings.Contains(string(got.body), `"field":"`+c.field+`"`) {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	if got := w.comments(t, x); len(got) != 0 {
		t.Errorf("%v", got)
	}
	other := w.newTenant(t, "b", account.PlanFree)
	w.do(t, review(x, "PATCH", "/comments/"+other.comment.ID, `{"resolved":true}`)).want(t, 404)
	m.refuse = fault.New(fault.TooLarge, "changes_too_large", "Too many.")
	w.do(t, review(x, "POST", "/comments", `{"path":"a.mdx","line":1,"body":"?","commit":"`+headCommit+`"}`)).want(t, 413)
}

func TestApprovalAppliesToOneCommit(t *testing.T) {
	w, m, x := reviewed(t)
	approve := review(x, "POST", "/approve", `{"commit":"`+headCommit+`"}`)
	w.do(t, approve.as(x.members[account.RoleEditor])).want(t, 200)
	w.do(t, review(x, "POST", "/approve", `{"commit":"abc"}`)).want(t, 409)
	approvals := func() []any {
		return w.do(t, review(x, "GET", "", "")).want(t, 200).object(t)["approvals"].([]any)
	}
	got := approvals()
	if len(got) != 1 || got[0].(map[string]any)["author"] != x.members[account.RoleEditor].ID ||
		got[0].(map[string]any)["stale"] != false {
		t.Errorf("%v", got)
	}
	m.head = "d0ffee0000000000000000000000000000000000"
	if got := approvals()[0].(map[string]any); got["stale"] != true || got["commit"] != headCommit {
		t.Errorf("after another commit: %v", got)
	}
	m.refuse = fault.New(fault.TooLarge, "changes_too_large", "Too many.")
	w.do(t, review(x, "POST", "/approve", `{"commit":"`+m.head+`"}`).as(x.members[account.RoleEditor])).want(t, 200)
	m.refuse = nil
	if got := approvals(); len(got) != 1 || got[0].(map[string]any)["stale"] != false {
		t.Errorf("approved again: %v", got)
	}
	w.do(t, review(x, "POST", "/close", "")).want(t, 200)
	w.do(t, review(x, "POST", "/approve", `{"commit":"`+m.head+`"}`)).want(t, 409)
}

// The merger's refusals are reported, and its results are returned.
func TestProposalBranchCanBeEdited(t *testing.T) {
	w, m, x := reviewed(t, draft.Change{Path: "a.mdx", Before: []byte("one\n"), After: []byte("two\n")})
	apply := review(x, "POST", "/comments/"+x.comment.ID+"/apply", "")
	if got := w.do(t, apply).want(t, 200).object(t); got["appliedCommit"] != headCommit || got["resolvedBy"] != x.keyID {
		t.Errorf("%v", got)
	}
	w.do(t, review(x, "POST", "/comments/pc_aaaaaaaaaaaaaaaaaaaaaaaaaa/apply", "")).want(t, 404)
	w.do(t, review(x, "POST", "/keep", `{"files":["a.mdx"],"commit":"abc"}`)).want(t, 200)
	if got := strings.Join(m.kept, " "); got != "abc a.mdx" {
		t.Errorf("kept %s", got)
	}
	w.do(t, review(x, "POST", "/update", "")).want(t, 200)
	asks := []ask{apply, review(x, "POST", "/update", ""), review(x, "POST", "/keep", `{"files":["a.mdx"],"commit":"abc"}`)}
	for code, kind := range map[string]fault.Kind{"lines_changed": fault.Conflict, "no_suggestion": fault.Conflict,
		"agent_working": fault.Conflict, "no_change": fault.Invalid, "change_blocked": fault.Invalid,
		"git_failed": fault.Unavailable, "changes_too_large": fault.TooLarge} {
		m.refuse = fault.New(kind, code, "No.")
		status := map[fault.Kind]int{fault.Conflict: 409, fault.Invalid: 400, fault.Unavailable: 503, fault.TooLarge: 413}[kind]
		for _, a := range asks {
			if got := w.do(t, a).want(t, status); got.code(t) != code {
				t.Errorf("%s: %s", code, got.body)
			}
		}
	}
}

func TestCommentsAreSentToAgent(t *testing.T) {
	w, _, x := reviewed(t)
	send := review(x, "POST", "/send", "")
	if got := w.do(t, send).want(t, 200).object(t); got["id"] != x.agentJob.ID || got["status"] != "active" {
		t.Errorf("%v", got)
	}
	entries, err := w.store.ListAgentEntries(t.Context(), x.agentJob.ID, 0, 100)
	if err != nil || len(entries) < 2 {
		t.Fatal(entries, err)
	}
	// Anyone may have written the quoted line, so it is not part of the agent's instructions.
	said, about := entries[len(entries)-2], entries[len(entries)-1]
	if said.Kind != agentjob.Prompt || !strings.Contains(said.Text, "a.mdx, line 1:\nWhy?\nWrite instead:\nthree\n") ||
		strings.Contains(said.Text, "two") {
		t.Errorf("%+v", said)
	}
	if about.Kind != agentjob.Note || about.Code != agentjob.Given || about.Text != "a.mdx, line 1:\n> two\n" {
		t.Errorf("%+v", about)
	}
	w.do(t, review(x, "PATCH", "/comments/"+x.comment.ID, `{"resolved":true}`)).want(t, 200)
	if got := w.do(t, send).want(t, 409); got.code(t) != "no_comments" {
		t.Errorf("%s", got.body)
	}
	other := agentAsk(x, "POST", "/proposal/"+x.proposal.ID+"/send", "")
	if got := w.do(t, other).want(t, 409); got.code(t) != "no_agent_job" {
		t.Errorf("%s", got.body)
	}
	w.do(t, review(x, "POST", "/close", "")).want(t, 200)
	if got := w.do(t, send).want(t, 409); got.code(t) != "wrong_state" {
		t.Errorf("%s", got.body)
	}
}
