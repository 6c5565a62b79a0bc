package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func submitScene(t *testing.T) *rig {
	r := scene(t, nil)
	r.runner.Engines = func(string) (agent.Engine, error) { return agent.Engine{Submitted: true}, nil }
	return r
}

// submit stores an edit and lets a worker apply it.
func (r *rig) submit(jobID string, e agentjob.Edit) (agentjob.Job, string) {
	r.t.Helper()
	r.check(e.Check())
	calls, err := e.Calls()
	r.check(err)
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(t *store.Tx) error {
		_, err := t.SubmitEdit(ctx, agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID}, jobID,
			agentjob.Entry{Author: "key_1", Text: e.Prompt()}, calls)
		return err
	}))
	j, f := r.work()
	if f != nil {
		return j, f.Code
	}
	return j, ""
}

// An edit of a program elsewhere ends in the same proposal as an agent's work, and a further edit goes on its branch.
func TestSubmittedEditBecomesProposal(t *testing.T) {
	r := submitScene(t)
	j, code := r.submit("", agentjob.Edit{Title: "Fix a typo", Reason: "Water was misspelt.", Changes: []agentjob.EditChange{
		{Path: "guides/start.mdx", Old: new("watr"), New: new("water")},
		{Path: "more.mdx", Text: new("---\ntitle: More\n---\n\nMore.\n")}}})
	if code != "" || j.Status != agentjob.Completed || j.Outcome != agentjob.Changed || j.PRNumber != 1 || j.Model != agentjob.Submitted {
		t.Fatalf("%+v %s\n%s", j, code, r.record(j))
	}
	p := r.proposals()[0]
	if p.Title != "Fix a typo" || !strings.Contains(p.Body, "Water was misspelt.") || !strings.Contains(p.Body, "http://preview.localhost/") ||
		p.State != proposal.Open {
		t.Errorf("%+v", p)
	}
	changes, _, err := r.merger.Changes(context.Background(), p.ID)
	if err != nil || len(changes) != 2 {
		t.Errorf("%v, %v", changes, err)
	}
	j, code = r.submit(j.ID, agentjob.Edit{Title: "Say less", Reason: "It is long.", Changes: []agentjob.EditChange{
		{Path: "more.mdx", Delete: true}}})
	if code != "" || j.PRNumber != 1 || j.Round != 2 || r.commits(j.Ref) != "2" || len(r.proposals()) != 1 {
		t.Errorf("%+v %s\n%s", j, code, r.record(j))
	}
	err = r.Store.Tx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.SayToAgentJob(context.Background(), j.OrganizationID, j.ProjectID, j.ID, agentjob.Entry{Author: "key_1", Text: "And fix the rest"})
		return err
	})
	if !fault.HasCode(err, "no_engine") || !fault.HasCode(j.CheckRedo(), "no_engine") { // nobody is there to do it
		t.Errorf("a message to a job without an agent: %v", err)
	}
}

// G3, G6, G8: the rules for agents hold for edits of programs elsewhere.
func TestSubmittedEditIsRefused(t *testing.T) {
	many := agentjob.Edit{Title: "T", Reason: "R"}
	for i := range 40 { // more than a model may call at once
		many.Changes = append(many.Changes, agentjob.EditChange{Path: "index.mdx", Old: new("See" + strings.Repeat(".", i)),
			New: new("See" + strings.Repeat(".", i+1))})
	}
	one := func(c agentjob.EditChange) agentjob.Edit {
		return agentjob.Edit{Title: "T", Reason: "R", Changes: []agentjob.EditChange{c}}
	}
	for name, c := range map[string]struct {
		edit agentjob.Edit
		want string
	}{
		"broken link":       {one(agentjob.EditChange{Path: "index.mdx", Text: new("---\ntitle: W\n---\n\n[x](/none)\n")}), "checks_failed"},
		"workflow":          {one(agentjob.EditChange{Path: ".github/workflows/x.yml", Text: new("on: push\n")}), "edit_refused"},
		"outside":           {one(agentjob.EditChange{Path: "../x.mdx", Text: new("x")}), "edit_refused"},
		"text is not there": {one(agentjob.EditChange{Path: "index.mdx", Old: new("gone"), New: new("x")}), "edit_refused"},
		"script": {one(agentjob.EditChange{Path: "index.mdx",
			Text: new("---\ntitle: W\n---\n\n<script>alert(1)</script>\n")}), "change_blocked"},
		"nothing":      {one(agentjob.EditChange{Path: "guides/start.mdx", Old: new("watr"), New: new("watr")}), ""},
		"many changes": {many, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := submitScene(t)
			j, code := r.submit("", c.edit)
			if code != c.want || (len(r.proposals()) == 1) != (name == "many changes") {
				t.Errorf("%q, want %q: %+v\n%s", code, c.want, j, r.record(j))
			}
		})
	}
}
