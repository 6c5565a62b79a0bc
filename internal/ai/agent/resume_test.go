package agent_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// dying makes an attempt end at a step as if it had been killed there.
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

// G7: a change that is undone after it was pushed is removed from the branch.
func TestUndoAfterPushRemovesChangeFromBranch(t *testing.T) {
	back := calling("edit", `{"path": "guides/start.mdx", "old": "water", "new": "watr"}`, "finish",
		`{"title": "Undo", "summary": "Taken back."}`)
	for _, step := range []string{"pushed", "push recorded", "proposed", "proposal recorded"} {
		t.Run(step, func(t *testing.T) {
			r := scene(t, &script{answers: append(fixing(), back)})
			j := r.start("Fix the typo")
			r.dying(step)
			r.send(j, "Undo that")
			got, f := r.work()
			if f != nil || got.Status != agentjob.Completed {
				t.Fatalf("%+v %v\n%s", got, f, r.record(got))
			}
			diff, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "diff", "main", got.Ref).
				CombinedOutput()
			if err != nil || len(diff) > 0 {
				t.Errorf("%v: %s", err, diff)
			}
			if opened := strings.HasPrefix(step, "propos"); opened != (got.PRLink != "") || len(r.proposals()) > 1 {
				t.Errorf("%q %+v", got.PRLink, r.proposals())
			}
		})
	}
}

// commit adds a file to a branch of the project's repository, the way a person would.
func (r *rig) commit(branch, name, text string) string {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "w")
	for _, args := range [][]string{{"clone", "-q", "-b", branch, local.Path(r.Source.Own, r.p.ID), dir},
		{"-C", dir, "add", "."},
		{"-C", dir, "-c", "user.name=P", "-c", "user.email=p@example.com", "commit", "-qm", "Mine"},
		{"-C", dir, "push", "-q"}} {
		if args[2] == "add" {
			r.check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			r.t.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

// G3: a commit that a person adds to the branch between a crash and the next attempt is kept, and the next round builds
// on it.
func TestPersonsCommitSurvivesCrash(t *testing.T) {
	more := calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`, "finish",
		`{"title": "T", "summary": "S"}`)
	r := scene(t, &script{answers: append(fixing(), more, more)})
	j := r.start("Fix the typo")
	r.dying("pushed")
	r.commit(agentjob.Branch(j.ID, "Fix the typo"), "mine.mdx", "---\ntitle: Mine\n---\n")
	got, f := r.work()
	if f == nil || f.Code != "branch_moved" {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
	r.send(j, "Go on")
	if got, f = r.work(); f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	list, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	if err != nil || len(list) != 3 || list[2].Path != "mine.mdx" {
		t.Errorf("%v %v", list, err)
	}
}

// G7: a pull request that an attempt opened before it died, and that was merged before the next attempt, belongs to the
// job.
func TestPullRequestMergedBeforeRecordingBelongsToJob(t *testing.T) {
	r := scene(t, &script{answers: fixing()})
	r.start("Fix the typo")
	r.dying("proposed")
	if _, err := r.merger.Merge(context.Background(), r.proposals()[0].ID, "key_1", ""); err != nil {
		t.Fatal(err)
	}
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 || got.PRState != agentjob.PullMerged ||
		got.PRLink == "" {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
}

// G9: when calls are replayed, the changes that a command made are applied instead of running it, before the calls that
// build on them.
func TestShellChangesAreReplayedInOrder(t *testing.T) {
	answers := []llm.Completion{
		calling("shell", `{"command": "x"}`, "edit",
			`{"path": "guides/start.mdx", "old": "Boil tea.", "new": "Boil hot tea."}`),
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
	list, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	if err != nil || len(list) != 1 || !strings.Contains(string(list[0].After), "Boil hot tea.") {
		t.Errorf("%v %v", list, err)
	}
}

// G7: a merge event that arrives before the pull request is recorded is kept.
func TestMergeEventBeforeRecordIsKept(t *testing.T) {
	r := scene(t, &script{answers: fixing()})
	r.start("Fix the typo")
	r.runner.Reached = func(step string) {
		if step == "proposed" {
			if _, err := r.merger.Merge(context.Background(), r.proposals()[0].ID, "key_1", ""); err != nil {
				t.Error(err)
			}
		}
	}
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 || got.PRState != agentjob.PullMerged || got.PRLink == "" {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
}

// G1: the time during which no worker had the job does not count towards its budget.
func TestTimeWithoutWorkerDoesNotCount(t *testing.T) {
	r := scene(t, &script{answers: fixing()})
	r.start("Fix the typo")
	r.dying("worked")
	r.Advance(24 * time.Hour)
	if got, f := r.work(); f != nil || got.Status != agentjob.Completed {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
}

// G9: after a failed round, the model gets a note that its changes are lost; the conversation alone would suggest that
// they still exist.
func TestModelLearnsThatFailedRoundLostItsChanges(t *testing.T) {
	answers := append(fixing()[:2:2], llm.Completion{Text: "I will not.", Stop: llm.Refused}, fixing()[1],
		fixing()[3])
	for i := range answers[3].Calls {
		answers[3].Calls[i].ID += "-2"
	}
	model := &script{answers: answers}
	r := scene(t, model)
	j := r.start("Fix the typo")
	if _, f := r.work(); f == nil {
		t.Fatal("the round did not fail")
	}
	r.send(j, "Do it all the same")
	got, f := r.work()
	if f != nil || got.PRNumber != 1 {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	turns := model.asked[3].Turns
	if text := turns[len(turns)-1].Text; !strings.Contains(text, "were lost") ||
		!strings.Contains(text, "Do it all the same") {
		t.Errorf("it got %q", text)
	}
	r.send(j, "And again")
	_, _ = r.work()
	turns = model.asked[len(model.asked)-1].Turns
	if text := turns[len(turns)-1].Text; strings.Contains(text, "not kept") {
		t.Errorf("it got %q", text)
	}
}

// G7: the server notices that a pull request was merged or closed without an event before it calls the model.
func TestPullRequestStateIsCheckedBeforeRound(t *testing.T) {
	model := &script{answers: fixing()}
	r := scene(t, model)
	j := r.start("Fix the typo")
	r.work()
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(tx *store.Tx) error { // without notifying the job
		_, err := tx.MoveProposal(ctx, r.proposals()[0], proposal.Closed, "key_1", "")
		return err
	}))
	r.send(j, "And more")
	got, _ := r.work()
	if said := r.record(got); !strings.Contains(said, "note pull_closed: ") || !strings.Contains(said, "note new_branch: ") ||
		got.PRNumber != 0 || got.Ref != agentjob.NextBranch(j.ID, "Fix the typo", 2) {
		t.Errorf("%+v\n%s", got, said)
	}
}

// J2: a refusal by the model ends the job even after a crash.
func TestRefusalSurvivesCrash(t *testing.T) {
	r := scene(t, &script{answers: []llm.Completion{fixing()[1], {Text: "I will not.", Stop: llm.Refused}}})
	r.start("Do harm")
	answers := 0
	r.runner.Reached = func(s string) {
		if s == "answered" {
			if answers++; answers == 2 {
				r.runner.Reached = nil
				panic("killed")
			}
		}
	}
	func() {
		defer func() { _ = recover() }()
		r.work()
	}()
	r.lapse()
	if got, f := r.work(); f == nil || f.Code != "model_refused" || got.Status != agentjob.Failed ||
		len(r.branches()) != 0 {
		t.Errorf("%+v %v\n%s", got, f, r.record(got))
	}
}

// J3, G7: a job that is archived while its changes are checked pushes nothing; one archived while it pushes opens no
// pull request.
func TestArchivedJobProposesNothing(t *testing.T) {
	for step, branches := range map[string]int{"checked": 0, "pushed": 1} {
		t.Run(step, func(t *testing.T) {
			r := scene(t, &script{answers: fixing()})
			j := r.start("Fix the typo")
			ctx := context.Background()
			r.runner.Reached = func(s string) {
				if s == step {
					r.check(r.Store.Tx(ctx, func(tx *store.Tx) error {
						_, err := tx.ArchiveAgentJob(ctx, r.Organization.ID, r.p.ID, j.ID)
						return err
					}))
				}
			}
			tk, _, err := r.Store.TakeTask(ctx, "test", worktest.Lease, false, task.Agent)
			r.check(err)
			if err := r.runner.Run(ctx, hold(tk)); !errors.As(err, new(task.Lost)) {
				t.Errorf("it ended with %v", err)
			}
			if len(r.branches()) != branches || len(r.proposals()) != 0 {
				t.Errorf("%v %v", r.branches(), r.proposals())
			}
		})
	}
}

// A code host token that is valid for an hour is renewed before a long round pushes.
func TestLongRoundRenewsCodeHostToken(t *testing.T) {
	r := scene(t, &script{answers: fixing()})
	opened, places := 0, r.runner.Places
	r.runner.Places = func(ctx context.Context, p project.Project) (agent.Place, error) {
		opened++
		return places(ctx, p)
	}
	r.runner.Limits.Time = 2 * time.Hour
	r.runner.Reached = func(s string) {
		if s == "worked" {
			r.Advance(20 * time.Minute)
		}
	}
	r.start("Fix the typo")
	if got, f := r.work(); f != nil || got.PRNumber != 1 || opened != 2 {
		t.Errorf("opened %d times: %+v %v", opened, got, f)
	}
}

// G9: calls that are repeated after midnight keep their original date.
func TestRepeatedCallKeepsItsDate(t *testing.T) {
	r := newRig(t, worktest.New(t), &script{answers: []llm.Completion{
		calling("maintain", `{"task": "add_changelog_entry", "text": "Quieter"}`),
		calling("finish", `{"title": "Note a change", "summary": "Added an entry to the changelog."}`)}})
	all := files()
	all["changelog.mdx"] = "---\ntitle: Changelog\n---\n\n<Update label=\"2020-01-02\">\n  - First\n</Update>\n"
	r.dir = worktest.Write(t, all)
	r.p = r.Project(t, "docs.example.com", project.Source{Path: r.dir})
	now := r.Now().UTC()
	r.Advance(now.Truncate(24 * time.Hour).Add(24*time.Hour - worktest.Lease).Sub(now)) // the lease expires after midnight
	j := r.start("Add a changelog entry")
	r.dying("worked")
	entries, err := r.Store.ListAgentEntries(context.Background(), j.ID, 0, 100)
	r.check(err)
	date := ""
	for _, e := range entries {
		if e.Kind == agentjob.Answer {
			date = e.At.UTC().Format(time.DateOnly)
		}
	}
	got, f := r.work()
	if f != nil || got.Outcome != agentjob.Changed {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	text, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "show", got.Ref+":changelog.mdx").CombinedOutput()
	if want := `<Update label="` + date + `">`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("no %s in %s, %v", want, text, err)
	}
}
