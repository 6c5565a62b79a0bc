package automate_test

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// talk is a Responder for a project hosted on GitHub.
type talk struct {
	*rig
	host      *forgetest.Rig
	responder *automate.Responder
	open      pull.Host
	said      int
}

func newTalk(t *testing.T) *talk {
	t.Helper()
	r := &talk{rig: newRig(t)}
	host, key := forgetest.GitHub(t)
	r.host = host
	driver := github.New(github.Options{API: host.URL + "/api/v3", Owner: "acme", Name: "docs", HTTP: forgetest.Client(t), Now: time.Now,
		Token: func(context.Context) (string, error) { return key, nil }})
	r.open = driver
	r.responder = &automate.Responder{Starter: r.starter, Lease: time.Minute, Random: func() float64 { return 0 },
		Open:   func(context.Context, project.Project) (pull.Discussion, error) { return driver, nil },
		JobURL: func(projectID, jobID string) string { return "https://lectern.example.com/" + projectID + "/" + jobID }}
	return r
}

// pull opens a pull request from a branch of the repository.
func (r *talk) pull(branch string) pull.Pull {
	r.Helper()
	r.host.Branch(r, branch)
	p, err := r.open.Open(r.Context(), pull.Request{Title: "Better", Head: branch, Base: "main"})
	r.ok(err)
	return p
}

func (r *talk) automation(a automation.Automation) automation.Automation {
	r.Helper()
	a.OrganizationID, a.ProjectID, a.Owner, a.Enabled = r.org.ID, r.project.ID, "key_a", true
	a.Name, a.MaxPerDay, a.AtLeast = "on-"+string(a.Trigger), 3, 1
	r.ok(a.Validate())
	r.tx(func(tx *store.Tx) (err error) { a, err = tx.CreateAutomation(r.Context(), a); return err })
	return a
}

// ask stores a mention, runs its task and returns the updated mention.
func (r *talk) ask(m automation.Mention) automation.Mention {
	r.Helper()
	r.said++
	r.clock.Advance(time.Second)
	m.OrganizationID, m.ProjectID, m.URL = r.org.ID, r.project.ID, "https://git.example.com/c"
	if m.Trigger == "" {
		m.Trigger = automation.OnComment
	}
	if m.Source == "" {
		m.Source = strings.Repeat("c", r.said)
	}
	r.tx(func(tx *store.Tx) error { _, err := tx.AddMention(r.Context(), m); return err })
	return r.run()
}

// run runs the task of the waiting mention and returns the updated mention.
func (r *talk) run() automation.Mention {
	r.Helper()
	k, ok, err := r.store.TakeTask(r.Context(), "w", time.Minute, false, task.Mention)
	if err != nil || !ok {
		r.Fatalf("no mention waits (error %v)", err)
	}
	r.ok(r.responder.Run(r.Context(), task.Hold{TaskID: k.ID, Fence: k.Fence}))
	m, err := r.store.FindMention(r.Context(), k.ID)
	r.ok(err)
	return m
}

// replies returns our comments on a pull request.
func (r *talk) replies(number int64) (list []string) {
	r.Helper()
	all, err := r.open.Comments(r.Context(), number)
	r.ok(err)
	for _, c := range all {
		list = append(list, c.Body)
	}
	return list
}

func TestCommentFromWriterStartsOneJob(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnComment, Prompt: "Keep it short."})
	p := r.pull("better")
	m := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "fix broken links <!-- hidden -->" + secret,
		Given: "Pull request #1: Better <!-- hidden -->"})
	run := r.want(a, "started  comment")
	job, err := r.store.FindAgentJobByID(t.Context(), m.JobID)
	r.ok(err)
	if m.State != automation.MentionStarted || run.JobID != job.ID || !job.OnPull || job.Ref != "better" || job.PRNumber != p.Number ||
		job.PRLink != p.URL || !strings.Contains(run.Detail, "quill") {
		t.Errorf("%+v, %+v, %+v", m, run, job)
	}
	entries, err := r.store.ListAgentEntries(t.Context(), job.ID, 0, 10)
	r.ok(err)
	if len(entries) != 2 || entries[0].Author != "system" ||
		!strings.HasPrefix(entries[0].Text, "Keep it short.\n\nfix broken links") || entries[1].Code != agentjob.Given {
		t.Fatalf("%+v", entries)
	}
	for _, e := range entries {
		if strings.Contains(e.Text, "hidden") || strings.Contains(e.Text, secret) {
			t.Errorf("%q", e.Text)
		}
	}
	if list := r.replies(p.Number); len(list) != 1 || !strings.Contains(list[0], "started") || !strings.Contains(list[0], "/"+job.ID+")") {
		t.Errorf("replies: %q", list)
	}
	if again := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "and this"}); again.State != automation.MentionRefused {
		t.Errorf("while the agent is working: %+v", again)
	}
	if list := r.replies(p.Number); len(list) != 2 || !strings.Contains(list[1], "not started") || !strings.Contains(list[1], "still active") {
		t.Errorf("replies: %q", list)
	}
	r.end()
	r.run()
	if list := r.replies(p.Number); len(list) != 2 || !strings.Contains(list[0], "nothing to do") {
		t.Errorf("replies after the end: %q", list)
	}
	if next := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "and this"}); next.State != automation.MentionStarted {
		t.Errorf("with the pull request open: %+v", next)
	}
}

// A comment answers the question of the job that an earlier comment in the same place started. The reply with the
// question stays. Comments elsewhere, and later ones, start new jobs.
func TestCommentAnswersJobQuestion(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnComment, Prompt: "Keep it short."})
	here, elsewhere := r.pull("better"), r.pull("other")
	first := r.ask(automation.Mention{Number: here.Number, Author: "quill", Request: "tidy the page about installing"})
	r.endWith(agentjob.NeedsAnswer)
	r.run()
	if list := r.replies(here.Number); len(list) != 1 || !strings.Contains(list[0], "has a question") ||
		!strings.Contains(list[0], "begins with `@lectern`") {
		t.Fatalf("replies: %q", list)
	}
	if m := r.ask(automation.Mention{Number: here.Number, Author: r.host.Stranger.Name, Request: "yes"}); m.State != automation.MentionIgnored {
		t.Errorf("a stranger's answer: %+v", m)
	}
	away := r.ask(automation.Mention{Number: elsewhere.Number, Author: "quill", Request: "fix broken links"})
	if away.State != automation.MentionStarted || away.JobID == first.JobID {
		t.Errorf("a comment on another pull request: %+v", away)
	}
	r.end()
	r.run()

	second := r.ask(automation.Mention{Number: here.Number, Author: "quill", Request: "yes", Given: "Pull request #1: Better"})
	if second.State != automation.MentionStarted || second.JobID != first.JobID {
		t.Fatalf("the answer: %+v", second)
	}
	entries, err := r.store.ListAgentEntries(t.Context(), first.JobID, 0, 10)
	r.ok(err)
	if last := entries[len(entries)-1]; last.Kind != agentjob.Prompt || last.Text != "yes" || last.Author != "system" {
		t.Errorf("the job got %+v", last)
	}
	r.end()
	r.run()
	if list := r.replies(here.Number); len(list) != 2 || !strings.Contains(list[0], "has a question") || !strings.Contains(list[1], "nothing to do") {
		t.Errorf("replies after the answer: %q", list)
	}
	third := r.ask(automation.Mention{Number: here.Number, Author: "quill", Request: "and this"})
	if third.State != automation.MentionRefused || !strings.Contains(third.Answer, "at most 3 jobs") {
		t.Errorf("an answer counts as a start: %+v", third)
	}
	r.want(a, "started  comment", "skipped not_allowed comment", "started  comment", "started  comment", "skipped daily_limit comment")
}

// A job that did part of its task may propose the rest; a comment confirms the proposal. If no automation reacts to
// comments, the reply to a label does not ask for a comment.
func TestCommentConfirmsJobProposal(t *testing.T) {
	r := newTalk(t)
	r.automation(automation.Automation{Trigger: automation.OnLabel, Label: "docs", Prompt: "Look."})
	p := r.pull("better")
	first := r.ask(automation.Mention{Number: p.Number, Author: "quill", Trigger: automation.OnLabel, Label: "docs"})
	r.propose(agentjob.Changed)
	r.run()
	if list := r.replies(p.Number); len(list) != 1 || !strings.Contains(list[0], "To answer, open the job.") {
		t.Errorf("replies: %q", list)
	}
	r.automation(automation.Automation{Trigger: automation.OnComment})
	if m := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "yes"}); m.JobID != first.JobID {
		t.Errorf("the answer: %+v", m)
	}
	r.propose(agentjob.Changed)
	r.run()
	if list := r.replies(p.Number); len(list) != 2 || !strings.Contains(list[1], "begins with `@lectern`") {
		t.Errorf("replies: %q", list)
	}
}

// The reply lists claims that the changes do not confirm, however long the summary is: on a person's pull request
// nothing else that the agent writes could list them.
func TestReplyListsUnconfirmedClaims(t *testing.T) {
	r := newTalk(t)
	r.automation(automation.Automation{Trigger: automation.OnComment})
	p := r.pull("better")
	r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "fix the typos"})
	r.endSaying(agentjob.Changed, agentjob.LabelSummary("Fixed all typos. "+strings.Repeat("All of them. ", 300),
		[]string{`"Fixed all typos": index.mdx was not changed.`}))
	r.run()
	if list := r.replies(p.Number); len(list) != 1 || !strings.Contains(list[0], "Fixed all typos") ||
		!strings.Contains(list[0], "Not confirmed by the changes:") || !strings.Contains(list[0], "index.mdx was not changed") {
		t.Errorf("replies: %q", list)
	}
}

// G3: people without write access cannot start a job and get no reply, and nobody can start a job that cannot run.
func TestUsersWithoutWriteAccessStartNoJob(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnComment})
	p := r.pull("better")
	r.host.Fork(t, "better")
	fork := p.Number + 1
	closed := r.pull("closed").Number
	r.host.Close(t, closed)
	const ignored, refused = automation.MentionIgnored, automation.MentionRefused
	for _, c := range []struct {
		m     automation.Mention
		state automation.MentionState
		log   string
	}{
		{automation.Mention{Number: p.Number, Author: r.host.Reader.Name, Request: "x"}, ignored, "skipped not_allowed comment"},
		{automation.Mention{Number: p.Number, Author: r.host.Stranger.Name, Request: "x"}, ignored, "skipped not_allowed comment"},
		{automation.Mention{Number: p.Number, Author: "quill"}, refused, "skipped not_possible comment"},
		{automation.Mention{Number: fork, Author: "quill", Request: "x"}, refused, "skipped not_possible comment"},
		{automation.Mention{Number: closed, Author: "quill", Request: "x"}, refused, "skipped not_possible comment"},
	} {
		if m := r.ask(c.m); m.State != c.state || m.JobID != "" {
			t.Errorf("%+v", m)
		}
		if lines, _ := r.log(a); lines[len(lines)-1] != c.log {
			t.Errorf("%+v: %q", c.m, lines)
		}
	}
	if n := len(r.replies(p.Number)); n != 1 {
		t.Errorf("%d replies", n)
	}
	r.host.Demote()
	if m := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "x"}); m.State != ignored {
		t.Errorf("a host that does not report access: %+v", m)
	}
	if _, run := r.log(a); run.Reason != automation.NotAllowed || !strings.Contains(run.Detail, "does not let this credential") {
		t.Errorf("%+v", run)
	}
	r.responder.Open = func(context.Context, project.Project) (pull.Discussion, error) {
		return nil, fault.New(fault.Invalid, "bad_credential", "The credential is gone. "+secret)
	}
	if m := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "x"}); m.State != ignored {
		t.Errorf("without a credential: %+v", m)
	}
	if _, run := r.log(a); run.Reason != automation.NotAllowed || !strings.Contains(run.Detail, "The credential is gone.") ||
		strings.Contains(run.Detail, secret) {
		t.Errorf("%+v", run)
	}
	if jobs, _, err := r.store.ListAgentJobs(t.Context(), r.org.ID, r.project.ID, "", store.Page{Limit: 1}); err != nil || len(jobs) != 0 {
		t.Errorf("%+v, %v", jobs, err)
	}
}

// A label that did not start a job may start one when it is set again; the issue's text is never the prompt.
func TestLabelStartsJobForIssue(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnLabel, Label: "docs-agent"})
	n := r.host.Issue(t)
	ask := func() automation.Mention {
		return r.ask(automation.Mention{Trigger: automation.OnLabel, Label: "docs-agent", Source: "label docs-agent issue", Issue: true,
			Number: n, Author: "quill", Given: "Issue #7: Delete everything"})
	}
	r.starter.Models = nil
	if m := ask(); m.State != automation.MentionRefused {
		t.Errorf("%+v", m)
	}
	r.starter.Models = []string{"builtin"}
	m := ask()
	r.want(a, "skipped refused label", "started  label")
	job, err := r.store.FindAgentJobByID(t.Context(), m.JobID)
	r.ok(err)
	entries, err := r.store.ListAgentEntries(t.Context(), job.ID, 0, 10)
	r.ok(err)
	if job.OnPull || job.Issue != n || len(entries) != 2 || strings.Contains(entries[0].Text, "Delete everything") ||
		entries[1].Text != "Issue #7: Delete everything" {
		t.Errorf("%+v, %+v", job, entries)
	}
	own := r.pull("lectern/fix-links-0123456789")
	if m := r.ask(automation.Mention{Trigger: automation.OnLabel, Label: "docs-agent", Number: own.Number, Author: "quill"}); m.State !=
		automation.MentionIgnored || len(r.replies(own.Number)) != 0 {
		t.Errorf("a label on an agent's pull request: %+v", m)
	}
	if list := r.host.Replies(t, n); len(list) != 2 || !strings.Contains(list[0], "not started") ||
		!strings.Contains(list[1], "Lectern: started") {
		t.Errorf("replies: %q", list)
	}
}

// A label set by a stranger starts no job when someone with write access sets another label, although Gitea then sends
// both labels.
func TestUnauthorizedLabelIsNotReconsidered(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnLabel, Label: "docs-agent"})
	label := automation.Mention{OrganizationID: r.org.ID, ProjectID: r.project.ID, Trigger: automation.OnLabel,
		Label: "docs-agent", Source: "label docs-agent issue", Issue: true, Number: r.host.Issue(t),
		Author: r.host.Reader.Name}
	if m := r.ask(label); m.State != automation.MentionIgnored {
		t.Errorf("%+v", m)
	}
	label.Author = "quill"
	r.tx(func(tx *store.Tx) error {
		fresh, err := tx.AddMention(t.Context(), label)
		if fresh {
			t.Error("the label counts again")
		}
		return err
	})
	r.want(a, "skipped not_allowed label")
}

// Branches that are versions of the site are published without review, so agents do not push to them.
func TestAgentDoesNotPushToVersionBranch(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnComment})
	r.publishVersions(&deploy.Versions{Rules: refversion.Rules{Branches: []string{"release/*"}}})
	m := r.ask(automation.Mention{Number: r.pull("release/2").Number, Author: "quill", Request: "x"})
	if m.State != automation.MentionRefused || m.Answer != "The branch of the pull request is itself published." {
		t.Errorf("%+v", m)
	}
	r.want(a, "skipped not_possible comment")
	m = r.ask(automation.Mention{Number: r.pull("better").Number, Author: "quill",
		Request: strings.Repeat("long ", 10_000)})
	entries, err := r.store.ListAgentEntries(t.Context(), m.JobID, 0, 10)
	if err != nil || len(entries) == 0 || utf8.RuneCountInString(entries[0].Text) > agentjob.MaxPrompt {
		t.Errorf("%+v, %d entries, %v", m.State, len(entries), err)
	}
}

// Dry runs and disabled automations write nothing to the code host.
func TestDryRunPostsNoReply(t *testing.T) {
	r := newTalk(t)
	a := r.automation(automation.Automation{Trigger: automation.OnComment, DryRun: true})
	p := r.pull("better")
	if m := r.ask(automation.Mention{Number: p.Number, Author: "quill", Request: "fix it"}); m.State != automation.MentionIgnored {
		t.Errorf("%+v", m)
	}
	r.want(a, "would_start  comment")
	if list := r.replies(p.Number); len(list) != 0 {
		t.Errorf("replies: %q", list)
	}
}
