package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// unsupported is the code of the note, for people, that lists the statements in a summary that the changes do not
// confirm.
const unsupported = "unsupported"

// compareSummary determines the round's outcome and compares the engine's summary with its changes. A model is asked
// once to correct unconfirmed statements. Statements that remain unconfirmed are labelled.
func (t *conversation) compareSummary(ctx context.Context, o *outcome) (again bool, err error) {
	if len(o.changes) == 0 && (t.unproposed || t.noted("pushed")) { // delivery either proposes pushed changes or undoes them
		o.came = agentjob.Changed
		return false, nil
	}
	o.came = t.outcomeOf(*o)
	o.unsupported = summarycheck.Check(o.summary, o.changes)
	var wrong []string
	for _, f := range o.unsupported {
		wrong = append(wrong, f.String())
	}
	if o.came == "" {
		o.came = agentjob.NothingToDo
		_, _, finished := t.toolset.Finished()
		if finished { // text without finish may be the answer to a question, so it is labelled and not sent back
			wrong = append(wrong, "You called finish, but no file was changed.")
		}
		if len(o.unsupported) == 0 && !t.engine.Submitted { // the summary of a submitted edit describes its purpose, not the result
			o.unsupported = []summarycheck.Finding{t.unexplained(o.summary, finished)}
		}
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

// unexplained labels the summary of a round that ended without a change and without an outcome, because it may
// suggest success without claiming it.
func (t *conversation) unexplained(summary string, finished bool) summarycheck.Finding {
	f := summarycheck.Finding{Sentence: clip.Runes(strings.Join(strings.Fields(summary), " "), maxSentence)}
	switch {
	case t.engine.Program != nil: // a program cannot state an outcome
		f.Why = "Nothing was changed."
	case finished:
		f.Why = "Nothing was changed, and the agent did not say why."
	default:
		f.Why = "Nothing was changed, and the agent set no outcome."
	}
	return f
}

const maxSentence = 200 // characters of a summary quoted in a label

// outcomeOf returns the round's outcome, or "" if the engine ended it without a change and gave no reason.
func (t *conversation) outcomeOf(o outcome) agentjob.Outcome {
	given := t.toolset.Outcome()
	_, _, finished := t.toolset.Finished()
	switch {
	case len(o.changes) > 0:
		return agentjob.Changed
	case slices.Contains(agentjob.Unchanged(), given):
		return given
	case !finished && strings.HasSuffix(strings.TrimSpace(o.summary), "?"): // it replied instead of calling finish
		return agentjob.NeedsAnswer
	}
	return ""
}

// noted reports whether this round's record has a note with this code. A "pushed" note does not mean that the changes
// still exist: later messages may have undone everything.
func (t *conversation) noted(code string) bool {
	return slices.ContainsFunc(t.entries, func(e agentjob.Entry) bool {
		return e.Round == t.round && e.Kind == agentjob.Note && e.Code == code
	})
}

// unsupportedNote returns the note about unconfirmed statements. It returns nothing if there are no such statements, or
// if the record already has the note.
func (t *conversation) unsupportedNote(o outcome) []agentjob.Entry {
	if len(o.unsupported) == 0 {
		return nil
	}
	text := unsupportedText
	for _, f := range o.unsupported {
		text += unsupportedLine + labelOf(f)
	}
	return t.once(unsupported, text)
}

// Format of the note about unconfirmed statements.
const (
	unsupportedText = "The changes do not show what these statements of the summary claim:"
	unsupportedLine = "\n- "
)

// labelled returns the summary with labels for the unconfirmed statements. It is used where people see no other text
// about the job: in the store, in commits and in replies.
func (o outcome) labelled() string {
	var lines []string
	for _, f := range o.unsupported {
		lines = append(lines, labelOf(f))
	}
	return agentjob.LabelSummary(o.summary, lines)
}

// labelOf formats a finding as a line of a label. It escapes the quotation, because code hosts interpret commands
// in quotations too.
func labelOf(f summarycheck.Finding) string { return guard.Tame(f.String(), nil) }

// once returns a note for people, or nothing if the record of this round already has it.
func (t *conversation) once(code, text string) []agentjob.Entry {
	if slices.ContainsFunc(t.entries, func(e agentjob.Entry) bool {
		return e.Round == t.round && e.Kind == agentjob.Note && e.Code == code && e.Text == text
	}) {
		return nil
	}
	return []agentjob.Entry{{Kind: agentjob.Note, Code: code, Text: text}}
}
