package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// redo requests that the job repeat all its work.
func (r *rig) redo(j agentjob.Job) {
	r.t.Helper()
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(t *store.Tx) error {
		_, err := t.RedoAgentJob(ctx, r.Organization.ID, r.p.ID, j.ID, "key_1")
		return err
	}))
}

// write changes a file of the project's source, the way a person would.
func (r *rig) write(name, text string) {
	r.t.Helper()
	r.check(os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600))
}

// conflicting returns a rig whose job has a pull request from two rounds that conflicts with the source.
func conflicting(t *testing.T, again ...llm.Completion) (*rig, *script, agentjob.Job) {
	t.Helper()
	model := &script{answers: append(append(fixing(), calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`,
		"finish", `{"title": "Say read", "summary": "Reads better."}`)), again...)}
	r := scene(t, model)
	j := r.start("Fix the typo")
	r.work()
	r.send(j, "Also say read instead of see")
	got, f := r.work()
	if f != nil {
		t.Fatalf("%v\n%s", f, r.record(got))
	}
	r.write("guides/start.mdx", "---\ntitle: Start\n---\n\nBoil much watr.\n\n[Gone](/nowhere)\n")
	if _, err := r.merger.Merge(context.Background(), r.proposals()[0].ID, "key_1", ""); !fault.HasCode(err, "merge_conflict") {
		t.Fatalf("it does not conflict: %v", err)
	}
	return r, model, got
}

// redone makes both changes again, on the newest files. The script counts answers, so these come after two earlier
// rounds.
func redone() []llm.Completion {
	return []llm.Completion{
		calling("edit", `{"path": "guides/start.mdx", "old": "much watr", "new": "much water"}`,
			"edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`),
		calling("finish", `{"title": "Fix a typo", "summary": "Water was misspelt."}`),
	}
}

// G3, G7: a redo replaces the branch of a conflicting pull request, no matter when the server is killed, and the pull
// request can then be merged. The model gets people's requests in order, and its own final answer in each round.
func TestRedoReplacesBranchOnNewestBase(t *testing.T) {
	for _, step := range []string{"", "fetched", "answered", "worked", "pushed", "push recorded", "proposed"} {
		t.Run(step, func(t *testing.T) {
			r, model, j := conflicting(t)
			model.answers = append(make([]llm.Completion, 2), redone()...)
			model.asked = nil
			r.redo(j)
			if step != "" {
				r.dying(step)
			}
			got, f := r.work()
			if f != nil || got.Status != agentjob.Completed || got.Outcome != agentjob.Changed || got.Ref != j.Ref ||
				got.PRNumber != 1 || got.HeadCommit == j.HeadCommit || got.HeadCommit != r.tip(j.Ref) || r.commits(j.Ref) != "1" {
				t.Fatalf("%+v %v\n%s", got, f, r.record(got))
			}
			turns := model.asked[0].Turns
			if len(turns) != 5 || !strings.HasSuffix(turns[0].Text, "Fix the typo") || turns[1].Text != "Water was misspelt." ||
				turns[2].Text != "Also say read instead of see" || turns[3].Text != "Reads better." ||
				turns[4].Text != agentjob.RedoText {
				t.Errorf("the model got %+v", turns)
			}
			p := r.proposals()
			if len(p) != 1 || p[0].State != proposal.Open || strings.Count(p[0].Body, "Water was misspelt.") != 1 ||
				strings.Contains(p[0].Body, "Reads better.") {
				t.Errorf("%+v", p)
			}
			if _, err := r.merger.Merge(context.Background(), p[0].ID, "key_1", ""); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(filepath.Join(r.dir, "guides/start.mdx")); !strings.Contains(string(text), "Boil much water.") {
				t.Errorf("the source has %q", text)
			}
		})
	}
}

// G3: a branch with somebody else's commit is not replaced, whether that commit is the newest one or below one of ours.
func TestRedoNeverReplacesForeignCommits(t *testing.T) {
	t.Run("on top", func(t *testing.T) {
		r, model, j := conflicting(t)
		r.commit(j.Ref, "mine.mdx", "---\ntitle: Mine\n---\n")
		tip, asked := r.tip(j.Ref), len(model.asked)
		r.redo(j)
		got, f := r.work()
		if f == nil || f.Code != "foreign_commits" || !strings.Contains(f.Sentence(), tip[:12]) || !strings.Contains(f.Sentence(), " by P") ||
			got.Status != agentjob.Failed || r.tip(j.Ref) != tip || len(model.asked) != asked {
			t.Errorf("%+v %v", got, f)
		}
	})
	t.Run("below", func(t *testing.T) {
		more := calling("edit", `{"path": "index.mdx", "old": "Read", "new": "Study"}`, "finish", `{"title": "T", "summary": "S"}`)
		r, _, j := conflicting(t, more)
		r.commit(j.Ref, "mine.mdx", "---\ntitle: Mine\n---\n")
		r.send(j, "Say study")
		if got, f := r.work(); f != nil {
			t.Fatalf("%+v %v\n%s", got, f, r.record(got))
		}
		tip := r.tip(j.Ref)
		r.redo(j)
		if got, f := r.work(); f == nil || f.Code != "foreign_commits" || r.tip(j.Ref) != tip {
			t.Errorf("%+v %v", got, f)
		}
	})
	t.Run("meanwhile", func(t *testing.T) {
		r, model, j := conflicting(t)
		model.answers = append(make([]llm.Completion, 2), redone()...)
		r.redo(j)
		r.runner.Reached = func(step string) {
			if step == "checked" {
				r.commit(j.Ref, "mine.mdx", "---\ntitle: Mine\n---\n")
			}
		}
		if got, f := r.work(); f == nil || f.Code != "branch_moved" || r.commits(j.Ref) != "3" {
			t.Errorf("%+v %v", got, f)
		}
	})
}

// A redo that finds nothing left to change does not touch the branch and reports that; a redo after the pull request
// was closed fails.
func TestRedoWithoutChangesKeepsBranch(t *testing.T) {
	r, model, j := conflicting(t)
	model.answers = append(make([]llm.Completion, 2),
		calling("finish", `{"title": "Nothing", "summary": "Both are done.", "outcome": "nothing_to_do"}`))
	r.redo(j)
	got, f := r.work()
	if f != nil || got.Outcome != agentjob.NothingToDo || r.tip(j.Ref) != j.HeadCommit || r.proposals()[0].State != proposal.Open ||
		!strings.Contains(r.record(got), "close the pull request") {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
	r.redo(j)
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(tx *store.Tx) error { // without notifying the job
		_, err := tx.MoveProposal(ctx, r.proposals()[0], proposal.Closed, "key_1", "")
		return err
	}))
	if got, f := r.work(); f == nil || f.Code != "pull_closed" || r.tip(j.Ref) != j.HeadCommit {
		t.Errorf("%+v %v", got, f)
	}
}

// The built-in model repeats all chores on a redo.
func TestRedoRunsChoresAgain(t *testing.T) {
	r := scene(t, rules.Model{})
	r.write("guides/start.mdx", "---\ntitle: Start\n---\n\nBoil water.\n\n[Home](/indx)\n\n![](/pot.png)\n")
	j := r.start("fix broken links")
	r.work()
	r.send(j, "rename water to tea")
	got, f := r.work()
	if f != nil || got.PRNumber != 1 {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	r.write("guides/start.mdx", "---\ntitle: Start\n---\n\nBoil cold water.\n\n[Home](/indx) and [back](/indx)\n")
	r.redo(j)
	got, f = r.work()
	if f != nil || got.Outcome != agentjob.Changed || r.commits(got.Ref) != "1" {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	changes, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	r.check(err)
	text := ""
	for _, c := range changes {
		if c.Path == "guides/start.mdx" {
			text = string(c.After)
		}
	}
	if !strings.Contains(text, "Boil cold tea.\n\n[Home](/) and [back](/)\n") {
		t.Errorf("it proposes %q\n%s", text, r.record(got))
	}
}
