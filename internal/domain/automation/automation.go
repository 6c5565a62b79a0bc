package automation

import (
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Trigger is the kind of event that starts an automation.
type Trigger string

// The triggers.
const (
	OnSchedule Trigger = "schedule" // at scheduled times
	OnCall     Trigger = "call"     // when a program or a person starts it
	OnGaps     Trigger = "gaps"     // at scheduled times, if readers missed something since the last run
	OnPush     Trigger = "push"     // when a product repository has new commits
	OnComment  Trigger = "comment"  // when somebody asks for it in a comment on a pull request or an issue
	OnLabel    Trigger = "label"    // when a pull request or an issue gets the automation's label
)

var triggers = []Trigger{OnSchedule, OnCall, OnGaps, OnPush, OnRelease, OnAPI, OnFindings, OnFeedback, OnComment, OnLabel}

// Scheduled reports whether automations with this trigger run on a schedule.
func (t Trigger) Scheduled() bool { return t == OnSchedule || t == OnGaps || t == OnFeedback }

// Automation is a task for an agent that starts automatically.
type Automation struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Name           string // unique in its project; used in calls
	Trigger        Trigger
	Schedule       Schedule // zero if the trigger does not use it
	Prompt         string   // "" = the prompt of Workflow, or of the trigger
	Workflow       string   // id of a predefined task, see agentjob.Workflows; "" = use Prompt
	Label          string   // label that starts it; "" unless the trigger is OnLabel
	MaxPerDay      int      // maximum number of jobs it may start within 24 hours
	AtLeast        int      // number of findings or remarks required to start a job; 1 if the trigger does not count
	Enabled        bool
	DryRun         bool       // only log what would have started
	Owner          string     // key or member that created it or changed it last
	NextRunAt      *time.Time // nil = it is off, or has no schedule
	LastRunAt      *time.Time // time of the newest log entry, including dry runs and skipped runs; nil = none
	// GapsUntil is the time up to which gaps or feedback have been processed. Only the triggers for gaps and feedback
	// use it
	GapsUntil time.Time
	// Seen is the deployment whose findings or API descriptions have been examined; "" = none yet. Only the triggers
	// for findings and API descriptions use it
	Seen string
	// Noticed maps addresses of API descriptions to digests of their differences from the copies in the deployment Seen
	Noticed   map[string]string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Limits of automations.
const (
	MaxAutomations   = 20 // per project
	MaxPerDay        = 24
	DefaultMaxPerDay = 1
	// KeepRuns is how long log entries are kept.
	KeepRuns = 90 * 24 * time.Hour
)

// nameForm permits only names that can be part of a URL path without escaping.
var nameForm = lazyregexp.New(`^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$`)

// ValidName reports whether a name is valid. Other names do not have to be looked up.
func ValidName(name string) bool { return nameForm.MatchString(name) }

// Validate checks the fields that a caller sets.
func (a Automation) Validate() error {
	switch {
	case a.Name == "":
		return fault.New(fault.Invalid, "missing_field", "name is empty.").WithField("name")
	case !ValidName(a.Name):
		return invalid("name", "name must have 1 to 50 lower-case letters, digits and hyphens, such as weekly-links.")
	case slices.Contains(agentjob.Workflows(), a.Name):
		return invalid("name", "%s is the name of a workflow that every project has.", a.Name)
	case !slices.Contains(triggers, a.Trigger):
		return invalid("trigger", "trigger must be %s.", orList(triggers))
	case a.MaxPerDay < 1 || a.MaxPerDay > MaxPerDay:
		return invalid("maxPerDay", "maxPerDay must be a number from 1 to %d.", MaxPerDay)
	case a.AtLeast < 1 || a.AtLeast > MaxAtLeast:
		return invalid("atLeast", "atLeast must be a number from 1 to %d.", MaxAtLeast)
	case a.AtLeast > 1 && !a.Trigger.Counted():
		return invalid("atLeast", "The trigger %s does not count findings or remarks, so atLeast must be 1.", a.Trigger)
	}
	if err := a.validateTask(); err != nil {
		return err
	}
	if err := a.validateLabel(); err != nil {
		return err
	}
	switch {
	case a.Trigger.Scheduled():
		return a.Schedule.Validate()
	case !a.Schedule.IsZero():
		return invalid("schedule", "An automation with the trigger %s has no schedule.", a.Trigger)
	}
	return nil
}

// validateTask checks the automation's prompt or workflow.
func (a Automation) validateTask() error {
	if a.Prompt != "" {
		if _, err := agentjob.CleanPrompt(a.Prompt); err != nil {
			return err
		}
	}
	switch {
	case a.Prompt != "" && a.Workflow != "":
		return invalid("workflow", "An automation has either a prompt or a workflow.")
	case a.Workflow != "":
		if _, known := agentjob.WorkflowPrompt(a.Workflow); !known {
			return invalid("workflow", "There is no workflow with that name.").
				WithHint("The available workflows are " + strings.Join(agentjob.Workflows(), ", ") + ".")
		}
		return nil
	case a.Prompt == "" && ownPrompts[a.Trigger] != "":
		return nil
	}
	_, err := agentjob.CleanPrompt(a.Prompt)
	return err
}

// ownPrompts are the default prompts of triggers.
var ownPrompts = map[Trigger]string{OnGaps: gapsPrompt, OnPush: pushPrompt, OnRelease: releasePrompt, OnAPI: apiPrompt,
	OnFindings: findingsPrompt, OnFeedback: feedbackPrompt, OnComment: commentPrompt, OnLabel: labelPrompt}

const pushPrompt = "The product's code has changed: the message that follows has the changes as a patch. Find what the " +
	"documentation says about it, read the code with search_product and read_product where the patch is not enough, and " +
	"change what is no longer true or what is missing. If the documentation needs no change, finish and say why."

const gapsPrompt = "Readers missed something: the message that follows lists questions that the documentation did not " +
	"answer, searches that found nothing, and questions that the assistant refused. Of the refused ones, deal only with those " +
	"that readers of this documentation would ask. Where the folder has what is needed, add it to the pages that readers would " +
	"open, or add the words that they use. Skip what is not about this product, and name in the summary what you could " +
	"not answer from the folder."

// Task returns the prompt for the agent.
func (a Automation) Task() string {
	if prompt, ok := agentjob.WorkflowPrompt(a.Workflow); ok {
		return prompt
	}
	if a.Prompt == "" {
		return ownPrompts[a.Trigger]
	}
	return a.Prompt
}

// Plan returns the time of the automation's next scheduled run; nil = none.
func (a Automation) Plan(now time.Time) *time.Time {
	if !a.Enabled || !a.Trigger.Scheduled() {
		return nil
	}
	next := a.Schedule.Next(now)
	return &next
}

func invalid(field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, "invalid_field", format, args...).WithField(field)
}

// Unknown returns the fault for an automation that the project does not have.
func Unknown() error { return fault.New(fault.NotFound, "unknown_automation", "Automation not found.") }
