package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func TestPromptBecomesPullRequest(t *testing.T) {
	model := &script{answers: fixing()}
	r := scene(t, model)
	made := r.start("Fix the typo on the start page")
	j, f := r.work()
	if f != nil || j.Status != agentjob.Completed || j.Error != "" || j.Title != "Fix a typo" ||
		j.Summary != "Water was misspelt." || j.PRNumber != 1 || j.PRState != agentjob.PullOpen {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	if want := agentjob.Branch(made.ID, "Fix the typo on the start page"); j.Ref != want || len(r.branches()) != 1 ||
		r.branches()[0] != want || r.commits(want) != "1" {
		t.Errorf("branch %s, %v", j.Ref, r.branches())
	}
	if j.Used.Steps != 4 || j.Used.InputTokens != 400 || j.Used.OutputTokens != 40 || j.Used.CostMicros != 4*(300+150) {
		t.Errorf("used %+v", j.Used)
	}
	p := r.proposals()
	if len(p) != 1 || j.PRLink != "http://localhost/dashboard/projects/"+p[0].ProjectID+"/proposals/"+p[0].ID ||
		p[0].Title != "Fix a typo" || p[0].Draft {
		t.Fatalf("%+v", p)
	}
	for _, want := range []string{"Water was misspelt.", "`guides/start.mdx` changed", "3 pages",
		"existing findings: 1", "http://preview.localhost/" + j.Ref, j.ID} {
		if !strings.Contains(p[0].Body, want) {
			t.Errorf("the text lacks %q:\n%s", want, p[0].Body)
		}
	}
	list, _, err := r.merger.Changes(context.Background(), p[0].ID)
	if err != nil || len(list) != 1 || !strings.Contains(string(list[0].After), "Boil water.") {
		t.Errorf("%v %v", list, err)
	}
	first := model.asked[0]
	if len(first.Tools) == 0 || !strings.Contains(first.Turns[0].Text, "Write short sentences.") ||
		!strings.Contains(first.Turns[0].Text, "Fix the typo") ||
		strings.Contains(first.Instructions, "short sentences") {
		t.Errorf("%+v", first)
	}
	if text, _ := os.ReadFile(filepath.Join(r.dir, "guides/start.mdx")); !strings.Contains(string(text), "watr") {
		t.Error("the source changed before the merge")
	}
}

// G7: a job without changes completes with an answer and without a pull request.
func TestJobWithoutChangesCompletesWithoutPullRequest(t *testing.T) {
	for name, answers := range map[string][]llm.Completion{
		"finish": {calling("finish", `{"title": "Nothing", "summary": "All is well.", "outcome": "nothing_to_do"}`)},
		"words":  {{Text: "All is well.", Stop: llm.Done}},
		"undone": {calling("edit", `{"path": "index.mdx", "old": "See", "new": "x"}`), calling("edit",
			`{"path": "index.mdx", "old": "x [", "new": "See ["}`), {Text: "All is well.", Stop: llm.Done}},
		"failing": {calling("write", `{"path": "../x", "text": "x"}`, "nonsense", `{`),
			{Text: "All is well.", Stop: llm.Done}},
	} {
		t.Run(name, func(t *testing.T) {
			r := scene(t, &script{answers: answers})
			r.start("Look")
			j, f := r.work()
			said, _ := agentjob.CutLabel(j.Summary)
			if f != nil || j.Status != agentjob.Completed || j.PRLink != "" || said != "All is well." ||
				len(r.proposals()) != 0 || len(r.branches()) != 0 {
				t.Errorf("%+v %v\n%s", j, f, r.record(j))
			}
		})
	}
}

// G8: errors that break the site go back to the model; no pull request is opened until they are fixed.
func TestBrokenSiteIsFixedOrJobFails(t *testing.T) {
	broken := calling("edit", `{"path": "index.mdx", "old": "/guides/start", "new": "/guides/stort"}`, "finish",
		`{"title": "T", "summary": "S"}`)
	t.Run("fixed", func(t *testing.T) {
		model := &script{answers: []llm.Completion{broken,
			calling("edit", `{"path": "index.mdx", "old": "/guides/stort", "new": "/guides/start#x"}`, "edit",
				`{"path": "guides/start.mdx", "old": "[Gone]", "new": "## X\n\n[Gone]"}`, "finish",
				`{"title": "T", "summary": "S"}`)}}
		r := scene(t, model)
		r.start("Improve links")
		j, f := r.work()
		if f != nil || j.Status != agentjob.Completed || j.PRNumber != 1 {
			t.Fatalf("%+v %v\n%s", j, f, r.record(j))
		}
		last := model.asked[1].Turns
		if text := last[len(last)-1].Text; !strings.Contains(text, "/guides/stort") {
			t.Errorf("the model got %q", text)
		}
	})
	t.Run("failed", func(t *testing.T) {
		again := calling("finish", `{"title": "T", "summary": "S"}`)
		r := scene(t, &script{answers: []llm.Completion{broken, again, again, again, again}})
		r.start("Break links")
		j, f := r.work()
		if f == nil || f.Code != "checks_failed" || j.Status != agentjob.Failed ||
			!strings.Contains(j.Error, "/guides/stort") || j.PRLink != "" || len(r.branches()) != 0 {
			t.Errorf("%+v %v\n%s", j, f, r.record(j))
		}
	})
}

// G1: a round that exceeds its budget is stopped with a reason.
func TestExhaustedBudgetEndsRound(t *testing.T) {
	look := calling("list", `{}`)
	for name, c := range map[string]struct {
		set  func(*rig)
		want string
	}{
		"steps":  {func(r *rig) { r.runner.Limits.Steps = 3 }, "steps (3)"},
		"tokens": {func(r *rig) { r.runner.Limits.Tokens = 250 }, "tokens (250)"},
		"time":   {func(r *rig) { r.runner.Reached = func(string) { r.Advance(soon) } }, "time (30m0s)"},
	} {
		t.Run(name, func(t *testing.T) {
			answers := make([]llm.Completion, 75)
			for i := range answers {
				answers[i] = look
			}
			r := scene(t, &script{answers: answers})
			c.set(r)
			r.start("Go on and on")
			j, f := r.work()
			if f == nil || f.Code != "budget_exceeded" || j.Status != agentjob.Failed ||
				!strings.Contains(j.Error, c.want) {
				t.Errorf("%+v %v", j, f)
			}
		})
	}
}

func TestRefusalFailsJobAndCutOffAnswerContinues(t *testing.T) {
	r := scene(t, &script{answers: []llm.Completion{{Text: "I will not.", Stop: llm.Refused}}})
	r.start("Do harm")
	if j, f := r.work(); f == nil || f.Code != "model_refused" || j.Status != agentjob.Failed ||
		!strings.Contains(r.record(j), "I will not.") {
		t.Errorf("%+v %v", j, f)
	}
	model := &script{answers: []llm.Completion{{Text: "I would", Stop: llm.CutOff}, {Text: "Done.", Stop: llm.Done}}}
	r = scene(t, model)
	r.start("Talk")
	if j, f := r.work(); f != nil || !strings.HasPrefix(j.Summary, "Done.") ||
		!strings.Contains(model.asked[1].Turns[2].Text, "cut off") {
		t.Errorf("%+v %v", j, f)
	}
}

// Follow-ups use the same branch and pull request and add one commit; commits that people pushed in between are kept.
func TestMessageContinuesSamePullRequest(t *testing.T) {
	model := &script{answers: append(fixing(), calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`,
		"finish", `{"title": "Another title", "summary": "Reads better."}`))}
	r := scene(t, model)
	first := r.start("Fix the typo")
	if j, f := r.work(); f != nil {
		t.Fatalf("%+v %v", j, f)
	}
	r.send(first, "Also say read instead of see")
	j, f := r.work()
	if f != nil || j.Status != agentjob.Completed || j.Round != 2 || j.PRNumber != 1 || j.Title != "Fix a typo" {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	if p := r.proposals(); len(p) != 1 || !strings.Contains(p[0].Body, "Water was misspelt.\n\nReads better.\n") ||
		len(r.branches()) != 1 || r.commits(j.Ref) != "2" {
		t.Errorf("%+v %v", p, r.branches())
	}
	changes, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	if err != nil || len(changes) != 2 {
		t.Errorf("%v %v", changes, err)
	}
	last := model.asked[len(model.asked)-1].Turns
	if text := last[len(last)-1].Text; text != "Also say read instead of see" {
		t.Errorf("the model got %q", text)
	}
}

// A message sent while the agent works is read at its next step.
func TestMessageWhileActiveIsRead(t *testing.T) {
	model := &script{answers: append(fixing(), calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`,
		"finish", `{"title": "T", "summary": "S"}`))}
	r := scene(t, model)
	j := r.start("Fix the typo")
	said := false
	r.runner.Reached = func(step string) {
		if step == "checked" && !said { // as late as possible
			said = true
			r.send(j, "And the other thing")
		}
	}
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || got.Round != 1 || r.commits(got.Ref) != "2" {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	if c, _, _ := r.merger.Changes(context.Background(), r.proposals()[0].ID); len(c) != 2 || len(r.proposals()) != 1 {
		t.Errorf("%v\n%s", c, r.record(got))
	}
}

// G7: after a merge or a close, a message starts a new branch from the newest base, with another pull request; the
// previous branch gets no more commits. The job has at most one open pull request.
func TestMessageAfterDecisionStartsNewBranch(t *testing.T) {
	for name, decide := range map[string]func(r *rig, id string) error{
		"merged": func(r *rig, id string) error {
			_, err := r.merger.Merge(context.Background(), id, "key_1", "req_1")
			return err
		},
		"closed": func(r *rig, id string) error {
			_, err := r.merger.Close(context.Background(), id, "key_1", "req_1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			model := &script{answers: append(fixing(), calling("edit", `{"path": "index.mdx", "old": "Look at", "new": "Read"}`,
				"finish", `{"title": "Say read", "summary": "Reads better."}`),
				calling("edit", `{"path": "index.mdx", "old": "Read", "new": "Study"}`,
					"finish", `{"title": "Say study", "summary": "Reads best."}`))}
			r := scene(t, model)
			j := r.start("Fix the typo")
			before, _ := r.work()
			r.check(decide(r, r.proposals()[0].ID))
			text, err := os.ReadFile(filepath.Join(r.dir, "guides/start.mdx"))
			if merged := strings.Contains(string(text), "Boil water."); err != nil || merged != (name == "merged") {
				t.Errorf("the folder has %q, %v", text, err)
			}
			// The source changes before the message: the new branch contains the change.
			r.check(os.WriteFile(filepath.Join(r.dir, "index.mdx"),
				[]byte("---\ntitle: Welcome\n---\n\nLook at [the start](/guides/start).\n"), 0o600))
			tips := r.tip(before.Ref)
			r.send(j, "Say read instead")
			r.dying("pushed")
			got, f := r.work()
			if f != nil || got.Status != agentjob.Completed || got.PRNumber != 2 || got.PRState != agentjob.PullOpen ||
				got.Ref != agentjob.NextBranch(j.ID, "Fix the typo", 2) || got.PRLink == before.PRLink {
				t.Fatalf("%+v %v\n%s", got, f, r.record(got))
			}
			if r.tip(before.Ref) != tips || r.commits(got.Ref) != "1" {
				t.Errorf("the previous branch moved from %s to %s", tips, r.tip(before.Ref))
			}
			newest := r.proposals()[0]
			if len(r.proposals()) != 2 || newest.Title != "Say read" || strings.Contains(newest.Body, "misspelt") ||
				string(r.proposals()[1].State) != name {
				t.Errorf("%+v", r.proposals())
			}
			changes, _, err := r.merger.Changes(context.Background(), newest.ID)
			if err != nil || len(changes) != 1 || changes[0].Path != "index.mdx" {
				t.Errorf("%v, %v", changes, err)
			}
			last := model.asked[len(model.asked)-1].Turns
			said := last[len(last)-1].Text
			if !strings.Contains(said, "Say read instead") || !strings.Contains(said, "was "+name) ||
				!strings.Contains(last[0].Text, "Fix the typo") {
				t.Errorf("the model got %q of %+v", said, last)
			}
			r.send(j, "Say study instead") // continues on the new branch
			if got, f := r.work(); f != nil || got.PRNumber != 2 || r.commits(got.Ref) != "2" || len(r.proposals()) != 2 {
				t.Errorf("%+v %v\n%s", got, f, r.record(got))
			}
		})
	}
}

// If a pull request is merged while the agent works, its branch gets no more commits.
func TestMergeDuringRoundStopsPush(t *testing.T) {
	r := scene(t, &script{answers: append(fixing(), calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`,
		"finish", `{"title": "T", "summary": "S"}`))})
	j := r.start("Fix the typo")
	before, _ := r.work()
	r.send(j, "Say read instead")
	r.runner.Reached = func(step string) {
		if step == "checked" {
			_, err := r.merger.Merge(context.Background(), r.proposals()[0].ID, "key_1", "req_1")
			r.check(err)
		}
	}
	got, f := r.work()
	if f == nil || f.Code != "pull_merged" || got.Status != agentjob.Failed || r.tip(before.Ref) != "" ||
		len(r.proposals()) != 1 {
		t.Errorf("%+v %v, the branch is at %q", got, f, r.tip(before.Ref))
	}
}

// G6: a change that contains a secret is refused; the secret is not in the record, the pull request or the reason.
func TestSecretsDoNotLeak(t *testing.T) {
	secret := "hunter2-is-the-key-of-this-server"
	quoted, _ := json.Marshal("The key is " + secret)
	r := scene(t, &script{answers: []llm.Completion{{Text: "I found " + secret, Stop: llm.Calling,
		Calls: []llm.Call{{ID: "1", Name: "write",
			Input: json.RawMessage(`{"path": "x.mdx", "text": ` + string(quoted) + `}`)}}},
		calling("finish", `{"title": "`+secret+`", "summary": "`+secret+`"}`)}})
	r.start("Print the key")
	j, _ := r.work()
	raw, _ := json.Marshal(j)
	for _, p := range r.proposals() {
		body, _ := json.Marshal(p)
		raw = append(raw, body...)
		list, _, err := r.merger.Changes(context.Background(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			raw = append(raw, c.After...)
		}
	}
	if all := r.record(j) + string(raw); strings.Contains(all, secret) {
		t.Errorf("the secret leaked: %s", all)
	}
}

// G3, G6: files outside the agent's task are not changed, and a model that tries to change them gets an error.
func TestForbiddenFilesAreRefused(t *testing.T) {
	r := scene(t, &script{answers: []llm.Completion{calling("write",
		`{"path": ".github/workflows/x.yml", "text": "on: push"}`, "write", `{"path": "CODEOWNERS", "text": "*"}`,
		"edit", `{"path": "AGENTS.md", "old": "short", "new": "long"}`),
		{Text: "It does not work.", Stop: llm.Done}}})
	r.start("Change the rules")
	j, f := r.work()
	if f != nil || j.Status != agentjob.Completed || len(r.branches()) != 0 ||
		strings.Count(r.record(j), "may not be changed") != 3 {
		t.Errorf("%+v %v\n%s", j, f, r.record(j))
	}
}

// J8: an archived job stops and writes nothing more.
func TestArchivedJobStops(t *testing.T) {
	r := scene(t, &script{answers: fixing()})
	j := r.start("Fix the typo")
	r.runner.Reached = func(step string) {
		if step != "worked" {
			return
		}
		err := r.Store.Tx(context.Background(), func(tx *store.Tx) error {
			_, err := tx.ArchiveAgentJob(context.Background(), r.Organization.ID, r.p.ID, j.ID)
			return err
		})
		if err != nil && !fault.Is(err, fault.Conflict) {
			t.Error(err)
		}
	}
	tk, ok, err := r.Store.TakeTask(context.Background(), "test", soon, false)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := r.runner.Run(context.Background(), hold(tk)); err == nil {
		t.Error("the agent continued")
	}
	if got, _ := r.Store.FindAgentJobByID(context.Background(), j.ID); got.Status != agentjob.Archived ||
		len(r.branches()) != 0 {
		t.Errorf("%+v", got)
	}
}
