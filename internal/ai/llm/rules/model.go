package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Name is the model's name.
const Name = "builtin"

// The tools that the model calls.
const (
	maintainTool = "maintain"
	checkTool    = "check"
	finishTool   = "finish"
	listTool     = "list"   // returns names of files
	searchTool   = "search" // returns titles of pages
)

// Model implements llm.Model. It is safe for concurrent use.
type Model struct{}

// theGrammar is compiled when a request first needs it.
var theGrammar = sync.OnceValue(newGrammar)

// Answer continues a conversation: it runs the chores, then the check, and then finishes. The next step depends only on
// the conversation.
func (m Model) Answer(ctx context.Context, ask llm.Ask, heard func(string)) (llm.Completion, error) {
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, fmt.Errorf("answer: %w", err)
	}
	r, tools := newRound(ask.Turns), offered(ask.Tools)
	m.interpret(r, tools)
	out, err := r.next(tools)
	if err != nil {
		return llm.Completion{}, err
	}
	if heard != nil && out.Text != "" {
		heard(out.Text)
	}
	return out, nil
}

// interpret reads people's messages in order; an answer is read together with the proposal before it. Proposals are
// computed again from the earlier prompts, so that only people's words can make or confirm one. An answer counts
// only if the agent's recorded text contains the same proposal: a person cannot confirm what was not shown.
func (m Model) interpret(r *round, tools map[string]bool) {
	var pending *proposal
	for i, e := range r.exchanges {
		now := i >= r.first
		if !now && !strings.Contains(e.said, inOtherWords) {
			pending = nil
			continue
		}
		view := newFolderView(e.made)
		if view == nil {
			view = newFolderView(r.made)
		}
		h := m.hear(e.prompts, pending, view)
		if now {
			r.take(h, tools)
		}
		pending = nil
		if h.offer != nil && strings.Contains(e.said, h.offer.text()) {
			pending = h.offer
		}
	}
	if r.bounded != "" {
		r.tasks = nil
	}
}

// heard is the meaning of an exchange's prompts.
type heard struct {
	understood
	offer   *proposal
	refused bool // the person declines the proposal
	agreed  bool // the person accepts it
	look    bool // a list of pages would help
}

// hear reads the prompts of an exchange. pending is the previous proposal, if any.
func (m Model) hear(prompts []string, pending *proposal, view *folderView) (h heard) {
	for i, p := range prompts {
		if i == 0 && pending != nil {
			r, choice := replyTo(p, *pending)
			switch {
			case r == agreed && choice >= 0:
				h.tasks, h.agreed = append(h.tasks, pending.choices[choice]...), true
				continue
			case r == agreed:
				h.offer = pending // unclear which choice is meant
				continue
			case r == declined:
				h.refused = true
				continue
			}
		}
		u := theGrammar().read(p)
		m.guess(&h, &u, p, view)
		h.unclear, h.asks = append(h.unclear, u.unclear...), append(h.asks, u.asks...)
		if h.bounded == "" {
			h.bounded = u.bounded
		}
		h.tasks = append(h.tasks, ordered(u.tasks)...)
	}
	return h
}

// guess applies the loose reading to the parts of a prompt that the strict reading did not understand.
func (Model) guess(h *heard, u *understood, prompt string, view *folderView) {
	partly := len(u.tasks) > 0
	if partly && len(u.unclear) == 0 {
		return
	}
	if partly {
		prompt = strings.Join(u.unclear, " ")
	}
	if h.offer != nil || !worthLooking(prompt) {
		return
	}
	h.look = true
	p, ok := theGrammar().loose(prompt, view)
	switch {
	case !ok || len(p.choices) == 0 && len(u.asks) > 0:
		return
	case len(p.choices) > 0:
		h.offer = &p
	default:
		u.asks = append(u.asks, p.question)
	}
	u.unclear, u.bounded = nil, ""
	if len(p.choices) > 0 && !partly {
		u.asks = nil
	}
}

// take adds the result of an exchange to the round.
func (r *round) take(h heard, tools map[string]bool) {
	if r.bounded == "" {
		r.bounded = h.bounded
	}
	r.unclear, r.asks = append(r.unclear, h.unclear...), append(r.asks, h.asks...)
	for _, t := range h.tasks {
		if !slices.ContainsFunc(r.tasks, func(o maintain.Task) bool { return same(o, t) }) {
			r.tasks = append(r.tasks, t)
		}
	}
	r.offer, r.refused, r.confirmed = h.offer, h.refused, h.agreed
	r.look = r.look || h.look
}

// ordered returns the tasks of one prompt in the best order for running them.
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

// exchange is a group of prompts, the calls made for them, and the agent's final text.
type exchange struct {
	prompts []string
	made    []step
	said    string // "" = the exchange has not ended
}

// round is the conversation since the agent last finished.
type round struct {
	exchanges []exchange // of the whole conversation
	first     int        // index of the first exchange of this round
	offer     *proposal  // probable meaning of the newest prompts
	refused   bool       // the newest prompt declines a proposal
	confirmed bool       // the newest prompt confirms a proposal
	look      bool       // a list of pages would help

	prompts []string
	made    []step // in order
	calls   int    // in the whole conversation
	tasks   []maintain.Task
	unclear []string
	asks    []string // questions
	bounded string
}

// step is a tool call with its result.
type step struct {
	llm.Call
	result llm.Result
	known  bool // the result has arrived
}

func newRound(turns []llm.Turn) *round {
	r := &round{exchanges: []exchange{{}}}
	asked := slices.ContainsFunc(turns, func(t llm.Turn) bool { return t.Asked != nil })
	for _, t := range turns {
		if t.From == llm.Assistant {
			if len(t.Calls) == 0 && t.Text != "" { // the end of an earlier round that is being repeated
				r.end(t.Text)
			}
			for _, c := range t.Calls {
				r.calls++
				if c.Name == finishTool {
					var in struct{ Summary string }
					_ = json.Unmarshal(c.Input, &in) // an invalid input proposes nothing
					r.end(in.Summary)
					r.prompts, r.made, r.first = nil, nil, len(r.exchanges)-1
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
		last := &r.exchanges[len(r.exchanges)-1]
		switch {
		case asked:
			r.prompts, last.prompts = append(r.prompts, t.Asked...), append(last.prompts, t.Asked...)
		case t.Text != "":
			text := unmarked.ReplaceAllString(t.Text, "\n")
			r.prompts, last.prompts = append(r.prompts, text), append(last.prompts, text)
		}
	}
	r.exchanges[len(r.exchanges)-1].made = r.made
	return r
}

// end ends an exchange with the agent's final text.
func (r *round) end(said string) {
	last := &r.exchanges[len(r.exchanges)-1]
	last.made, last.said = r.made, said
	r.exchanges = append(r.exchanges, exchange{})
}

// unmarked matches text marked as data. It is removed from a turn that does not list its prompts separately.
var unmarked = lazyregexp.New(`(?s)<untrusted mark="[^"]*"(?:.*</untrusted mark="[^"]*">|.*$)`)

// next returns the answer: the first chore that has not run yet, the check if something has changed since the last
// one, or the end.
func (r *round) next(tools map[string]bool) (llm.Completion, error) {
	if name, input := r.lookFor(tools); name != "" {
		return r.call(name, input, "Looking for the pages that the request refers to."), nil
	}
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

// lookFor returns the next call that lists pages, or "" if the loose reading needs none.
func (r *round) lookFor(tools map[string]bool) (name string, input json.RawMessage) {
	called := func(name string) bool {
		return slices.ContainsFunc(r.made, func(s step) bool { return s.Name == name })
	}
	switch {
	case !r.look || !tools[listTool] || slices.ContainsFunc(r.made, func(s step) bool { return s.Name == maintainTool }):
		return "", nil
	case !called(listTool):
		return listTool, json.RawMessage(`{}`)
	case tools[searchTool] && !called(searchTool):
		return searchTool, json.RawMessage(`{"query": "title: ", "exact": true}`)
	}
	return "", nil
}

func (r *round) call(name string, input json.RawMessage, text string) llm.Completion {
	call := llm.Call{ID: fmt.Sprintf("%s-%d", Name, r.calls+1), Name: name, Input: input}
	return llm.Completion{Text: text, Calls: []llm.Call{call}, Stop: llm.Calling, Model: Name}
}

// sameTask reports whether a recorded call is this task. Its JSON may have been formatted differently.
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
