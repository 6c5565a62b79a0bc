package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func submitScene(t *testing.T) *rig {
	r := scene(t, nil)
	r.runner.Engines = func(string) (agent.Engine, error) { return agent.Engine{Submitted: true}, nil }
	return r
}

// submit stores an edit and lets a worker apply it.
func (r *rig) submit(jobID string, e agentjob.Edit) (agentjob.Job, string) {
	r.t.Helper()
	return r.submitAs(agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID}, jobID, e)
}

// again submits another edit to an existing job.
func (r *rig) again(jobID string, e agentjob.Edit) (j agentjob.Job, err error) {
	r.t.Helper()
	return r.store(agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID}, jobID, e)
}

func (r *rig) store(want agentjob.Job, jobID string, e agentjob.Edit) (j agentjob.Job, err error) {
	r.t.Helper()
	r.check(e.Check())
	calls, err := e.Calls()
	r.check(err)
	ctx := context.Background()
	err = r.Store.Tx(ctx, func(t *store.Tx) error {
		j, err = t.SubmitEdit(ctx, want, jobID, agentjob.Entry{Author: "key_1", Text: e.Prompt()}, calls)
		return err
	})
	return j, err
}

func (r *rig) submitAs(want agentjob.Job, jobID string, e agentjob.Edit) (agentjob.Job, string) {
	r.t.Helper()
	_, err := r.store(want, jobID, e)
	r.check(err)
	j, f := r.work()
	if f != nil {
		return j, f.Code
	}
	return j, ""
}

// An edit by an external program ends in the same kind of proposal as an agent's work, and a further edit is added to
// its branch.
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
	if !fault.HasCode(err, "no_engine") || !fault.HasCode(j.CheckRedo(), "no_engine") { // the job has no agent
		t.Errorf("a message to a job without an agent: %v", err)
	}
}

// G3, G6, G8: the rules for agents also apply to edits by external programs.
func TestSubmittedEditFollowsAgentRules(t *testing.T) {
	many := agentjob.Edit{Title: "T", Reason: "R"}
	for i := range 40 { // more calls than a model may make at once
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

// dryRun stores an edit as a dry run and lets a worker apply it.
func (r *rig) dryRun(e agentjob.Edit) (agentjob.Job, string) {
	r.t.Helper()
	return r.submitAs(agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID, DryRun: true}, "", e)
}

// note returns the text of the newest note with a code in a job's record, or "" if there is none.
func (r *rig) note(j agentjob.Job, code string) (text string) {
	r.t.Helper()
	list, err := r.Store.ListAgentEntries(context.Background(), j.ID, 0, 1000)
	r.check(err)
	for _, e := range list {
		if e.Kind == agentjob.Note && e.Code == code {
			text = e.Text
		}
	}
	return text
}

// untouched fails if anything was pushed or proposed, or is recorded as pushed or proposed.
func (r *rig) untouched(j agentjob.Job) {
	r.t.Helper()
	if len(r.branches()) != 0 || len(r.proposals()) != 0 || j.PRLink != "" || j.Ref != "" || j.HeadCommit != "" {
		r.t.Errorf("branches %v, %d proposals, %+v", r.branches(), len(r.proposals()), j)
	}
}

// A dry run of an edit does everything except the push, and its record contains the proposal and the patch.
func TestDryRunProposesNothing(t *testing.T) {
	r := submitScene(t)
	previews := 0
	r.runner.Preview = func(context.Context, project.Project, string, string) (string, error) { previews++; return "", nil }
	edit := agentjob.Edit{Title: "Fix a typo", Reason: "Water was misspelt. See https://new.example/x.", Changes: []agentjob.EditChange{
		{Path: "guides/start.mdx", Old: new("watr"), New: new("[water](https://new.example/x)")},
		{Path: "more.mdx", Text: new("---\ntitle: More\n---\n\nMore.\n")}}}
	j, code := r.dryRun(edit)
	if code != "" || j.Status != agentjob.Completed || j.Outcome != agentjob.WouldChange || j.Title != "Fix a typo" {
		t.Fatalf("%+v %s\n%s", j, code, r.record(j))
	}
	if r.untouched(j); previews != 0 {
		t.Error("a dry run has a preview")
	}
	for _, want := range []string{"Dry run: nothing was pushed", `branch main, with the title "Fix a typo"`, "Water was misspelt.",
		"`guides/start.mdx` changed", "no new errors", "new.example"} {
		if said := r.note(j, agentjob.DryRun); !strings.Contains(said, want) {
			t.Errorf("%q is missing: %s", want, said)
		}
	}
	patch := r.note(j, agentjob.Patch)
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = worktest.Write(t, files()), strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git does not apply the patch: %v: %s\n%s", err, out, patch)
	}
	if text, err := os.ReadFile(filepath.Join(cmd.Dir, "guides", "start.mdx")); err != nil || !strings.Contains(string(text), "Boil [water]") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := r.again(j.ID, edit); !fault.HasCode(err, "dry_run") {
		t.Errorf("an edit that continues a dry run: %v", err)
	}
	if real, code := r.submit("", edit); code != "" || real.PRNumber != 1 || previews != 1 { // the same edit, proposed
		t.Errorf("%+v %s", real, code)
	}
}

// A dry run of an edit that could not be proposed ends with the same error as the edit; an edit without effect ends
// with the outcome "nothing to do".
func TestDryRunFailsLikeTheEdit(t *testing.T) {
	for name, c := range map[string]struct {
		change agentjob.EditChange
		code   string
		came   agentjob.Outcome
	}{
		"broken link": {agentjob.EditChange{Path: "index.mdx", Text: new("---\ntitle: W\n---\n\n[x](/none)\n")}, "checks_failed", agentjob.Broken},
		"workflow":    {agentjob.EditChange{Path: ".github/workflows/x.yml", Text: new("on: push\n")}, "edit_refused", agentjob.Broken},
		"script": {agentjob.EditChange{Path: "index.mdx", Text: new("---\ntitle: W\n---\n\n<script>alert(1)</script>\n")},
			"change_blocked", agentjob.Broken},
		"nothing": {agentjob.EditChange{Path: "guides/start.mdx", Old: new("watr"), New: new("watr")}, "", agentjob.NothingToDo},
	} {
		t.Run(name, func(t *testing.T) {
			r := submitScene(t)
			j, code := r.dryRun(agentjob.Edit{Title: "T", Reason: "R", Changes: []agentjob.EditChange{c.change}})
			if code != c.code || j.Outcome != c.came || r.note(j, agentjob.Patch) != "" {
				t.Errorf("%q: %+v\n%s", code, j, r.record(j))
			}
			r.untouched(j)
		})
	}
}

// A message to a dry run continues it as a dry run from the base branch, and the agent learns that its earlier changes
// were not kept.
func TestMessageContinuesADryRun(t *testing.T) {
	model := &script{answers: append(fixing(), fixing()[1:]...)}
	r := scene(t, model)
	ctx := context.Background()
	var j agentjob.Job
	r.check(r.Store.Tx(ctx, func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(ctx, agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID,
			Repository: "file://" + r.dir, Model: "scripted", DryRun: true}, agentjob.Entry{Author: "key_1", Text: "Fix the typo"})
		return err
	}))
	j, f := r.work()
	first := r.note(j, agentjob.Patch)
	if f != nil || j.Outcome != agentjob.WouldChange || !strings.Contains(first, "+Boil water.") {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	r.send(j, "Say it again")
	j, f = r.work()
	if f != nil || j.Outcome != agentjob.WouldChange || j.Round != 2 || r.note(j, agentjob.Patch) != first {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	turns := model.asked[len(model.asked)-1].Turns
	if !slices.ContainsFunc(turns, func(t llm.Turn) bool { return strings.Contains(t.Text, "This is a dry run") }) {
		t.Errorf("the model does not know that its changes are gone: %+v", turns)
	}
	if err := j.CheckRedo(); !fault.HasCode(err, "no_open_pull") {
		t.Errorf("a redo of a dry run: %v", err)
	}
	r.untouched(j)
}
