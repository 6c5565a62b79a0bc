package automate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Starter starts agent jobs for automations.
type Starter struct {
	Store  *store.Store
	Models []string // models available to agents, default first; nil = this server runs no agents
	// Secrets returns the values to redact from an organization's records; nil = none
	Secrets func(ctx context.Context, organizationID string) ([]string, error)
	Now     func() time.Time
	Logger  *slog.Logger // used only by Due
}

// Request describes why, and for whom, an automation should run.
type Request struct {
	Cause automation.Cause
	Actor string // "" = the schedule
	ID    string // id of the HTTP request; "" = none
	Dry   bool   // only report what would start
	Why   string // the reason, as a sentence; "" = derived from Cause
	Given string // untrusted text that the run is about; "" = none, or found by the trigger
	// Nothing says why there is nothing to do; "" = there is something to do, or the trigger decides
	Nothing string
	Task    string // the agent's task; "" = the automation's own
	By      string // who requested it on a code host; "" = no one
	// On is the pull request to work on, or the issue to address; zero = neither
	On agentjob.Job
	// Answers is the job to continue, whose question this task answers; "" = start a new job
	Answers string
}

// Starting holds the data that must be read before the transaction that starts a job.
type Starting struct {
	*Starter
	secrets []string
}

// Prepare reads what Start needs before its transaction begins.
func (s *Starter) Prepare(ctx context.Context, organizationID string) (Starting, error) {
	out := Starting{Starter: s}
	if s.Secrets == nil {
		return out, nil
	}
	var err error
	out.secrets, err = s.Secrets(ctx, organizationID)
	return out, err
}

const dueAtOnce = 100 // automations started by one call of Due

// Due starts the automations that are due. Any number of processes may call it: each scheduled time is used once. An
// automation that fails to start is retried by the next call and does not delay the others.
func (s *Starter) Due(ctx context.Context) error {
	due, err := s.Store.ListDueAutomations(ctx, s.Now(), dueAtOnce)
	if err != nil {
		return err
	}
	var errs []error
	for _, a := range due {
		if err := s.startDue(ctx, a); err != nil {
			errs = append(errs, fmt.Errorf("start automation %s: %w", a.ID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Starter) startDue(ctx context.Context, due automation.Automation) error {
	ready, err := s.Prepare(ctx, due.OrganizationID)
	if err != nil {
		return err
	}
	var run automation.Run
	err = s.Store.Tx(ctx, func(tx *store.Tx) error {
		a, err := tx.HoldAutomation(ctx, due.OrganizationID, due.ProjectID, due.ID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		// Another process was first, or the automation changed.
		if err != nil || a.NextRunAt == nil || a.NextRunAt.After(s.Now()) {
			return err
		}
		run, err = ready.Start(ctx, tx, a, Request{Cause: automation.BySchedule})
		return err
	})
	if err == nil && run.ID != "" {
		s.Logger.InfoContext(ctx, "automation is due", "automation", due.ID, "decision", run.Decision, "reason", run.Reason,
			"job", run.JobID)
	}
	return err
}

// Start decides whether a locked automation runs, starts its job, and logs the decision.
func (s Starting) Start(ctx context.Context, tx *store.Tx, a automation.Automation, ask Request) (automation.Run, error) {
	now := s.Now()
	dry := ask.Dry || a.DryRun
	run := automation.Run{Cause: ask.Cause, Actor: ask.Actor, Detail: guard.Visible(detailOf(a, ask)),
		Context: guard.Redact(guard.Visible(ask.Given), s.secrets)}
	skip := func(why automation.Reason, detail string, gapsUntil *time.Time) (automation.Run, error) {
		run.Decision, run.Reason, run.Detail = automation.Skipped, why, guard.Visible(run.Detail+" "+detail)
		return s.NotStarted(ctx, tx, a, run, ask, gapsUntil)
	}
	past, err := tx.FindAutomationPast(ctx, a.ID, now)
	if err != nil {
		return run, err
	}
	if why, detail, ok := a.Decide(past, dry); !ok {
		return skip(why, detail, nil)
	}
	if a.Trigger.Discussed() && ask.Task == "" && a.Prompt == "" && a.Workflow == "" {
		return skip(automation.NothingNew, "There is no comment or label to act on.", nil)
	}
	found, err := s.newsOf(ctx, tx, a, ask, now)
	if err != nil {
		return run, err
	}
	if found.nothing != "" {
		return skip(automation.NothingNew, found.nothing, found.until)
	}
	if run.Detail += found.why; found.given != "" {
		run.Context = found.given
	}
	if dry {
		run.Decision = automation.WouldStart
		run.Detail += " A dry run starts nothing."
		return s.NotStarted(ctx, tx, a, run, ask, nil)
	}
	job, err := s.create(ctx, tx, a, ask, run.Context)
	if f, ok := fault.As(err); ok && (fault.HasCode(err, "agent_off") || fault.Is(err, fault.RateLimited) ||
		fault.Is(err, fault.Conflict)) {
		return skip(automation.Refused, f.Public, nil)
	}
	if err != nil {
		return run, err
	}
	run.Decision, run.JobID = automation.Started, job.ID
	return tx.AddAutomationRun(ctx, a, run, found.until)
}

// NotStarted logs a run of a locked automation that did not start a job. Runs requested by a person or a program also
// go to the audit log; scheduled runs that start no job would only fill it.
func (s *Starter) NotStarted(ctx context.Context, tx *store.Tx, a automation.Automation, run automation.Run, ask Request,
	gapsUntil *time.Time) (automation.Run, error) {
	run, err := tx.AddAutomationRun(ctx, a, run, gapsUntil)
	if err != nil || ask.Actor == "" {
		return run, err
	}
	return run, tx.Record(ctx, event.New(a.OrganizationID, ask.Actor, "automation.run", a.ID, ask.ID, s.Now(),
		map[string]string{"project": a.ProjectID, "name": a.Name, "decision": string(run.Decision),
			"reason": string(run.Reason)}))
}

// detailOf describes what requested a run.
func detailOf(a automation.Automation, ask Request) string {
	switch {
	case ask.Why != "":
		return ask.Why
	case ask.Cause == automation.BySchedule && a.NextRunAt != nil:
		return "Planned for " + a.NextRunAt.UTC().Format(time.RFC3339) + "."
	case ask.Cause == automation.ByCall:
		return "Called as the workflow " + a.Name + "."
	}
	return "Started by hand."
}

// create stores the job, or the message that continues an earlier job, together with its event.
func (s Starting) create(ctx context.Context, tx *store.Tx, a automation.Automation, ask Request,
	given string) (agentjob.Job, error) {
	p, err := tx.FindProject(ctx, a.OrganizationID, a.ProjectID)
	if err != nil {
		return agentjob.Job{}, err
	}
	model, err := agentjob.ChooseModel(s.Models, "")
	if err != nil {
		return agentjob.Job{}, err
	}
	var with []string
	if given != "" {
		with = append(with, given)
	}
	author, actor := ask.Actor, ask.Actor
	if actor == "" {
		author, actor = a.Owner, "system"
	}
	if ask.By != "" { // the task is not in the owner's words
		author = actor
	}
	prompt := agentjob.Entry{Author: author, Text: cmp.Or(ask.Task, a.Task())}
	data := map[string]string{"project": p.ID, "automation": a.Name, "cause": string(ask.Cause)}
	if ask.By != "" {
		data["by"] = ask.By
	}
	if ask.Answers != "" {
		j, err := tx.SayToAgentJob(ctx, a.OrganizationID, p.ID, ask.Answers, prompt, with...)
		if err != nil {
			return j, err
		}
		return j, tx.Record(ctx, event.New(a.OrganizationID, actor, "agent.message", j.ID, ask.ID, s.Now(), data))
	}
	job := ask.On
	job.OrganizationID, job.ProjectID, job.Model, job.Repository = a.OrganizationID, p.ID, model, p.Source.URL()
	j, err := tx.CreateAgentJob(ctx, job, prompt, with...)
	if err != nil {
		return j, err
	}
	data["model"] = j.Model
	return j, tx.Record(ctx, event.New(a.OrganizationID, actor, "agent.start", j.ID, ask.ID, s.Now(), data))
}
