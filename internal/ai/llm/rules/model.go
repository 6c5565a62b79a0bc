package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/maintain"
)

// Name is what the model calls itself.
const Name = "builtin"

// The tools it calls.
const (
	maintainTool = "maintain"
	checkTool    = "check"
	finishTool   = "finish"
)

// Model implements llm.Model. It is safe for concurrent use.
type Model struct{ grammar func() *grammar }

// New makes a Model. The wordings it knows are compiled when it is first asked.
func New() *Model { return &Model{grammar: sync.OnceValue(newGrammar)} }

// Answer continues a conversation: a chore, then the check, then the end. What comes next follows from the conversation
// alone.
func (m *Model) Answer(ctx context.Context, ask llm.Ask, heard func(string)) (llm.Completion, error) {
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, fmt.Errorf("answer: %w", err)
	}
	r := newRound(ask.Turns)
	for _, p := range r.prompts {
		u := m.grammar().read(p)
		if r.bounded == "" {
			r.bounded = u.bounded
		}
		r.unclear, r.asks = append(r.unclear, u.unclear...), append(r.asks, u.asks...)
		for _, t := range ordered(u.tasks) {
			if !slices.ContainsFunc(r.tasks, func(o maintain.Task) bool { return same(o, t) }) {
				r.tasks = append(r.tasks, t)
			}
		}
	}
	if r.bounded != "" {
		r.tasks = nil
	}
	out, err := r.next(offered(ask.Tools))
	if err != nil {
		return llm.Completion{}, err
	}
	if heard != nil && out.Text != "" {
		heard(out.Text)
	}
	return out, nil
}

// ordered puts the tasks of one prompt into the order in which they are best done.
func ordered(tasks []maintain.Task) []maintain.Task {
	out := slices.Clone(tasks)
	kinds := maintain.Kinds()
	slices.SortStableFunc(out,
		func(a, b maintain.Task) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })
	return out
}

func offered(tools []llm.Tool) map[string]bool {
	out := map[string]bool{}
	for _, t := range tools {
		out[t.Name] = true
	}
	return out
}

// round is the conversation since work was last ended.
type round struct {
	prompts []string
	made    []step // in order
	calls   int    // in the whole conversation
	tasks   []maintain.Task
	unclear []string
	asks    []string // questions
	bounded string
}

// step is a call and what it gave.
type step struct {
	llm.Call
	result llm.Result
	known  bool // the result is there
}

func newRound(turns []llm.Turn) *round {
	r := &round{}
	asked := slices.ContainsFunc(turns, func(t llm.Turn) bool { return t.Asked != nil })
	for _, t := range turns {
		if t.From == llm.Assistant {
			for _, c := range t.Calls {
				r.calls++
				if c.Name == finishTool {
					r.prompts, r.made = nil, nil
					continue
				}
				r.made = append(r.made, step{Call: c})
			}
			continue
		}
		for _, res := range t.Results {
			for i := range r.made {
				if r.made[i].ID == res.CallID {
					r.made[i].result, r.made[i].known = res, true
				}
			}
		}
		switch {
		case asked:
			r.prompts = append(r.prompts, t.Asked...)
		case t.Text != "":
			r.prompts = append(r.prompts, unmarked.ReplaceAllString(t.Text, "\n"))
		}
	}
	return r
}

// unmarked finds what is marked as data in a turn whose prompts are not marked.
var unmarked = regexp.MustCompile(`(?s)<untrusted mark="[^"]*"(?:.*</untrusted mark="[^"]*">|.*$)`)

// next returns the answer: the first chore that was not done yet, the check if something changed since the last one, or
// the end.
func (r *round) next(tools map[string]bool) (llm.Completion, error) {
	for _, t := range r.tasks {
		if !tools[maintainTool] {
			break
		}
		input, err := encode(t)
		if err != nil {
			return llm.Completion{}, fmt.Errorf("encode task: %w", err)
		}
		if !slices.ContainsFunc(r.made, func(s step) bool { return s.Name == maintainTool && sameTask(s.Input, t) }) {
			return r.call(maintainTool, input, doing(t)+"."), nil
		}
	}
	if last := len(r.made) - 1; tools[checkTool] && last >= 0 && r.made[last].Name != checkTool && r.changed() {
		return r.call(checkTool, json.RawMessage(`{}`), "Checking the site with the changes."), nil
	}
	title, summary := r.ending(tools)
	if !tools[finishTool] {
		return llm.Completion{Text: summary, Stop: llm.Done, Model: Name}, nil
	}
	input, err := json.Marshal(map[string]string{"title": title, "summary": summary, "outcome": string(r.outcome())})
	if err != nil {
		return llm.Completion{}, fmt.Errorf("encode end of work: %w", err)
	}
	return r.call(finishTool, input, title+"."), nil
}

func (r *round) call(name string, input json.RawMessage, text string) llm.Completion {
	call := llm.Call{ID: fmt.Sprintf("%s-%d", Name, r.calls+1), Name: name, Input: input}
	return llm.Completion{Text: text, Calls: []llm.Call{call}, Stop: llm.Calling, Model: Name}
}

// sameTask reports whether a call of the record is this task. Who recorded it may have written its JSON otherwise.
func sameTask(input json.RawMessage, t maintain.Task) bool {
	made, err := maintain.Parse(input)
	return err == nil && same(made, t)
}

// changed reports whether a chore of this round changed something.
func (r *round) changed() bool {
	return slices.ContainsFunc(r.made, func(s step) bool {
		report, ok := maintain.ReadReport(s.result.Text)
		return s.Name == maintainTool && !s.result.Failed && (!ok || len(report.Changed) > 0)
	})
}
