package agent

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// Codes of notes that are sent to the model. All other notes are for people.
const (
	feedback = "feedback" // from the platform: checks that failed
	correct  = "correct"  // from the platform: claims of the summary that the changes do not confirm
	differs  = "differs"  // from the platform: how its translations differ from their sources
	cutOff   = "cut_off"  // the answer was too long
	anew     = "anew"     // the files have changed since the previous round
	comments = "comments" // people's comments on the pull request; marked as untrusted
)

// refusal is the code of a note, for people, that the model refused the task.
const refusal = "refused"

// forModel reports whether an entry is part of the conversation with the model.
func forModel(e agentjob.Entry) bool {
	return e.Kind == agentjob.Prompt ||
		e.Kind == agentjob.Note && slices.Contains([]string{feedback, correct, differs, cutOff, anew, comments, agentjob.Given}, e.Code)
}

// turns builds the conversation from a record. A prompt that arrived while tools ran is in the same turn as their
// results.
func turns(opening string, entries []agentjob.Entry) []llm.Turn {
	out := []llm.Turn{{From: llm.User, Text: opening}}
	user := func() *llm.Turn {
		if out[len(out)-1].From != llm.User {
			out = append(out, llm.Turn{From: llm.User})
		}
		return &out[len(out)-1]
	}
	for _, e := range sinceRedo(asHeard(entries)) {
		switch {
		case forModel(e):
			t := user()
			if t.Text != "" {
				t.Text += "\n\n"
			}
			t.Text += wordsOf(e)
			if e.Kind == agentjob.Prompt && e.Code != agentjob.Redo {
				t.Asked = append(t.Asked, e.Text)
			}
		case e.Kind == agentjob.Answer:
			out = append(out, llm.Turn{From: llm.Assistant, Text: e.Text, Calls: calls(e.Calls)})
		case e.Kind == agentjob.Results:
			t := user()
			for _, r := range e.Results {
				t.Results = append(t.Results, llm.Result(r))
			}
		}
	}
	return shorten(complete(out))
}

// wordsOf returns an entry's text for the model, with untrusted text marked. The record contains it without marks,
// for people.
func wordsOf(e agentjob.Entry) string {
	if e.Kind == agentjob.Note && e.Code == agentjob.Given {
		return "What the task is about:\n" + guard.Untrusted("given", guard.Visible(e.Text))
	}
	return e.Text
}

// asHeard reorders entries: an entry that was added while the model was working on an answer moves behind that answer,
// because the model reads the entry only afterwards.
func asHeard(entries []agentjob.Entry) []agentjob.Entry {
	out := make([]agentjob.Entry, 0, len(entries))
	for _, e := range entries {
		at := len(out)
		for e.Kind == agentjob.Answer && at > 0 && missed(e, out[at-1]) {
			at--
		}
		out = slices.Insert(out, at, e)
	}
	return out
}

// complete gives every call a result, as models require. A failed attempt may have left calls without one.
func complete(list []llm.Turn) []llm.Turn {
	for i := 0; i < len(list); i++ {
		if len(list[i].Calls) == 0 {
			continue
		}
		if i+1 == len(list) || list[i+1].From != llm.User {
			list = slices.Insert(list, i+1, llm.Turn{From: llm.User})
		}
		next := &list[i+1]
		for _, c := range list[i].Calls {
			if !slices.ContainsFunc(next.Results, func(r llm.Result) bool { return r.CallID == c.ID }) {
				next.Results = append(next.Results,
					llm.Result{CallID: c.ID, Text: "This call was not run.", Failed: true})
			}
		}
	}
	return list
}

func calls(list []agentjob.Call) []llm.Call {
	var out []llm.Call
	for _, c := range list {
		out = append(out, llm.Call(c))
	}
	return out
}

const (
	memory  = 600_000 // maximum bytes of tool results kept in a conversation
	leftOut = "[This result was removed to save space; call the tool again if you need it.]"
)

// shorten removes the oldest results from a conversation that has grown too long.
func shorten(list []llm.Turn) []llm.Turn {
	room := memory
	for i := len(list) - 1; i >= 0; i-- {
		for k := range list[i].Results {
			r := &list[i].Results[k]
			if room -= len(r.Text); room < 0 && len(r.Text) > len(leftOut) {
				r.Text = leftOut
			}
		}
	}
	return list
}
