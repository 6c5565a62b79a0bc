package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// conversation is one exchange between an engine and a toolset. The next step follows from the record alone.
type conversation struct {
	record  Record
	toolset *agenttools.Toolset
	engine  Engine
	limits  agentjob.Limits
	scrub   scrubber
	rules   guard.Rules
	linked  map[string]string // copies of linked files: path → target of the link; may be nil
	opening string            // start of every conversation: the task's context
	round   int
	// an earlier round pushed changes but did not open a pull request for them
	unproposed bool
	folder     folders           // for a program; not used with a model
	heard      func(string)      // receives pieces of the answer; may be nil
	reached    func(step string) // called between steps, for tests and progress; never nil
	now        func() time.Time

	entries []agentjob.Entry // entries of the record, as far as they have been read
	begun   time.Time        // start of this round's work
}

// last returns the sequence number of the newest entry that was read.
func (t *conversation) last() int64 {
	if len(t.entries) == 0 {
		return 0
	}
	return t.entries[len(t.entries)-1].Sequence
}

// sync reads new entries of the record. A new prompt reopens a finished conversation.
func (t *conversation) sync(ctx context.Context) error {
	fresh, err := t.record.List(ctx, t.last())
	if err != nil {
		return err
	}
	for _, e := range fresh {
		if forModel(e) {
			t.toolset.Reopen()
		}
	}
	t.entries = append(t.entries, fresh...)
	return nil
}

// add appends entries to the record and reads them back.
func (t *conversation) add(ctx context.Context, entries ...agentjob.Entry) error {
	if err := t.record.Add(ctx, entries...); err != nil {
		return err
	}
	return t.sync(ctx)
}

// run continues until the engine has finished.
func (t *conversation) run(ctx context.Context) error {
	for {
		if err := t.sync(ctx); err != nil {
			return err
		}
		pending, ended := t.state()
		var err error
		switch {
		case pending != nil:
			err = t.do(ctx, *pending)
		case ended && t.refused():
			return fault.New(fault.Invalid, "model_refused", "The model refused the task.").
				WithHint("Rephrase the task, or choose another model.")
		case ended:
			return nil
		default:
			err = t.ask(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// state returns the next step: the answer whose calls have not run yet, if any, and whether the work has ended.
func (t *conversation) state() (pending *agentjob.Entry, ended bool) {
	answered, spoken := -1, -1 // positions of the newest answer, and of the newest entry that the engine has to react to
	for i, e := range t.entries {
		switch {
		case e.Kind == agentjob.Answer:
			answered = i
		case e.Kind == agentjob.Results || forModel(e):
			spoken = i
		}
	}
	if answered < 0 {
		return nil, false
	}
	done := slices.ContainsFunc(t.entries[answered:], func(e agentjob.Entry) bool { return e.Kind == agentjob.Results })
	if a := t.entries[answered]; len(a.Calls) > 0 && !done && a.Round == t.round {
		return &a, false
	}
	_, _, finished := t.toolset.Finished()
	unheard := slices.ContainsFunc(t.entries,
		func(e agentjob.Entry) bool { return forModel(e) && missed(t.entries[answered], e) })
	return nil, (finished || answered > spoken) && !unheard
}

// missed reports whether an entry was added while the model was working on its answer.
func missed(answer, said agentjob.Entry) bool { return answer.Seen > 0 && said.Sequence > answer.Seen }

// refused reports whether the newest answer was a refusal.
func (t *conversation) refused() bool {
	for _, e := range slices.Backward(t.entries) {
		if e.Kind != agentjob.Note {
			return false
		}
		if e.Code == refusal {
			return true
		}
	}
	return false
}

// ask requests an answer from the engine and records it.
func (t *conversation) ask(ctx context.Context) error {
	if err := t.budget(); err != nil {
		return err
	}
	if t.engine.Submitted {
		return errNoEngine
	}
	t.toolset.Reopen() // a finish call is ignored if messages were still unread
	seen := t.last()
	ask := llm.Ask{Instructions: instructions, Turns: turns(t.opening, t.entries)}
	for _, tool := range t.toolset.Tools() {
		ask.Tools = append(ask.Tools, llm.Tool{Name: tool.Name, Description: tool.Description, Input: tool.Input})
	}
	model := t.engine.Model
	if model == nil {
		model = worker{program: t.engine.Program, tree: t.toolset.Tree, folder: t.folder,
			redo: redoes(t.entries, t.round)}
	}
	got, err := model.Answer(ctx, ask, t.heard)
	if err != nil {
		return fmt.Errorf("ask the model: %w", err)
	}
	entry := agentjob.Entry{Kind: agentjob.Answer, Text: t.scrub.text(got.Text), Calls: t.scrub.calls(got.Calls),
		Used: t.used(got.Usage), Seen: seen}
	add := []agentjob.Entry{entry}
	switch {
	case got.Stop == llm.Refused:
		add = append(add, agentjob.Entry{Kind: agentjob.Note, Code: refusal, Text: "The model refused the task."})
	case got.Stop == llm.CutOff && len(got.Calls) == 0:
		add = append(add, agentjob.Entry{Kind: agentjob.Note, Code: cutOff,
			Text: "Your answer exceeded the length limit and was cut off. Continue in smaller steps."})
	}
	if err := t.add(ctx, add...); err != nil {
		return err
	}
	t.reached("answered")
	return nil
}

func (t *conversation) used(u llm.Usage) agentjob.Use {
	return agentjob.Use{Steps: 1, InputTokens: u.Input, OutputTokens: u.Output, CostMicros: t.engine.Price.Micros(u)}
}

// budget returns a fault if the round has used up its budget (G1).
func (t *conversation) budget() error {
	var used agentjob.Use
	for _, e := range t.entries {
		if e.Round == t.round {
			used.Steps += e.Used.Steps
			used.InputTokens += e.Used.InputTokens
			used.OutputTokens += e.Used.OutputTokens
		}
	}
	over := func(what string, limit any) error {
		return fault.Newf(fault.Invalid, "budget_exceeded",
			"The job used up its budget of %s (%v) before it was finished.", what, limit).
			WithHint("Give it a smaller task; the server's operator sets the budget.")
	}
	switch {
	case used.Steps >= t.limits.Steps:
		return over("steps", t.limits.Steps)
	case used.InputTokens+used.OutputTokens >= t.limits.Tokens:
		return over("tokens", t.limits.Tokens)
	case t.now().Sub(t.begun) >= t.limits.Time:
		return over("time", t.limits.Time)
	}
	return nil
}

const maxCalls = 32 // per answer; further calls are refused, each with a result, which models require

// do runs the calls of an answer and records their results.
func (t *conversation) do(ctx context.Context, answer agentjob.Entry) error {
	out := agentjob.Entry{Kind: agentjob.Results}
	t.toolset.Today = answer.At
	var refused string
	for i, c := range answer.Calls {
		text, failed := "There are too many calls in one answer; repeat this call.", true
		// a program's calls represent the files that it changed; the limit on changed files applies to them instead
		if i < maxCalls || t.engine.final() {
			var err error
			if text, failed, err = t.toolset.Do(ctx, c.Name, c.Input); err != nil {
				return fmt.Errorf("run tool %s: %w", c.Name, err)
			}
		}
		if failed && refused == "" {
			refused = text
		}
		out.Results = append(out.Results, agentjob.Result{CallID: c.ID, Text: t.scrub.text(text), Failed: failed})
		effects, err := t.effects(ctx, i)
		if err != nil {
			return err
		}
		out.Calls = append(out.Calls, effects...)
	}
	if err := t.add(ctx, out); err != nil {
		return err
	}
	t.reached("worked")
	if t.engine.Submitted && refused != "" {
		return fault.New(fault.Invalid, "edit_refused", "The edit was refused: "+refused)
	}
	if t.engine.Program != nil && refused != "" { // a program gets no feedback, so it cannot correct itself
		return fault.New(fault.Invalid, "program_refused",
			"The program changed something that it may not change: "+refused)
	}
	return nil
}

// said returns the engine's title and summary of its work: from finish, or its last text.
func (t *conversation) said() (title, summary string) {
	if title, summary, ok := t.toolset.Finished(); ok {
		return title, summary
	}
	for _, e := range slices.Backward(t.entries) {
		if e.Kind == agentjob.Answer {
			return "", e.Text
		}
	}
	return "", ""
}

// repairs counts the failed checks that were sent to the engine in this round.
func (t *conversation) repairs() (n int) {
	for _, e := range t.entries {
		if e.Round == t.round && e.Kind == agentjob.Note && e.Code == feedback {
			n++
		}
	}
	return n
}

// lastActivity returns the time of the newest answer or result. It comes from the record, so every attempt gets the
// same time.
func (t *conversation) lastActivity() time.Time {
	for _, e := range slices.Backward(t.entries) {
		if e.Kind == agentjob.Answer || e.Kind == agentjob.Results {
			return e.At
		}
	}
	return time.Time{}
}

// prompt returns the first prompt.
func (t *conversation) prompt() string {
	for _, e := range t.entries {
		if e.Kind == agentjob.Prompt {
			return e.Text
		}
	}
	return ""
}

// raw makes a model's tool input storable. Input that is not JSON becomes a JSON string, which every tool refuses.
func raw(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	quoted, _ := json.Marshal(string(input)) // encoding a string cannot fail
	return quoted
}
