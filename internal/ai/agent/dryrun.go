package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/store"
)

// maxPatch is the maximum size, in bytes, of the patch in a dry run's record, because every round reads the whole
// record.
const maxPatch = 1 << 20

// recordDryRun ends a dry run at the point where other jobs push: it records the proposal that would have been made,
// and its patch.
func (w *work) recordDryRun(ctx context.Context, o outcome) (err error) {
	receipts, err := w.allReceipts(ctx, o)
	if err != nil {
		return err
	}
	patch, left := patchOf(o.changes)
	if patch = w.conversation.scrub.text(patch); w.recordedPatch() == patch && w.job.Title == o.title { // recorded before
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Dry run: nothing was pushed or proposed. These changes would be proposed for the branch %s, with the title %q.\n\n",
		w.place.Remote.Branch, o.title)
	writeWork(&b, o, receipts, nil)
	writeWorse(&b, o)
	if len(left) > 0 {
		fmt.Fprintf(&b, "\nThe patch is too long to record. It omits %d files: %s\n", len(left),
			strings.Join(left[:min(len(left), maxNamed)], ", "))
	}
	w.job, err = w.record.set(ctx, store.AgentProgress{Title: o.title, Summary: o.labelled()},
		agentjob.Entry{Kind: agentjob.Note, Code: agentjob.DryRun, Text: w.conversation.scrub.text(b.String())},
		agentjob.Entry{Kind: agentjob.Note, Code: agentjob.Patch, Text: patch})
	if err == nil {
		w.reached("dry run recorded")
	}
	return err
}

// recordedPatch returns the newest patch that this round has recorded, or "" if there is none.
func (w *work) recordedPatch() string {
	for _, e := range slices.Backward(w.conversation.entries) {
		if e.Round == w.job.Round && e.Kind == agentjob.Note && e.Code == agentjob.Patch {
			return e.Text
		}
	}
	return ""
}

// patchOf returns the changes as a unified diff of whole files, and the names of the files that do not fit into it.
func patchOf(list []draft.Change) (patch string, left []string) {
	var b strings.Builder
	for _, c := range list {
		one := draft.Patch([]draft.Change{c})
		if b.Len()+len(one) > maxPatch {
			left = append(left, codespan.Of(c.Path))
			continue
		}
		b.WriteString(one)
	}
	return b.String(), left
}

// writeWorse lists findings that the changes cause but that do not block the proposal.
func writeWorse(b *strings.Builder, o outcome) {
	if len(o.verdict.Worse) == 0 {
		return
	}
	b.WriteString("\n### New warnings\n\n")
	for i, d := range o.verdict.Worse {
		if i == maxNamed {
			fmt.Fprintf(b, "- and %d more\n", len(o.verdict.Worse)-i)
			break
		}
		fmt.Fprintf(b, "- %s: %s\n", codespan.Of(d.Place()), codespan.Of(d.Message))
	}
}

// afterDryRun reports whether earlier rounds of a dry run made changes. The files do not contain those changes.
func afterDryRun(entries []agentjob.Entry) bool {
	return slices.ContainsFunc(entries, func(e agentjob.Entry) bool { return e.Kind == agentjob.Note && e.Code == agentjob.DryRun })
}
