package agent_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

const (
	honestEdit = `{"path": "guides/start.mdx", "old": "watr", "new": "water"}`
	honestEnd  = `{"title": "Fix a typo", "summary": "Fixed a typo in ` + "`guides/start.mdx`" + `."}`
	vagueEnd   = `{"title": "Done", "summary": "Everything is as you asked."}`
	falseEnd   = `{"title": "Fix typos", "summary": "Fixed typos in ` + "`index.mdx` and `guides/start.mdx`" + `."}`
)

// A job's outcome follows from its changes: a model that claims more is asked once to correct the claim, and a claim
// that remains is labelled.
func TestOutcomeFollowsFromChanges(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []llm.Completion
		want    agentjob.Outcome
		told    string // claim that the model is asked to correct; "" = none
		labels  bool   // the pull request lists unconfirmed claims
	}{
		{"changed", []llm.Completion{calling("edit", honestEdit, "finish", honestEnd)}, agentjob.Changed, "", false},
		{"finished without a change, then made one", []llm.Completion{calling("finish", honestEnd),
			calling("edit", honestEdit, "finish", honestEnd)}, agentjob.Changed, "no file was changed", false},
		{"claimed too much, then corrected it", []llm.Completion{calling("edit", honestEdit, "finish", falseEnd),
			calling("finish", honestEnd)}, agentjob.Changed, "index.mdx was not changed", false},
		{"claimed too much twice", []llm.Completion{calling("edit", honestEdit, "finish", falseEnd),
			calling("finish", falseEnd)}, agentjob.Changed, "index.mdx was not changed", true},
		{"claimed a change twice", []llm.Completion{calling("finish", honestEnd), calling("finish", honestEnd)},
			agentjob.NothingToDo, "No file was changed", false},
		{"claimed nothing twice", []llm.Completion{calling("finish", vagueEnd), calling("finish", vagueEnd)},
			agentjob.NothingToDo, "no file was changed", false},
		{"claimed nothing in words", []llm.Completion{{Text: "Everything is as you asked.", Stop: llm.Done}},
			agentjob.NothingToDo, "", false},
		{"has nothing to do", []llm.Completion{calling("finish",
			`{"title": "T", "summary": "The page says so.", "outcome": "nothing_to_do"}`)}, agentjob.NothingToDo, "", false},
		{"asks", []llm.Completion{calling("finish",
			`{"title": "Q", "summary": "Which of the two pages?", "outcome": "needs_answer"}`)}, agentjob.NeedsAnswer, "", false},
		{"asks in words", []llm.Completion{{Text: "Which of the two pages?", Stop: llm.Done}}, agentjob.NeedsAnswer, "", false},
		{"cannot", []llm.Completion{calling("finish",
			`{"title": "No", "summary": "There is no such product.", "outcome": "not_understood"}`)}, agentjob.NotUnderstood, "", false},
		{"an outcome that does not exist", []llm.Completion{calling("finish", `{"title": "T", "summary": "S", "outcome": "done"}`),
			calling("edit", honestEdit, "finish", honestEnd)}, agentjob.Changed, "outcome must be", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := &script{answers: c.answers}
			r := scene(t, model)
			r.start("Fix the typos on all pages")
			j, f := r.work()
			if f != nil || j.Status != agentjob.Completed || j.Outcome != c.want {
				t.Fatalf("%+v %v\n%s", j, f, r.record(j))
			}
			if len(model.asked) != len(c.answers) {
				t.Errorf("the model was asked %d times", len(model.asked))
			}
			if c.told != "" {
				if text := r.record(j); !strings.Contains(text, c.told) {
					t.Errorf("the model was not asked to correct %q:\n%s", c.told, text)
				}
			}
			labelled := false
			for _, p := range r.proposals() {
				labelled = strings.Contains(p.Body, "### Not confirmed") && strings.Contains(p.Body, "index.mdx was not changed")
			}
			if labelled != c.labels {
				t.Errorf("labelled: %v", labelled)
			}
			if c.want != agentjob.Changed && j.Title != "Fix the typos on all pages" {
				t.Errorf("the title is %q", j.Title)
			}
			label := map[string]string{"claimed too much twice": "index.mdx was not changed", "claimed a change twice": "No file was changed",
				"claimed nothing twice":    "Nothing was changed, and the agent did not say why",
				"claimed nothing in words": "Nothing was changed, and the agent set no outcome"}[c.name]
			if noted := strings.Contains(r.record(j), "note unsupported"); noted != (label != "") {
				t.Errorf("noted: %v\n%s", noted, r.record(j))
			}
			if _, got := agentjob.CutLabel(j.Summary); (got != "") != (label != "") || !strings.Contains(got, label) {
				t.Errorf("the summary is %q", j.Summary)
			}
		})
	}
}

// A claim that an earlier round did not fulfil stays labelled in the pull request after a later round, and the model
// does not read the label as its own words.
func TestLabelsOfEarlierRoundsAreKept(t *testing.T) {
	model := &script{answers: []llm.Completion{calling("edit", honestEdit, "finish", falseEnd), calling("finish", falseEnd),
		calling("edit", `{"path": "guides/start.mdx", "old": "water", "new": "tea"}`, "finish", `{"title": "Tea", "summary": "Tea is better."}`)}}
	r := scene(t, model)
	j := r.start("Fix the typos on all pages")
	r.work()
	r.send(j, "Say tea")
	j, f := r.work()
	if f != nil || j.Round != 2 || j.Summary != "Tea is better." {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	if body := r.proposals()[0].Body; !strings.Contains(body, "Not confirmed by the changes:\n\n- ``\"Fixed typos in") {
		t.Errorf("%s", body)
	}
	for _, turn := range model.asked[2].Turns {
		if turn.From == llm.Assistant && strings.Contains(turn.Text, "Not confirmed") {
			t.Errorf("the model reads %q", turn.Text)
		}
	}
}

// A person's pull request keeps its text, so the commit message lists the claims that the changes do not confirm.
func TestCommitOnAPullRequestIsLabelled(t *testing.T) {
	r := newPulledWith(t, &script{answers: []llm.Completion{calling("edit", honestEdit, "finish", falseEnd), calling("finish", falseEnd)}})
	r.ask("better")
	j, f := r.work()
	if f != nil || j.Outcome != agentjob.Changed {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	if text := testgit.Run(t, r.dir, "log", "-1", "--format=%B", "better"); !strings.Contains(text, "Not confirmed by the changes:") ||
		!strings.Contains(text, "index.mdx was not changed") {
		t.Errorf("%s", text)
	}
}
