package automate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// Responder handles comments and labels on code hosts that request an agent: it checks permissions, starts the job
// and replies with the outcome.
type Responder struct {
	*Starter
	// Open returns the code host of a project. A fault means that a retry cannot help.
	Open   func(ctx context.Context, p project.Project) (pull.Discussion, error)
	JobURL func(projectID, jobID string) string // returns the dashboard URL of a job
	Lease  time.Duration
	Random func() float64 // returns 0 to 1; spreads retries
}

// Run makes one attempt to handle a new mention and to post the reply.
func (r *Responder) Run(ctx context.Context, h task.Hold) error {
	m, err := r.Store.FindMention(ctx, h.TaskID)
	if fault.Is(err, fault.NotFound) { // deleted together with its project
		return r.Store.EndReply(ctx, h, m, "")
	}
	if err != nil {
		return err
	}
	err = r.attempt(ctx, h, &m)
	f, isFault := fault.As(err)
	switch {
	case err == nil:
		return r.Store.EndReply(ctx, h, m, "")
	case ctx.Err() != nil || !isFault || fault.IsOutage(err):
		return err
	case f.Kind == fault.Unavailable:
		return r.postpone(ctx, h, m, f)
	}
	return r.Store.EndReply(ctx, h, m, f.Sentence())
}

// Fail ends a mention that could not be handled.
func (r *Responder) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	m, err := r.Store.FindMention(ctx, h.TaskID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return r.Store.EndReply(ctx, h, m, why.Sentence)
}

// postpone schedules a retry when a code host is unavailable or busy.
func (r *Responder) postpone(ctx context.Context, h task.Hold, m automation.Mention, f *fault.Error) error {
	pause, last := pullpreview.PauseAfter(m.Attempts+1, f.RetryAfter, r.Random())
	if last {
		return r.Store.EndReply(ctx, h, m, f.Sentence())
	}
	if err := r.Store.PostponeReply(ctx, h, m, f.Sentence(), pause); err != nil {
		return err
	}
	return task.ErrPostponed
}

func (r *Responder) attempt(ctx context.Context, h task.Hold, m *automation.Mention) error {
	p, err := r.Store.FindProjectByID(ctx, m.ProjectID)
	if err != nil {
		return err
	}
	host, err := r.Open(ctx, p)
	if f, ok := fault.As(err); ok && m.State == automation.MentionNew && f.Kind != fault.Unavailable && !fault.IsOutage(err) {
		return r.decide(ctx, h, m, finding{reason: automation.NotAllowed, detail: f.Sentence()})
	}
	if err != nil {
		return err
	}
	if m.State == automation.MentionNew {
		found, err := r.examine(ctx, host, p, *m)
		if err != nil {
			return err
		}
		if err := r.decide(ctx, h, m, found); err != nil {
			return err
		}
	}
	if m.State == automation.MentionIgnored {
		return nil
	}
	return r.reply(ctx, host, m)
}

// finding is what the code host reports about a mention.
type finding struct {
	on     agentjob.Job // what the job works on
	reason automation.Reason
	detail string // why the job cannot start; "" if it can
}

// examine looks up on the code host who wrote the mention and what it refers to. Only people with write access to the
// repository may start an agent. Others get no reply, so that they cannot make us post comments.
func (r *Responder) examine(ctx context.Context, host pull.Discussion, p project.Project, m automation.Mention) (finding,
	error) {
	may, err := host.MayWrite(ctx, pull.Person{Name: m.Author, ID: m.AuthorID})
	switch f, isFault := fault.As(err); {
	case err != nil && (!isFault || f.Kind == fault.Unavailable || fault.IsOutage(err)):
		return finding{}, err
	case err != nil:
		return finding{reason: automation.NotAllowed, detail: f.Sentence()}, nil
	case !may:
		return finding{reason: automation.NotAllowed,
			detail: "The code host reports that they may not write to the repository."}, nil
	case m.Trigger == automation.OnComment && m.Request == "":
		return finding{reason: automation.NotPossible, detail: "Say what to do, after " + automation.Name + "."}, nil
	case m.Issue:
		return finding{on: agentjob.Job{Issue: m.Number}}, nil
	}
	at, err := host.Get(ctx, m.Number)
	switch f, isFault := fault.As(err); {
	case err != nil && (!isFault || f.Kind == fault.Unavailable || fault.IsOutage(err)):
		return finding{}, err
	case err != nil:
		return finding{reason: automation.NotPossible, detail: f.Sentence()}, nil
	}
	if m.Trigger == automation.OnLabel && strings.HasPrefix(at.Head, agentjob.BranchPrefix) && !at.Fork {
		return finding{reason: automation.NotAllowed, detail: "The pull request is an agent's: Lectern labels those itself."}, nil
	}
	version, err := r.isVersion(ctx, p, at.Head)
	if err != nil {
		return finding{}, err
	}
	out := finding{reason: automation.NotPossible}
	switch {
	case at.Fork:
		out.detail = "The branch of the pull request is in another repository, where Lectern does not push."
	case at.State != pull.Open:
		out.detail = fmt.Sprintf("The pull request is %s.", at.State)
	case at.Head == p.Source.Branch || version:
		out.detail = "The branch of the pull request is itself published."
	default:
		out = finding{on: agentjob.Job{OnPull: true, Ref: at.Head, PRLink: at.URL, PRNumber: at.Number, PRState: agentjob.PullOpen}}
	}
	return out, nil
}

// isVersion reports whether a branch is or will become a version of the site. It applies the rules of the live site and
// of the newest update, just like for pushes.
func (r *Responder) isVersion(ctx context.Context, p project.Project, branch string) (bool, error) {
	if strings.HasPrefix(branch, agentjob.BranchPrefix) { // an agent's branch is never a version
		return false, nil
	}
	for _, find := range []func() (deploy.Deployment, error){
		func() (deploy.Deployment, error) { return r.Store.FindDeploymentByID(ctx, p.LiveID) },
		func() (deploy.Deployment, error) { return r.Store.FindLastDeployment(ctx, p.ID) },
	} {
		d, err := find()
		if err != nil && !fault.Is(err, fault.NotFound) {
			return false, err
		}
		if err == nil && d.Versions != nil && d.Versions.Rules.Matches(refversion.FullName(branch)) {
			return true, nil
		}
	}
	return false, nil
}

// decide starts the automation or records why it does not, and logs the decision in the same transaction, so that each
// mention starts only one job. A label that did not start a job may be set again, unless it was set by someone without
// permission. Gitea sends all labels with each change, so such a label would otherwise start a job as soon as a
// permitted user sets another one.
func (r *Responder) decide(ctx context.Context, h task.Hold, m *automation.Mention, found finding) error {
	ready, err := r.Prepare(ctx, m.OrganizationID)
	if err != nil {
		return err
	}
	var held automation.Mention
	err = r.Store.Tx(ctx, func(tx *store.Tx) (err error) {
		held, err = tx.HoldMention(ctx, h, m.OrganizationID, r.Lease)
		if err != nil || held.State != automation.MentionNew {
			return err
		}
		held.State = automation.MentionIgnored
		a, ok, err := choose(ctx, tx, held)
		if err != nil {
			return err
		}
		if ok {
			if err := ready.startMention(ctx, tx, a, &held, found); err != nil {
				return err
			}
		}
		again := held.Trigger == automation.OnLabel && held.State != automation.MentionStarted &&
			found.reason != automation.NotAllowed
		return tx.DecideMention(ctx, held, again)
	})
	if err == nil {
		*m = held
	}
	return err
}

// choose returns the automation that a mention starts: the first enabled one by name, or the first one if none is
// enabled.
func choose(ctx context.Context, tx *store.Tx, m automation.Mention) (out automation.Automation, ok bool, err error) {
	list, err := tx.ListAutomations(ctx, m.OrganizationID, m.ProjectID)
	for _, a := range list {
		if a.Trigger != m.Trigger || !strings.EqualFold(a.Label, m.Label) || ok && !a.Enabled {
			continue
		}
		if out, ok = a, true; a.Enabled {
			break
		}
	}
	return out, ok, err
}

func (s Starting) startMention(ctx context.Context, tx *store.Tx, a automation.Automation, m *automation.Mention,
	found finding) error {
	clean := func(text string) string { return guard.Redact(guard.Clean(text), s.secrets) }
	shown := func(text string) string { return guard.Redact(guard.Visible(text), s.secrets) }
	ask := Request{Cause: automation.ByComment, By: m.Author, On: found.on, Given: guard.Clean(m.Given),
		Task: clip.Runes(clean(a.TaskOf(*m)), agentjob.MaxPrompt-1), // leave room for an ellipsis
		Why:  shown(fmt.Sprintf("%s wrote a comment on %s: %s.", m.Author, m.What(), m.URL))}
	if m.Trigger == automation.OnLabel {
		ask.Cause = automation.ByLabel
		ask.Why = shown(fmt.Sprintf("%s gave the label %s to %s: %s.", m.Author, m.Label, m.What(), m.URL))
	}
	if found.detail != "" {
		_, err := s.NotStarted(ctx, tx, a, automation.Run{Cause: ask.Cause, Decision: automation.Skipped, Reason: found.reason,
			Detail: ask.Why + " " + shown(found.detail)}, ask, nil)
		if found.reason != automation.NotAllowed && a.Enabled && !a.DryRun {
			m.State, m.Answer = automation.MentionRefused, shown(found.detail)
		}
		return err
	}
	if m.Trigger == automation.OnComment {
		asking, ok, err := tx.FindDiscussedJob(ctx, *m)
		if err != nil {
			return err
		}
		// The comment is the whole answer: the automation's standing instructions would obscure a "yes".
		if ok && asks(asking) {
			ask.Answers, ask.Given, ask.Task = asking.ID, "", clip.Runes(clean(m.Request), agentjob.MaxPrompt-1)
			ask.Why += fmt.Sprintf(" It answers the question of job %s.", asking.ID)
		}
	}
	run, err := s.Start(ctx, tx, a, ask)
	switch {
	case err != nil:
		return err
	case run.Decision == automation.Started:
		m.State, m.JobID = automation.MentionStarted, run.JobID
	case run.Decision == automation.Skipped && run.Reason != automation.Off:
		m.State, m.Answer = automation.MentionRefused, shown(strings.TrimSpace(strings.TrimPrefix(run.Detail, ask.Why)))
	}
	s.Logger.InfoContext(ctx, "automation requested on a code host", "automation", a.ID, "decision", run.Decision,
		"reason", run.Reason, "job", run.JobID)
	return nil
}

// reply posts or updates our comment.
func (r *Responder) reply(ctx context.Context, host pull.Discussion, m *automation.Mention) error {
	text := "**Lectern: not started.** " + plain(m.Answer)
	if m.State == automation.MentionStarted {
		j, err := r.Store.FindAgentJobByID(ctx, m.JobID)
		if fault.Is(err, fault.NotFound) { // the job was removed since; leave the reply as it is
			return nil
		}
		if err != nil {
			return err
		}
		newest, ok, err := r.Store.FindNewestMention(ctx, j.ID)
		if err != nil || ok && newest.ID != m.ID { // continued after another comment, whose reply reports it
			return err
		}
		text = describe(j, r.JobURL(j.ProjectID, j.ID))
		if asks(j) {
			hint, err := r.howToAnswer(ctx, *m)
			if err != nil {
				return err
			}
			text += "\n\n" + hint
		}
	}
	id, err := host.PutComment(ctx, m.Number, pull.Note{ID: m.ReplyID, Marker: m.ReplyMarker(),
		Body: m.ReplyMarker() + "\n\n" + text + "\n", Issue: m.Issue})
	if id != "" {
		m.ReplyID = id
	}
	return err
}

// asks reports whether a finished job waits for an answer. A job that completed part of its task may propose the rest.
func asks(j agentjob.Job) bool {
	return j.Status == agentjob.Completed && (j.Outcome == agentjob.NeedsAnswer || rules.Proposes(j.Summary))
}

// howToAnswer explains how to answer a job's question: in a comment, if an automation reacts to comments.
func (r *Responder) howToAnswer(ctx context.Context, m automation.Mention) (string, error) {
	list, err := r.Store.ListAutomations(ctx, m.OrganizationID, m.ProjectID)
	if slices.ContainsFunc(list, func(a automation.Automation) bool {
		return a.Trigger == automation.OnComment && a.Enabled && !a.DryRun
	}) {
		return "To answer, write a comment that begins with `" + automation.Name + "`.", err
	}
	return "To answer, open the job.", err
}

const maxSummary = 2000 // bytes of the agent's summary in a reply

// describe reports the state of a job.
func describe(j agentjob.Job, at string) string {
	link := fmt.Sprintf("[Open the job](%s)", at)
	words := map[agentjob.Outcome]string{agentjob.Changed: "changed", agentjob.WouldChange: "dry run", agentjob.NothingToDo: "nothing to do",
		agentjob.NotUnderstood: "not understood", agentjob.NeedsAnswer: "has a question", agentjob.Broken: "failed",
		agentjob.Stopped: "stopped"}
	word, ended := words[j.Outcome]
	if !ended {
		return "**Lectern: started.** The agent is working. " + link
	}
	text := fmt.Sprintf("**Lectern: %s.** ", word)
	switch {
	case j.Outcome == agentjob.Changed && j.OnPull:
		text += fmt.Sprintf("Pushed commit %.12s to this pull request. ", j.HeadCommit)
	case j.Outcome == agentjob.Changed && j.PRLink != "":
		text += fmt.Sprintf("Opened the pull request %s . ", j.PRLink)
	}
	text += link
	switch {
	case j.Outcome == agentjob.Broken && j.Error != "":
		text += "\n\n" + plain(j.Error)
	case j.Summary != "":
		said, label := agentjob.CutLabel(j.Summary)
		if said != "" {
			text += "\n\n" + plain(said)
		}
		if label != "" { // shown even if the summary is long
			text += "\n\n" + plain(label)
		}
	}
	return text
}

// plain makes text from a model, a code host or an author safe in a comment: no mentions, no active markup.
func plain(text string) string {
	if len(text) > maxSummary {
		text = strings.ToValidUTF8(text[:maxSummary], "") + "…"
	}
	return strings.ReplaceAll(guard.Tame(text, nil), "@", "@\u200b")
}
