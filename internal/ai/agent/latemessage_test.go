package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// during is a model that calls do while it works on one of its answers.
type during struct {
	script
	at int // which answer, from 0
	do func()
}

func (d *during) Answer(ctx context.Context, ask llm.Ask, heard func(string)) (llm.Completion, error) {
	if err := ask.Check(); err != nil {
		return llm.Completion{}, err
	}
	if len(d.asked) == d.at {
		d.do()
	}
	return d.script.Answer(ctx, ask, heard)
}

// G7: a message that arrives while the model thinks, or while its last calls run, is answered before the job ends, even
// after a crash.
func TestMessageDuringLastAnswerIsRead(t *testing.T) {
	for name, last := range map[string]llm.Completion{
		"with finish":   calling("finish", `{"title": "Fix a typo", "summary": "Water was misspelt."}`),
		"without calls": {Text: "Done.", Stop: llm.Done},
	} {
		for _, crash := range []string{"", "answered", "worked"} {
			t.Run(name+" "+crash, func(t *testing.T) {
				more := calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`, "finish",
					`{"title": "T", "summary": "S"}`)
				for i := range more.Calls {
					more.Calls[i].ID += "-2"
				}
				model := &during{script: script{answers: []llm.Completion{last, more}}}
				r := scene(t, model)
				j := r.start("Fix the typo on the start page")
				model.do = func() { r.send(j, "And say read") }
				if crash != "" {
					r.runner.Reached = func(step string) {
						if step == crash {
							r.runner.Reached = nil
							panic("killed")
						}
					}
					func() {
						defer func() { _ = recover() }()
						r.work()
					}()
					r.runner.Reached = nil
					r.lapse()
				}
				if crash == "worked" && len(last.Calls) == 0 {
					return // an answer without calls has no such boundary
				}
				got, f := r.work()
				if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 || len(model.asked) != 2 {
					t.Fatalf("asked %d times: %+v %v\n%s", len(model.asked), got, f, r.record(got))
				}
				turns := model.asked[1].Turns
				if end := turns[len(turns)-1]; !strings.Contains(end.Text, "And say read") {
					t.Errorf("the message was not in the last turn: %+v", turns)
				}
			})
		}
	}
}

// A message that arrives while a tool runs is read even if finish was called later and the worker then crashed.
func TestMessageDuringLastCallsIsRead(t *testing.T) {
	for _, crash := range []bool{false, true} {
		more := calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`, "finish",
			`{"title": "T", "summary": "S"}`)
		model := &script{answers: []llm.Completion{calling("finish", `{"title": "T", "summary": "S"}`), more}}
		more.Calls[1].ID = "other"
		r := scene(t, model)
		j := r.start("Look")
		r.runner.Reached = func(step string) {
			if step == "answered" && len(model.asked) == 1 {
				r.send(j, "And say read")
			}
			if step == "worked" && crash {
				crash = false
				panic("killed")
			}
		}
		if crash {
			func() {
				defer func() { _ = recover() }()
				r.work()
			}()
			r.lapse()
		}
		got, f := r.work()
		if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 {
			t.Fatalf("%+v %v\n%s", got, f, r.record(got))
		}
	}
}
