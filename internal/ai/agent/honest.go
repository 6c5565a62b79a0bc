package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// unsupported is the code of a note, for people, that lists statements of a summary that the changes do not show.
const unsupported = "unsupported"

// compareSummary decides what came of the round, and compares the engine's summary with its changes. A model is asked once
// to correct what does not hold; what it still claims then is labelled.
func (t *conversation) compareSummary(ctx context.Context, o *outcome) (again bool, err error) {
	if len(o.changes) == 0 && (t.unproposed || t.noted("pushed")) { // what was pushed is proposed, or taken back
		o.came = agentjob.Changed
		return false, nil
	}
	o.came = t.outcomeOf(*o)
	o.unsupported = summarycheck.Check(o.summary, o.changes)
	var wrong []string
	if o.came == "" {
		o.came = agentjob.NothingToDo
		wrong = append(wrong, "You called finish, but no file was changed.")
	}
	for _, f := range o.unsupported {
		wrong = append(wrong, f.String())
	}
	if len(wrong) == 0 || t.engine.final() || t.noted(correct) || t.budget() != nil {
		return false, nil
	}
	t.toolset.Reopen()
	return true, t.add(ctx, agentjob.Entry{Kind: agentjob.Note, Code: correct,
		Text: "Your summary does not match the changes:\n" + guard.Untrusted("statements", strings.Join(wrong, "\n")) +
			"\nMake the changes that are missing, or call finish again with a summary of what was done. If no change is " +
			"needed, set outcome to nothing_to_do; if you do not understand the task or cannot do it, to not_understood; if " +
			"you need an answer first, to needs_answer, and ask in the summary."})
}

// outcomeOf returns what came of the round; "" = the engine ended it without a change and does not say why.
func (t *conversation) outcomeOf(o outcome) agentjob.Outcome {
	_, _, finished := t.toolset.Finished()
	given := t.toolset.Outcome()
	switch {
	case len(o.changes) > 0:
		return agentjob.Changed
	case slices.Contains(agentjob.Unchanged(), given):
		return given
	case finished:
		return ""
	case strings.HasSuffix(strings.TrimSpace(o.summary), "?"): // it spoke instead of calling finish
		return agentjob.NeedsAnswer
	}
	return agentjob.NothingToDo
}

// noted reports whether the record of this round has a note with this code. After one that says pushed, something was said
// that may have taken everything back.
func (t *conversation) noted(code string) bool {
	return slices.ContainsFunc(t.entries, func(e agentjob.Entry) bool {
		return e.Round == t.round && e.Kind == agentjob.Note && e.Code == code
	})
}

// unsupportedNote returns the note about what the changes do not show; none when the record has it, or when there is
// nothing of that kind.
func (t *conversation) unsupportedNote(o outcome) []agentjob.Entry {
	if len(o.unsupported) == 0 {
		return nil
	}
	text := "The changes do not show what these statements of the summary claim:"
	for _, f := range o.unsupported {
		text += "\n- " + f.String()
	}
	return t.once(unsupported, text)
}

// once returns a note for people; none when the record of this round has it.
func (t *conversation) once(code, text string) []agentjob.Entry {
	if slices.ContainsFunc(t.entries, func(e agentjob.Entry) bool {
		return e.Round == t.round && e.Kind == agentjob.Note && e.Code == code && e.Text == text
	}) {
		return nil
	}
	return []agentjob.Entry{{Kind: agentjob.Note, Code: code, Text: text}}
}
