package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// isRedo reports whether an entry requests that everything before it be repeated.
func isRedo(e agentjob.Entry) bool { return e.Kind == agentjob.Prompt && e.Code == agentjob.Redo }

// redoes reports whether a round repeats everything on the newest base.
func redoes(entries []agentjob.Entry, round int) bool {
	return slices.ContainsFunc(entries, func(e agentjob.Entry) bool { return e.Round == round && isRedo(e) })
}

// sinceRedo reduces the entries before the newest redo request to people's prompts and the agent's final answers,
// because calls and results refer to a state of the files that no longer exists. Prompts for an earlier pull request,
// which was merged or closed, are dropped.
func sinceRedo(entries []agentjob.Entry) []agentjob.Entry {
	last := -1
	for i, e := range entries {
		if isRedo(e) {
			last = i
		}
	}
	if last < 0 {
		return entries
	}
	first := 0 // the round that started the branch
	for _, e := range entries[:last] {
		if e.Kind == agentjob.Note && e.Code == newBranch {
			first = e.Round
		}
	}
	var out []agentjob.Entry
	for i, e := range entries[:last] {
		switch {
		case isRedo(e), e.Round < first:
		case e.Kind == agentjob.Prompt, e.Kind == agentjob.Note && (e.Code == agentjob.Given || e.Code == comments):
			out = append(out, e)
		case e.Kind == agentjob.Answer && endsRound(e, entries[i+1:last]):
			if said := summaryOf(e); strings.TrimSpace(said) != "" {
				out = append(out, agentjob.Entry{Kind: agentjob.Answer, Round: e.Round, Text: said})
			}
		}
	}
	return append(out, entries[last:]...)
}

// endsRound reports whether an answer is the last of its round and states the result.
func endsRound(e agentjob.Entry, later []agentjob.Entry) bool {
	finished := slices.ContainsFunc(e.Calls, func(c agentjob.Call) bool { return c.Name == "finish" })
	return (finished || len(e.Calls) == 0) && !slices.ContainsFunc(later, func(o agentjob.Entry) bool {
		return o.Kind == agentjob.Answer && o.Round == e.Round
	})
}

// programTask returns the prompt for a program: the newest message or, if redo is set, all messages with their answers.
func programTask(turns []llm.Turn, redo bool) string {
	if !redo {
		return newest(turns)
	}
	var all []string
	for _, t := range turns {
		switch {
		case t.Text == "":
		case t.From == llm.Assistant:
			all = append(all, "You answered:\n"+t.Text)
		default:
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

// firstRound returns the round that the current branch starts with: the newest round that started a branch or
// replaced it.
func (t *conversation) firstRound() int {
	first, redo := 1, 0
	for _, e := range t.entries {
		switch {
		case isRedo(e):
			redo = e.Round
		case e.Kind == agentjob.Note && e.Code == newBranch:
			first = e.Round
		case e.Kind == agentjob.Note && e.Code == "pushed" && e.Round == redo:
			first = e.Round
		}
	}
	if redo == t.round { // its push replaces everything
		return redo
	}
	return first
}

// changedBranch reports whether the job had another branch before.
func (t *conversation) changedBranch() bool {
	return slices.ContainsFunc(t.entries,
		func(e agentjob.Entry) bool { return e.Kind == agentjob.Note && e.Code == newBranch })
}

// onlyOwn refuses to replace a branch that contains other people's commits, because those people have to decide what
// happens to them.
func (w *work) onlyOwn(ctx context.Context, branch, tip string) error {
	at := w.place.Remote
	at.Branch = branch
	list, err := w.Git.Ahead(ctx, at, tip, w.place.Remote.Branch)
	if err != nil {
		return err
	}
	for _, c := range list {
		if !w.made(c.Email, c.Message) {
			return fault.Newf(fault.Conflict, "foreign_commits", "The branch %s was not replaced: commit %.12s on it is by %s.",
				branch, c.ID, clip.Runes(guard.Visible(c.Author), 80)).
				WithHint("Merge the base branch into it, or close the pull request and send a message: the agent then " +
					"starts a new branch.")
		}
	}
	return nil
}

// made reports whether a commit with this committer and message was made by the job.
func (w *work) made(email, message string) bool {
	return email == authorEmail && strings.HasSuffix(strings.TrimSpace(message), signature(w.job.ID))
}

// newBranch is the code of a note, for people, that the job continues on another branch.
const newBranch = "new_branch"

// startAnew returns the notes for the model and for people in a round that starts a new branch.
func (w *work) startAnew(branch string) []agentjob.Entry {
	text := "The pull request with your earlier changes was merged, and others may have changed the files since. "
	if w.job.PRState != agentjob.PullMerged {
		text = "The pull request with your earlier changes was closed without being merged: the files do not have them. " +
			"Do not make them again unless you are asked to. "
	}
	return []agentjob.Entry{
		{Kind: agentjob.Note, Code: anew, Text: text + "You work on the newest files now; read them again before you change them."},
		{Kind: agentjob.Note, Code: newBranch, Text: fmt.Sprintf("The pull request %s was %s. The job continues on the branch %s.",
			w.job.PRLink, w.job.PRState, branch)}}
}
