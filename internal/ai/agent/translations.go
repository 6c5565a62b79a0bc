package agent

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// different is the code of a note, for people, that lists how translations differ from their sources.
const different = "different"

// compareTranslations compares the changed translations with their sources. A model is asked once to correct unwanted
// differences. The remaining differences are labelled.
func (t *conversation) compareTranslations(ctx context.Context, o *outcome) (again bool, err error) {
	if o.different, err = t.toolset.CheckTranslations(ctx); err != nil || len(o.different) == 0 {
		return false, err
	}
	if t.engine.final() || t.noted(differs) || t.budget() != nil {
		return false, nil
	}
	t.toolset.Reopen()
	return true, t.add(ctx, agentjob.Entry{Kind: agentjob.Note, Code: differs,
		Text: "These translations differ from their sources where both must be equal. Correct them and call finish again. If a " +
			"difference is right, say so in the summary.\n" + guard.Untrusted("findings", guard.Visible(o.listDifferent()))})
}

// listDifferent lists the differences, one per line.
func (o outcome) listDifferent() string {
	var lines []string
	for _, d := range o.different[:min(len(o.different), maxNamed)] {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// differentNote returns the note about the remaining differences, or nothing if the record already has it.
func (t *conversation) differentNote(o outcome) []agentjob.Entry {
	if len(o.different) == 0 {
		return nil
	}
	return t.once(different, "These translations differ from their sources:\n"+o.listDifferent())
}
