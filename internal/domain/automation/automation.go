package automation

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Trigger is what makes an automation start.
type Trigger string

// The triggers.
const (
	OnSchedule Trigger = "schedule" // at the times of its schedule
	OnCall     Trigger = "call"     // when a program or a person starts it
	OnGaps     Trigger = "gaps"     // at the times of its schedule, if readers missed something since the last run
	OnPush     Trigger = "push"     // when a product repository has new commits
	OnComment  Trigger = "comment"  // when somebody asks for it in a comment on a pull request or an issue
	OnLabel    Trigger = "label"    // when a pull request or an issue gets its label
)

var triggers = []Trigger{OnSchedule, OnCall, OnGaps, OnPush, OnRelease, OnAPI, OnFindings, OnFeedback, OnComment, OnLabel}

// Scheduled reports whether automations with this trigger start at times.
func (t Trigger) Scheduled() bool { return t == OnSchedule || t == OnGaps || t == OnFeedback }

// Automation is a task for an agent that starts by itself.
type Automation struct {
	ID             string
	OrganizationID string
	ProjectID      string
	Name           string // unique in its project; calls name it
	Trigger        Trigger
	Schedule       Schedule // zero if the trigger needs none
	Prompt         string   // "" = that of Workflow, or of the trigger
	Workflow       string   // id of a task that every server has, see agentjob.Workflows; "" = Prompt is used
	Label          string   // that starts it; "" unless the trigger is OnLabel
	MaxPerDay      int      // jobs that it may start within 24 hours
	AtLeast        int      // how many findings, or remarks of readers, it waits for; 1 if the trigger does not count
	Enabled        bool
	DryRun         bool       // the log says what would have started, and nothing is started
	Owner          string     // key or member who created it or changed it last
	NextRunAt      *time.Time // nil = it is off, or has no schedule
	LastRunAt      *time.Time // newest entry of its log, dry runs and skipped ones too; nil = none
	// GapsUntil is up to when gaps or feedback were given to an agent, or were none; those of these triggers alone use it
	GapsUntil time.Time
	Seen      string // deployment whose findings it knows; "" = none yet; those of that trigger alone use it
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Limits of automations.
const (
	MaxAutomations   = 20 // of a project
	MaxPerDay        = 24
	DefaultMaxPerDay = 1
	// KeepRuns is how long entries of the log are kept.
	KeepRuns = 90 * 24 * time.Hour
)

// nameForm is what an address can have without escapes.
var nameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$`)

// ValidName reports whether an automation can have a name. Others are not looked for in a database.
func ValidName(name string) bool { return nameForm.MatchString(name) }

// Validate checks what a caller chose.
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
		return invalid("atLeast", "An automation with the trigger %s does not count: atLeast must be 1.", a.Trigger)
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

// validateTask checks what the agent is asked to do.
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
			return invalid("workflow", "There is no workflow of that name.").
				WithHint("The available workflows are " + strings.Join(agentjob.Workflows(), ", ") + ".")
		}
		return nil
	case a.Prompt == "" && ownPrompts[a.Trigger] != "":
		return nil
	}
	_, err := agentjob.CleanPrompt(a.Prompt)
	return err
}

// ownPrompts are what agents do unless the automation says otherwise.
var ownPrompts = map[Trigger]string{OnGaps: gapsPrompt, OnPush: pushPrompt, OnRelease: releasePrompt, OnAPI: apiPrompt,
	OnFindings: findingsPrompt, OnFeedback: feedbackPrompt, OnComment: commentPrompt, OnLabel: labelPrompt}

const pushPrompt = "The product's code has changed: the message that follows has the changes as a patch. Find what the " +
	"documentation says about it, read the code with search_product and read_product where the patch is not enough, and " +
	"change what is no longer true or what is missing. If the documentation needs no change, finish and say why."

const gapsPrompt = "Readers missed something: the message that follows lists questions that the documentation did not " +
	"answer, and searches that found nothing. Where the folder has what is needed, add it to the pages that readers would " +
	"open, or add the words that they use. Skip what is not about this product, and name in the summary what you could " +
	"not answer from the folder."

// Task returns what the agent is asked to do.
func (a Automation) Task() string {
	if prompt, ok := agentjob.WorkflowPrompt(a.Workflow); ok {
		return prompt
	}
	if a.Prompt == "" {
		return ownPrompts[a.Trigger]
	}
	return a.Prompt
}

// Plan returns when the automation runs next; nil = never by itself.
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

// Unknown is the answer for an automation that the project does not have.
func Unknown() error { return fault.New(fault.NotFound, "unknown_automation", "Automation not found.") }
