package agent_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

const (
	honestEdit = `{"path": "guides/start.mdx", "old": "watr", "new": "water"}`
	honestEnd  = `{"title": "Fix a typo", "summary": "Fixed a typo in ` + "`guides/start.mdx`" + `."}`
	falseEnd   = `{"title": "Fix typos", "summary": "Fixed typos in ` + "`index.mdx` and `guides/start.mdx`" + `."}`
)

// The outcome of a job is what its changes show: a model that claims more is asked once to correct it, and its claim is
// labelled if it stays.
func TestOutcomeIsWhatTheChangesShow(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []llm.Completion
		want    agentjob.Outcome
		told    string // what it is asked to correct; "" = nothing
		labels  bool   // the pull request says what it does not confirm
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
					t.Errorf("it was not told %q:\n%s", c.told, text)
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
			if noted := strings.Contains(r.record(j), "note unsupported"); noted != (c.labels || c.name == "claimed a change twice") {
				t.Errorf("noted: %v\n%s", noted, r.record(j))
			}
		})
	}
}
