package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type automationCommands struct {
	List   automationListCommand   `cmd:"" help:"List a project's automations."`
	Create automationCreateCommand `cmd:"" help:"Add an automation."`
	Update automationUpdateCommand `cmd:"" help:"Change an automation, or turn it on or off."`
	Run    automationRunCommand    `cmd:"" help:"Run an automation now, within its limits."`
	Log    automationLogCommand    `cmd:"" help:"List when an automation started or did not, and why, newest first."`
	Delete automationDeleteCommand `cmd:"" help:"Delete an automation and its log."`
}

type automationListCommand struct {
	remote
	ofProject
}

func (c *automationListCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	list, err := cl.ListAutomations(ctx, projectID)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, one := range list.Automations {
			rows = append(rows, []string{one.ID, one.Name, one.Trigger, scheduleText(one.Schedule), automationState(one),
				dayOr(one.NextRunAt, "-"), dayOr(one.LastRunAt, "never")})
		}
		return printTable(w, []string{"AUTOMATION ID", "NAME", "TRIGGER", "SCHEDULE", "STATE", "NEXT RUN", "LAST RUN"}, rows)
	})
}

func scheduleText(s *client.AutomationSchedule) string {
	if s == nil {
		return "-"
	}
	days := strings.Join(s.Days, ",")
	if days == "" {
		days = "daily"
	}
	zone := s.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	return days + " " + s.At + " " + zone
}

func automationState(a client.Automation) string {
	switch {
	case !a.Enabled:
		return "off"
	case a.DryRun:
		return "dry run"
	}
	return "on"
}

// automationTimes contains the flags of a schedule.
type automationTimes struct {
	At       string   `placeholder:"HH:MM" help:"Time of day."`
	Day      []string `placeholder:"DAY" help:"Day of the week: mon, tue and so on; repeat it for several. Default: every day."`
	TimeZone string   `placeholder:"ZONE" help:"Time zone, such as Europe/Berlin. Default: UTC."`
}

func (t automationTimes) schedule() client.AutomationSchedule {
	return client.AutomationSchedule{Days: t.Day, At: t.At, TimeZone: t.TimeZone}
}

type automationCreateCommand struct {
	remote
	ofProject
	automationTimes
	Name      string `arg:"" help:"Name, such as weekly-links."`
	Trigger   string `required:"" placeholder:"TRIGGER" help:"schedule, gaps or feedback (at set times, if readers missed something or were not helped), push, release or api (of a product repository), findings (of a publication), comment or label (on the code host) or call."`
	Prompt    string `help:"What the agent should do; - reads it from standard input."`
	Workflow  string `placeholder:"NAME" help:"Task instead of a prompt: fix-links, add-redirects, add-to-navigation, add-alt-text, add-descriptions or format."`
	Label     string `placeholder:"NAME" help:"Label that starts it; only with the trigger label."`
	MaxPerDay int    `placeholder:"NUMBER" help:"Maximum number of jobs within 24 hours. Default: 1, or 24 with comment and label."`
	AtLeast   int    `placeholder:"NUMBER" help:"Start only after this many new findings or feedback comments. Default: 1."`
	DryRun    bool   `help:"Only log what would start."`
}

// Help returns the long description.
func (automationCreateCommand) Help() string {
	return `Prints the automation's id.

    lectern automation create weekly-links --trigger schedule --workflow fix-links --day mon --at 06:00
    lectern automation create what-is-missing --trigger gaps --day mon --at 06:30 --time-zone Europe/Berlin
    lectern automation create releases --trigger release
    lectern automation create unhelpful --trigger feedback --at-least 5 --at 06:30
    lectern automation create on-request --trigger comment
    lectern automation create labelled --trigger label --label docs-agent`
}

func (c *automationCreateCommand) Run(ctx context.Context, r *run) error {
	prompt, err := promptText(r, c.Prompt)
	if err != nil {
		return err
	}
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	made, err := cl.CreateAutomation(ctx, projectID, client.CreateAutomation{Name: c.Name, Trigger: c.Trigger,
		Schedule: c.schedule(), Prompt: prompt, Workflow: c.Workflow, Label: c.Label, MaxPerDay: c.MaxPerDay, AtLeast: c.AtLeast,
		DryRun: c.DryRun})
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.ID))
}

// ofAutomation contains the flags of a command for one automation.
type ofAutomation struct {
	remote
	ofProject
	Automation string `arg:"" name:"automation" help:"Id or name of the automation."`
}

// one connects to the server and finds the automation.
func (c ofAutomation) one(ctx context.Context, r *run) (cl *client.Client, projectID, automationID string, err error) {
	cl, projectID, err = c.open(ctx, r, c.ofProject)
	if err != nil || id.Has(id.Automation, c.Automation) {
		return cl, projectID, c.Automation, err
	}
	list, err := cl.ListAutomations(ctx, projectID)
	if err != nil {
		return nil, "", "", err
	}
	for _, a := range list.Automations {
		if a.Name == c.Automation {
			return cl, projectID, a.ID, nil
		}
	}
	return nil, "", "", fault.Newf(fault.NotFound, "unknown_automation", "Automation not found: %q.", c.Automation)
}

type automationUpdateCommand struct {
	ofAutomation
	automationTimes
	Name      *string `placeholder:"NAME" help:"New name."`
	Trigger   *string `placeholder:"TRIGGER" help:"schedule, gaps, feedback, push, release, api, findings, comment, label or call."`
	Prompt    *string `help:"What the agent should do; replaces a workflow."`
	Workflow  *string `placeholder:"NAME" help:"Task; replaces a prompt."`
	Label     *string `placeholder:"NAME" help:"Label that starts it."`
	MaxPerDay *int    `placeholder:"NUMBER" help:"Maximum number of jobs within 24 hours."`
	AtLeast   *int    `placeholder:"NUMBER" help:"Start only after this many new findings or feedback comments."`
	On        bool    `xor:"state" help:"Turn it on."`
	Off       bool    `xor:"state" help:"Turn it off."`
	DryRun    bool    `xor:"dry" help:"Only log what would start."`
	Wet       bool    `xor:"dry" name:"no-dry-run" help:"Start jobs again."`
}

func (c *automationUpdateCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, automationID, err := c.one(ctx, r)
	if err != nil {
		return err
	}
	in := client.UpdateAutomation{Name: c.Name, Trigger: c.Trigger, Prompt: c.Prompt, Workflow: c.Workflow,
		Label: c.Label, MaxPerDay: c.MaxPerDay, AtLeast: c.AtLeast}
	if c.At != "" || len(c.Day) > 0 || c.TimeZone != "" {
		schedule := c.schedule()
		in.Schedule = &schedule
	}
	if c.On || c.Off {
		in.Enabled = &c.On
	}
	if c.DryRun || c.Wet {
		in.DryRun = &c.DryRun
	}
	changed, err := cl.UpdateAutomation(ctx, projectID, automationID, in)
	if err != nil {
		return err
	}
	return c.result(r, changed, line(changed.ID))
}

type automationRunCommand struct {
	ofAutomation
	DryRun bool `help:"Only report what would start."`
}

// Help returns the long description.
func (automationRunCommand) Help() string {
	return `Prints the id of the job that was started, or nothing if none was; the reason is on standard error.`
}

func (c *automationRunCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, automationID, err := c.one(ctx, r)
	if err != nil {
		return err
	}
	made, err := cl.RunAutomation(ctx, projectID, automationID, client.RunAutomation{DryRun: c.DryRun})
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "%s: %s\n", strings.ReplaceAll(made.Decision, "_", " "), made.Detail)
	if made.JobID == nil {
		return c.result(r, made, func(io.Writer) error { return nil })
	}
	return c.result(r, made, line(*made.JobID))
}

type automationLogCommand struct{ ofAutomation }

func (c *automationLogCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, automationID, err := c.one(ctx, r)
	if err != nil {
		return err
	}
	list, err := cl.ListAutomationRuns(ctx, projectID, automationID, client.ListAutomationRunsParams{Limit: 100})
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, one := range list.Runs {
			rows = append(rows, []string{one.At.UTC().Format(time.RFC3339), one.Cause, one.Decision, orBlank(one.Reason),
				orBlank(one.JobID), one.Detail})
		}
		return printTable(w, []string{"AT", "CAUSE", "DECISION", "REASON", "JOB", "WHY"}, rows)
	})
}

type automationDeleteCommand struct{ ofAutomation }

func (c *automationDeleteCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, automationID, err := c.one(ctx, r)
	if err != nil {
		return err
	}
	if err := cl.DeleteAutomation(ctx, projectID, automationID); err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "Automation %s was deleted.\n", automationID)
	return nil
}
