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
	for _, f := range o.unsupported {
		wrong = append(wrong, f.String())
	}
	if o.came == "" {
		o.came = agentjob.NothingToDo
		_, _, finished := t.toolset.Finished()
		if finished { // words instead of finish may be the answer to a question: they are labelled and not sent back
			wrong = append(wrong, "You called finish, but no file was changed.")
		}
		if len(o.unsupported) == 0 && !t.engine.Submitted { // a submitted edit says what it is for, not what was done
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

// unexplained labels the summary of a round that ended without a change and without an outcome: it may sound like success
// and claim nothing.
func (t *conversation) unexplained(summary string, finished bool) summarycheck.Finding {
	f := summarycheck.Finding{Sentence: clip.Runes(strings.Join(strings.Fields(summary), " "), maxSentence)}
	switch {
	case t.engine.Program != nil: // it cannot state an outcome
		f.Why = "Nothing was changed."
	case finished:
		f.Why = "Nothing was changed, and the agent did not say why."
	default:
		f.Why = "Nothing was changed, and the agent set no outcome."
	}
	return f
}

const maxSentence = 200 // characters of a summary in a label

// outcomeOf returns what came of the round; "" = the engine ended it without a change and does not say why.
func (t *conversation) outcomeOf(o outcome) agentjob.Outcome {
	given := t.toolset.Outcome()
	_, _, finished := t.toolset.Finished()
	switch {
	case len(o.changes) > 0:
		return agentjob.Changed
	case slices.Contains(agentjob.Unchanged(), given):
		return given
	case !finished && strings.HasSuffix(strings.TrimSpace(o.summary), "?"): // it spoke instead of calling finish
		return agentjob.NeedsAnswer
	}
	return ""
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
	text := unsupportedText
	for _, f := range o.unsupported {
		text += unsupportedLine + labelOf(f)
	}
	return t.once(unsupported, text)
}

// The form of that note.
const (
	unsupportedText = "The changes do not show what these statements of the summary claim:"
	unsupportedLine = "\n- "
)

// labelled returns the summary with what the changes do not show, as it is stored, committed and repeated to people who see
// no other text of the job.
func (o outcome) labelled() string {
	var lines []string
	for _, f := range o.unsupported {
		lines = append(lines, labelOf(f))
	}
	return agentjob.LabelSummary(o.summary, lines)
}

// labelOf returns a line of a label. It quotes the model, and commits and code hosts read commands in quotations too.
func labelOf(f summarycheck.Finding) string { return guard.Tame(f.String(), nil) }

// once returns a note for people; none when the record of this round has it.
func (t *conversation) once(code, text string) []agentjob.Entry {
	if slices.ContainsFunc(t.entries, func(e agentjob.Entry) bool {
		return e.Round == t.round && e.Kind == agentjob.Note && e.Code == code && e.Text == text
	}) {
		return nil
	}
	return []agentjob.Entry{{Kind: agentjob.Note, Code: code, Text: text}}
}
