package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// work is one attempt at one round of a job.
type work struct {
	*Runner
	job          agentjob.Job
	project      project.Project
	place        Place
	record       stored
	conversation *conversation
	base         fs.FS             // the docs folder as fetched
	linked       map[string]string // copies of linked files: path → the link's target
	fresh        bool              // the pull request was merged or closed, and this round starts a new branch
	opened       time.Time         // when place was obtained
	closers      []func() error
}

// placeLife is how long a place is valid: some code hosts issue tokens that expire after an hour.
const placeLife = 40 * time.Minute

func (w *work) close() {
	for i := len(w.closers) - 1; i >= 0; i-- {
		_ = w.closers[i]() // leftovers are removed when the process exits
	}
}

func (w *work) run(ctx context.Context) error {
	engine, err := w.Engines(w.job.Model)
	if err != nil {
		return err
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	if err := w.readPullState(ctx); err != nil {
		return err
	}
	if err := w.fetch(ctx); err != nil {
		return err
	}
	if err := w.prepareConversation(ctx, engine); err != nil {
		return err
	}
	limit, cancel := context.WithDeadlineCause(ctx, w.conversation.begun.Add(w.conversation.limits.Time), errTime)
	defer cancel()
	err = w.proceed(limit)
	if err != nil && errors.Is(context.Cause(limit), errTime) && ctx.Err() == nil {
		return outOfTime(w.conversation.limits.Time)
	}
	return err
}

var errTime = errors.New("the round exceeded its time limit")

func outOfTime(limit time.Duration) error {
	return fault.Newf(fault.Invalid, "budget_exceeded",
		"The job used up its budget of time (%v) before it was finished.", limit)
}

// proceed runs the conversation, delivers its changes and completes the job, and repeats while new messages arrive.
func (w *work) proceed(ctx context.Context) error {
	for {
		if err := w.conversation.run(ctx); err != nil {
			return err
		}
		came, again, err := w.deliver(ctx)
		if err != nil {
			return err
		}
		if again {
			continue
		}
		err = w.Store.CompleteAgentJob(ctx, w.record.hold, w.conversation.last(), came,
			agentjob.Entry{Kind: agentjob.Note, Code: "completed", Text: "Completed."})
		if !errors.Is(err, agentjob.ErrUnread) {
			w.reached("completed")
			return err
		}
	}
}

// open looks up the project and the place where its changes are proposed.
func (w *work) open(ctx context.Context) (err error) {
	if w.project, err = w.Store.FindProject(ctx, w.job.OrganizationID, w.job.ProjectID); err != nil {
		return err
	}
	w.opened = w.Now()
	if w.place, err = w.Places(ctx, w.project); err != nil {
		return err
	}
	if w.job.Base != "" {
		w.place.Remote.Branch = w.job.Base
	}
	if w.place.Remote.Branch, err = w.Git.Branch(ctx, w.place.Remote); err != nil || !w.job.OnPull {
		return err
	}
	return w.checkPullBranch(ctx)
}

// checkPullBranch refuses to push to a published branch or to the default branch, even if it has a pull request: nobody
// could review the change before it takes effect.
func (w *work) checkPullBranch(ctx context.Context) error {
	all := w.place.Remote
	all.Branch = ""
	main, err := w.Git.Branch(ctx, all)
	if err != nil {
		return err
	}
	if w.job.Ref == main || w.job.Ref == w.place.Remote.Branch || w.job.Ref == w.project.Source.Branch {
		return fault.Newf(fault.Forbidden, "bad_branch",
			"An agent may not push to the branch %q: it is published or is the repository's default branch.", w.job.Ref)
	}
	return nil
}

// fetch fetches the docs folder at the commit that this round started with.
func (w *work) fetch(ctx context.Context) error {
	entries, err := w.record.List(ctx, 0)
	if err != nil {
		return err
	}
	branch, from, head, err := w.start(ctx, entries)
	if err != nil {
		return err
	}
	dir, remove, err := w.Scratch.Folder("agent")
	if err != nil {
		return err
	}
	w.closers = append(w.closers, remove)
	got, err := w.Git.Checkout(ctx, from, w.job.BaseCommit, dir)
	if err != nil {
		return err
	}
	w.linked = got.Linked
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open docs folder: %w", err)
	}
	w.closers = append(w.closers, root.Close)
	w.base = root.FS()
	if w.job.BaseCommit != "" {
		return w.recover(ctx)
	}
	set := store.AgentProgress{Fresh: w.fresh, Ref: branch, BaseCommit: got.Commit, HeadCommit: head}
	note := agentjob.Entry{Kind: agentjob.Note, Code: "began",
		Text: fmt.Sprintf("Working on %s, from commit %.12s; files: %d.", cmp.Or(branch, "a dry run"), got.Commit, got.Files)}
	news := w.remarks(ctx)
	if w.fresh {
		news = append(news, w.startAnew(branch)...)
	}
	switch {
	case afterDryRun(entries):
		news = append(news, agentjob.Entry{Kind: agentjob.Note, Code: anew,
			Text: "This is a dry run, so your earlier changes were not kept: " +
				"the files are in their original state. Make the changes that are still needed again."})
	case lost(entries, w.job.Round) && !redoes(entries, w.job.Round):
		news = append(news, agentjob.Entry{Kind: agentjob.Note, Code: anew,
			Text: "Your changes from before the failure were lost: " +
				"the files are in their original state. Make the changes that are still needed again."})
	}
	if w.job, err = w.record.set(ctx, set, append(news, note)...); err != nil {
		return err
	}
	w.reached("fetched")
	return nil
}

// start returns the job's branch, the remote for this round's files, and the branch's commit, which is "" if there is
// none. A dry run has no branch: each of its rounds starts from the base branch.
func (w *work) start(ctx context.Context, entries []agentjob.Entry) (branch string, from git.Remote, head string, err error) {
	from = w.place.Remote
	if w.job.DryRun {
		return "", from, "", nil
	}
	if w.fresh {
		return agentjob.NextBranch(w.job.ID, entries[0].Text, w.job.Round), from, "", nil
	}
	branch, head = cmp.Or(w.job.Ref, agentjob.Branch(w.job.ID, entries[0].Text)), w.job.HeadCommit
	if w.job.Round == 1 && !w.job.OnPull {
		return branch, from, head, nil
	}
	tip, found, err := w.Git.Tip(ctx, w.place.Remote, branch)
	switch {
	case err == nil && !found && w.job.OnPull:
		return "", from, "", fault.Newf(fault.Conflict, "branch_gone", "The branch %s does not exist any more.", branch)
	case err != nil || !found:
		return branch, from, head, err
	case redoes(entries, w.job.Round):
		if w.job.BaseCommit == "" {
			head, err = tip, w.onlyOwn(ctx, branch, tip)
		}
		return branch, from, head, err
	}
	// An earlier round may have pushed: continue from there, including commits that people have added.
	from.Branch = branch
	return branch, from, cmp.Or(head, tip), nil
}

// lost reports whether the previous round ended without pushing the changes that its calls made: the conversation
// mentions the changes, but the files do not contain them.
func lost(entries []agentjob.Entry, round int) bool {
	worked := false
	for _, e := range entries {
		switch {
		case e.Round != round-1:
		case e.Kind == agentjob.Results:
			worked = true
		case e.Kind == agentjob.Note && (e.Code == "pushed" || e.Code == "completed"):
			worked = false
		}
	}
	return worked
}

// recover finds out what a killed attempt of this round pushed without recording it. If the newest commit is a
// person's, recover records nothing: a new commit without that person's changes would revert them.
func (w *work) recover(ctx context.Context) error {
	if w.job.DryRun {
		return nil
	}
	tip, found, err := w.Git.Tip(ctx, w.place.Remote, w.job.Ref)
	if err != nil || !found || tip == w.job.HeadCommit || tip == w.job.BaseCommit {
		return err
	}
	at := w.place.Remote
	at.Branch = w.job.Ref
	email, message, err := w.Git.Made(ctx, at, tip)
	if err != nil || !w.made(email, message) {
		return err
	}
	w.job, err = w.record.set(ctx, store.AgentProgress{HeadCommit: tip}, agentjob.Entry{Kind: agentjob.Note,
		Code: "pushed", Text: fmt.Sprintf("Commit %.12s is on %s.", tip, w.job.Ref)})
	return err
}

// remarks returns people's comments on the pull request, for a round that continues it. Errors of the code host do
// not stop the round.
func (w *work) remarks(ctx context.Context) []agentjob.Entry {
	if w.job.PRNumber == 0 {
		return nil
	}
	list, err := w.place.Host.Comments(ctx, w.job.PRNumber)
	if err != nil {
		w.Log.Warn("failed to read pull request comments", "job", w.job.ID, "error", err)
		return nil
	}
	text := remarksText(list)
	secrets, err := w.secrets(ctx, w.job)
	if err != nil {
		w.Log.Warn("failed to list the secrets to redact, omitting pull request comments", "job", w.job.ID, "error", err)
	}
	if text == "" || err != nil {
		return nil
	}
	return []agentjob.Entry{{Kind: agentjob.Note, Code: comments, Text: guard.Redact(text, secrets)}}
}

const maxRemarks = 64 << 10 // bytes of comments sent to the model

func remarksText(list []pull.Comment) string {
	if len(list) == 0 {
		return ""
	}
	var all []string
	room := maxRemarks
	for _, c := range slices.Backward(list) { // the newest are the most important
		place := ""
		if c.File != "" {
			place = fmt.Sprintf(" on %s line %d", c.File, c.Line)
		}
		one := fmt.Sprintf("%s%s: %s\n", c.Author, place, c.Body)
		if room -= len(one); room < 0 {
			all = append(all, "… earlier comments are omitted\n")
			break
		}
		all = append(all, one)
	}
	slices.Reverse(all)
	return "Comments on the pull request:\n" + guard.Untrusted("comments", guard.Clean(strings.Join(all, "")))
}

// prepareConversation restores the toolset and the conversation from the record.
func (w *work) prepareConversation(ctx context.Context, engine Engine) error {
	limits := w.Limits.OrDefault()
	tree := draft.New(w.base)
	products, err := w.pinProducts(ctx)
	if err != nil {
		return err
	}
	options := agenttools.Options{Tree: tree, Base: w.base, Build: w.Build(w.project, w.base),
		Keep: w.keep, MaxFiles: limits.Files, MaxBytes: limits.Bytes,
		Refuse: w.Rules.Refuse, Shell: w.Shell, Samples: w.Samples}
	if len(products.at) > 0 {
		options.Products = products
	}
	toolset := agenttools.New(options)
	opening, err := w.opening(ctx)
	if err != nil {
		return err
	}
	secrets, err := w.secrets(ctx, w.job)
	if err != nil {
		return err
	}
	w.conversation = &conversation{record: w.record, toolset: toolset, engine: engine, limits: limits, scrub: newScrubber(secrets),
		rules: w.Rules, linked: w.linked, opening: opening, round: w.job.Round,
		unproposed: w.job.HeadCommit != "" && w.job.PRNumber == 0,
		folder:     func() (string, func() error, error) { return w.Scratch.Folder("program") }, reached: w.reached,
		now: w.Now}
	if err := w.conversation.recall(ctx); err != nil {
		return err
	}
	w.conversation.begun = began(w.conversation.entries, w.job.Round, w.Now())
	return nil
}

// began returns the time at which a round's work started, moved forward by the length of any interruption. The time
// between an earlier attempt's last step and now does not count, because no worker was working on the round.
func began(entries []agentjob.Entry, round int, now time.Time) time.Time {
	var first, last time.Time
	for _, e := range entries {
		switch {
		case e.Round != round:
		case e.Kind == agentjob.Note && e.Code == "began":
			first, last = e.At, e.At
		case e.Kind == agentjob.Answer || e.Kind == agentjob.Results:
			last = e.At
		}
	}
	return now.Add(-max(0, last.Sub(first)))
}

// keep provides a folder for the built site, which the search tool reads.
func (w *work) keep() (output.Sink, fs.FS, error) {
	dir, remove, err := w.Scratch.Folder("search")
	if err != nil {
		return nil, nil, err
	}
	w.closers = append(w.closers, remove)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open folder for the built site: %w", err)
	}
	w.closers = append(w.closers, root.Close)
	return output.NewDir(root), root.FS(), nil
}
