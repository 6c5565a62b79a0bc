package agent

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// authorName and authorEmail are the author of the agent's commits. They show that it is an agent and not a person.
const (
	authorName  = "Lectern agent"
	authorEmail = "agent@lectern.invalid"
)

// deliver checks, screens, pushes and proposes the engine's changes, and returns the round's outcome. again means
// that the engine has to fix something first.
func (w *work) deliver(ctx context.Context) (came agentjob.Outcome, again bool, err error) {
	o, again, err := w.conversation.inspect(ctx)
	if again || err != nil {
		return "", again, err
	}
	if note := append(w.conversation.unsupportedNote(o), w.conversation.differentNote(o)...); note != nil {
		if err := w.conversation.add(ctx, note...); err != nil {
			return "", false, err
		}
	}
	if len(o.changes) == 0 && !w.conversation.noted("pushed") && (w.job.HeadCommit == "" || w.job.PRNumber != 0) {
		return o.came, false, w.unchanged(ctx, o)
	}
	if w.job.DryRun {
		return agentjob.WouldChange, false, w.recordDryRun(ctx, o)
	}
	if len(o.changes) == 0 { // the changes were made in an earlier round, but the description is new
		o.tame(w.Rules.KnownHosts)
	}
	if err := w.push(ctx, o); err != nil {
		return "", false, err
	}
	if w.job.OnPull { // the pull request has its own preview, and its author describes it
		return agentjob.Changed, false, w.added(ctx, o)
	}
	if w.Preview != nil {
		if o.preview, err = w.Preview(ctx, w.project, w.job.Ref, w.job.HeadCommit); err != nil {
			// The pull request is useful even without a preview.
			w.Log.Warn("failed to start the preview of the agent branch", "job", w.job.ID, "error", err)
		}
	}
	came, err = w.propose(ctx, o)
	return came, false, err
}

// unchanged records that there is nothing to propose.
func (w *work) unchanged(ctx context.Context, o outcome) (err error) {
	text := "Nothing was changed."
	if redoes(w.conversation.entries, w.job.Round) {
		text = "Nothing has to be changed on the newest state of the base branch. The branch keeps its earlier changes; " +
			"close the pull request if they are no longer needed."
	}
	w.job, err = w.record.set(ctx, store.AgentProgress{Summary: o.labelled()},
		agentjob.Entry{Kind: agentjob.Note, Code: "unchanged", Text: text})
	return err
}

// added records a new commit on a person's pull request.
func (w *work) added(ctx context.Context, o outcome) (err error) {
	if err := w.keepReceipts(ctx, o); err != nil {
		return err
	}
	note := agentjob.Entry{Kind: agentjob.Note, Code: "pull_updated",
		Text: fmt.Sprintf("Pushed to the pull request %s", w.job.PRLink)}
	w.job, err = w.record.set(ctx, store.AgentProgress{Summary: o.labelled()}, note)
	return err
}

// held makes sure that this attempt still holds the job. Call it before an action that a fence number cannot prevent:
// checks take a long time, and a person may have archived the job in the meantime (J3). It also renews the access to
// the code host.
func (w *work) held(ctx context.Context) (err error) {
	if w.job, err = w.record.set(ctx, store.AgentProgress{}); err != nil || w.Now().Sub(w.opened) < placeLife {
		return err
	}
	return w.open(ctx)
}

// push commits the changes on the job's branch. A repeated call creates an identical commit, and pushing that commit
// again changes nothing (G7).
func (w *work) push(ctx context.Context, o outcome) error {
	if len(o.changes) == 0 && !w.conversation.noted("pushed") {
		return nil // an earlier round pushed
	}
	if err := w.held(ctx); err != nil {
		return err
	}
	if err := w.stillOpen(ctx); err != nil {
		return err
	}
	replace := w.job.HeadCommit != "" && redoes(w.conversation.entries, w.job.Round) && !w.conversation.noted("pushed")
	commit, err := w.Git.Propose(ctx, w.place.Remote, git.Proposal{Parent: w.job.BaseCommit, Last: w.job.HeadCommit,
		Replace: replace, Branch: w.job.Ref, Existing: w.job.OnPull, Message: commitText(o.title, o.labelled(), w.job.ID),
		Changes: o.changes, When: w.conversation.lastActivity(), Author: authorName, Email: authorEmail})
	if err != nil {
		return err
	}
	w.reached("pushed")
	if commit == w.job.HeadCommit {
		return nil
	}
	note := agentjob.Entry{Kind: agentjob.Note, Code: "pushed",
		Text: fmt.Sprintf("Pushed commit %.12s to %s; files: %d.", commit, w.job.Ref, len(o.changes))}
	if w.job, err = w.record.set(ctx, store.AgentProgress{HeadCommit: commit}, note); err != nil {
		return err
	}
	w.reached("push recorded")
	return nil
}

// propose opens the job's pull request, or updates the existing one, and returns the round's outcome.
func (w *work) propose(ctx context.Context, o outcome) (agentjob.Outcome, error) {
	title := o.title
	if w.job.PRNumber != 0 && w.job.Title != "" {
		title = w.job.Title // keep the title that people know
	}
	receipts, err := w.allReceipts(ctx, o)
	if err != nil {
		return "", err
	}
	ask := pull.Request{Title: title, Body: pullText(w.job, o, receipts, w.conversation.before()), Head: w.job.Ref,
		Base: w.place.Remote.Branch, Draft: w.job.Draft, Labels: w.Labels, Reviewers: w.Reviewers}
	if err := w.held(ctx); err != nil {
		return "", err
	}
	got, err := w.place.Host.Find(ctx, w.job.Ref)
	code, what := "pull_updated", "Updated"
	switch {
	case fault.HasCode(err, "unknown_pull") && len(o.changes) == 0 && w.job.Round == 1:
		return agentjob.NothingToDo, w.unchanged(ctx, o) // everything was undone before it was pushed
	case fault.HasCode(err, "unknown_pull"):
		code, what = "pull_opened", "Opened"
		got, err = w.place.Host.Open(ctx, ask)
	case err == nil && got.State == pull.Open:
		got, err = w.place.Host.Update(ctx, got.Number, ask)
	case err == nil:
		return agentjob.Changed, w.decided(ctx, o, got)
	}
	if err != nil {
		return "", err
	}
	w.reached("proposed")
	if err := w.keepReceipts(ctx, o); err != nil {
		return "", err
	}
	note := agentjob.Entry{Kind: agentjob.Note, Code: code, Text: fmt.Sprintf("%s pull request %s", what, got.URL)}
	set := store.AgentProgress{Title: title, Summary: o.labelled(), PRLink: got.URL, PRNumber: got.Number,
		PRState: agentjob.PullOpen}
	if w.job, err = w.record.set(ctx, set, note); err != nil {
		return "", err
	}
	w.reached("proposal recorded")
	return agentjob.Changed, nil
}

// decided ends a job whose pull request was merged or closed, and records that decision, because not every code host
// sends events. If the pull request is not in the job's record, an attempt opened it and died before recording it; the
// pull request then already contains the job's changes.
func (w *work) decided(ctx context.Context, o outcome, p pull.Pull) (err error) {
	known, set := w.job.PRNumber != 0, store.AgentProgress{PRState: agentjob.PullState(p.State)}
	if !known {
		set.Title, set.Summary, set.PRLink, set.PRNumber = o.title, o.labelled(), p.URL, p.Number
	}
	if !known || w.job.PRState != set.PRState {
		note := agentjob.Entry{Kind: agentjob.Note, Code: "pull_" + string(p.State),
			Text: fmt.Sprintf("The pull request %s was %s.", p.URL, p.State)}
		if w.job, err = w.record.set(ctx, set, note); err != nil {
			return err
		}
	}
	merged := p.State == pull.Merged && p.Commit == "" // the merge deleted its branch
	if !known && (merged || p.Commit == w.job.HeadCommit) {
		return nil
	}
	return closedPull(w.job)
}

// readPullState asks the code host, before a round starts, whether the job's pull request is still open. If it was
// merged or closed, the round starts a new branch.
func (w *work) readPullState(ctx context.Context) error {
	if w.job.PRNumber == 0 {
		return nil
	}
	if w.job.BaseCommit != "" { // the round has already started
		return closedPull(w.job)
	}
	err := w.stillOpen(ctx)
	if !fault.HasCode(err, "pull_merged") && !fault.HasCode(err, "pull_closed") {
		return err
	}
	entries, listErr := w.record.List(ctx, 0)
	if listErr != nil {
		return listErr
	}
	if redoes(entries, w.job.Round) || w.job.OnPull { // only its author may reopen a person's pull request
		return err
	}
	w.fresh = true
	return nil
}

// stillOpen returns a fault if the job's pull request was merged or closed, and records that.
func (w *work) stillOpen(ctx context.Context) error {
	if err := closedPull(w.job); err != nil || w.job.PRNumber == 0 {
		return err
	}
	p, err := w.place.Host.Get(ctx, w.job.PRNumber)
	if err != nil && w.job.OnPull { // the state is not read again, and a merged branch must not get further commits
		return err
	}
	if err != nil {
		// The update at the end of the round reads the state again.
		w.Log.Warn("failed to read pull request state", "job", w.job.ID, "error", err)
		return nil
	}
	if p.State == pull.Open {
		return nil
	}
	return w.decided(ctx, outcome{}, p)
}
