package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/agentjob"
	"github.com/lectern-docs/lectern/internal/draft"
	"github.com/lectern-docs/lectern/internal/forge/local"
	"github.com/lectern-docs/lectern/internal/llm"
)

// dying lets an attempt end at a step as if it had been killed there.
func (r *rig) dying(step string) {
	r.t.Helper()
	r.runner.Reached = func(s string) {
		if s == step {
			r.runner.Reached = nil
			panic("killed")
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				r.t.Fatalf("%s was not reached", step)
			}
		}()
		r.work()
	}()
	r.lapse()
}

// G7: what is taken back after it was pushed does not stay on the branch.
func TestWhatWasPushedCanBeTakenBack(t *testing.T) {
	back := calling("edit", `{"path": "guides/start.mdx", "old": "water", "new": "watr"}`, "finish", `{"title": "Undo", "summary": "Taken back."}`)
	for _, step := range []string{"pushed", "push recorded", "proposed", "proposal recorded"} {
		t.Run(step, func(t *testing.T) {
			r := scene(t, &script{answers: append(mending(), back)})
			j := r.start("Fix the typo")
			r.dying(step)
			r.say(j, "Undo that")
			got, f := r.work()
			if f != nil || got.Status != agentjob.Completed {
				t.Fatalf("%+v %v\n%s", got, f, r.record(got))
			}
			diff, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "diff", "main", got.Ref).CombinedOutput()
			if err != nil || len(diff) > 0 {
				t.Errorf("%v: %s", err, diff)
			}
			if opened := strings.HasPrefix(step, "propos"); opened != (got.PRLink != "") || len(r.proposals()) > 1 {
				t.Errorf("%q %+v", got.PRLink, r.proposals())
			}
		})
	}
}

// commit puts a file on a branch of the project's repository, as a person does.
func (r *rig) commit(branch, name, text string) string {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "w")
	for _, args := range [][]string{{"clone", "-q", "-b", branch, local.Path(r.Source.Own, r.p.ID), dir}, {"-C", dir, "add", "."},
		{"-C", dir, "-c", "user.name=P", "-c", "user.email=p@example.com", "commit", "-qm", "Mine"}, {"-C", dir, "push", "-q"}} {
		if args[2] == "add" {
			r.check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			r.t.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

// G3: what a person puts on the branch between a crash and the next attempt stays there; the next round goes on from it.
func TestAPersonsCommitSurvivesACrash(t *testing.T) {
	more := calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`, "finish", `{"title": "T", "summary": "S"}`)
	r := scene(t, &script{answers: append(mending(), more, more)})
	j := r.start("Fix the typo")
	r.dying("pushed")
	r.commit(agentjob.Branch(j.ID, "Fix the typo"), "mine.mdx", "---\ntitle: Mine\n---\n")
	got, f := r.work()
	if f == nil || f.Code != "branch_moved" {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
	r.say(j, "Go on")
	if got, f = r.work(); f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	list, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	if err != nil || len(list) != 3 || list[2].Path != "mine.mdx" {
		t.Errorf("%v %v", list, err)
	}
}

// G7: a pull request that was opened by an attempt that died, and merged before the next, is the job's.
func TestAPullRequestMergedBeforeItWasRecorded(t *testing.T) {
	r := scene(t, &script{answers: mending()})
	r.start("Fix the typo")
	r.dying("proposed")
	if _, err := r.merger.Merge(context.Background(), r.proposals()[0].ID, "key_1", ""); err != nil {
		t.Fatal(err)
	}
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 || got.PRState != agentjob.PullMerged || got.PRLink == "" {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
}

// G9: what a command changed comes in its place when calls are made again, before the calls that build on it.
func TestACommandsChangesAreRepeatedInTheirPlace(t *testing.T) {
	answers := []llm.Answer{
		calling("shell", `{"command": "x"}`, "edit", `{"path": "guides/start.mdx", "old": "Boil tea.", "new": "Boil hot tea."}`),
		calling("finish", `{"title": "T", "summary": "S"}`),
	}
	r := scene(t, &script{answers: answers})
	runs := 0
	r.runner.Shell = func(_ context.Context, _ string, tree *draft.Tree) (string, []draft.Change, error) {
		runs++
		text, err := tree.ReadFile("guides/start.mdx")
		text = []byte(strings.ReplaceAll(string(text), "watr", "tea"))
		return "", []draft.Change{{Path: "guides/start.mdx", After: text}}, err
	}
	j := r.start("Fix the typo")
	r.dying("worked")
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || runs != 1 || j.ID != got.ID {
		t.Fatalf("%d runs: %+v %v\n%s", runs, got, f, r.record(got))
	}
	list, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	if err != nil || len(list) != 1 || !strings.Contains(string(list[0].After), "Boil hot tea.") {
		t.Errorf("%v %v", list, err)
	}
}
