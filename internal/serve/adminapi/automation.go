package adminapi

import (
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showAutomation(a automation.Automation) client.Automation {
	out := client.Automation{ID: a.ID, Name: a.Name, Trigger: string(a.Trigger), Prompt: orNull(a.Prompt),
		Workflow: orNull(a.Workflow), Label: orNull(a.Label), MaxPerDay: a.MaxPerDay, AtLeast: a.AtLeast, Enabled: a.Enabled, DryRun: a.DryRun, Owner: a.Owner,
		NextRunAt: stampOrNull(a.NextRunAt), LastRunAt: stampOrNull(a.LastRunAt), CreatedAt: stamp(a.CreatedAt),
		UpdatedAt: stamp(a.UpdatedAt)}
	if !a.Schedule.IsZero() {
		out.Schedule = &client.AutomationSchedule{Days: automation.DayNames(a.Schedule.Days), At: a.Schedule.At,
			TimeZone: a.Schedule.TimeZone}
	}
	return out
}

// automationData returns the audit data of an automation, which does not include its prompt.
func automationData(a automation.Automation) map[string]string {
	return map[string]string{"project": a.ProjectID, "name": a.Name, "trigger": string(a.Trigger)}
}

// scheduleInput is a schedule in a request.
type scheduleInput struct {
	Days     []string `json:"days"`
	At       string   `json:"at" required:"true"`
	TimeZone string   `json:"timeZone"`
}

func (in *scheduleInput) read() (automation.Schedule, error) {
	if in == nil {
		return automation.Schedule{}, nil
	}
	days, err := automation.ParseDays(in.Days)
	out := automation.Schedule{Days: days, At: in.At, TimeZone: in.TimeZone}
	if err != nil {
		return out, err
	}
	return out, out.Validate()
}

func (c *call) automationPath() (projectID, automationID string) {
	return c.pathID("projectId", id.Project), c.pathID("automationId", id.Automation)
}

func (a *api) createAutomation(c *call) (response, error) {
	var in struct {
		Name      string         `json:"name" required:"true"`
		Trigger   string         `json:"trigger" required:"true"`
		Schedule  *scheduleInput `json:"schedule"`
		Prompt    string         `json:"prompt"`
		Workflow  string         `json:"workflow"`
		Label     string         `json:"label"`
		MaxPerDay *int           `json:"maxPerDay"`
		AtLeast   *int           `json:"atLeast"`
		DryRun    bool           `json:"dryRun"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	schedule, err := in.Schedule.read()
	if err != nil {
		return response{}, err
	}
	want := automation.Automation{OrganizationID: c.org(), ProjectID: c.pathID("projectId", id.Project), Name: in.Name,
		Trigger: automation.Trigger(in.Trigger), Schedule: schedule, Prompt: in.Prompt, Workflow: in.Workflow,
		Label: in.Label, MaxPerDay: automation.Trigger(in.Trigger).PerDay(), AtLeast: 1, Enabled: true, DryRun: in.DryRun,
		Owner: c.principal.Actor()}
	set(&want.MaxPerDay, in.MaxPerDay)
	set(&want.AtLeast, in.AtLeast)
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		// Find the project first: callers without access must not get validation errors.
		if _, err := tx.FindProject(c.ctx(), c.org(), want.ProjectID); err != nil {
			return err
		}
		if err := want.Validate(); err != nil {
			return err
		}
		if want, err = tx.CreateAutomation(c.ctx(), want); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "automation.create", want.ID, automationData(want)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: showAutomation(want),
		location: "/v1/projects/" + want.ProjectID + "/automations/" + want.ID}, nil
}

func (a *api) listAutomations(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.ListAutomations(c.ctx(), c.org(), p.ID)
	if err != nil {
		return response{}, err
	}
	body := client.AutomationList{Automations: []client.Automation{}}
	for _, one := range list {
		body.Automations = append(body.Automations, showAutomation(one))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getAutomation(c *call) (response, error) {
	projectID, automationID := c.automationPath()
	found, err := a.Store.FindAutomation(c.ctx(), c.org(), projectID, automationID)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showAutomation(found)}, nil
}

// changeAutomation calls change with an automation, in a transaction that keeps others from changing or starting it.
func (a *api) changeAutomation(c *call, change func(*store.Tx, automation.Automation) error) error {
	projectID, automationID := c.automationPath()
	return a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		found, err := tx.FindAutomation(c.ctx(), c.org(), projectID, automationID)
		if err != nil {
			return err
		}
		return change(tx, found)
	})
}

func (a *api) updateAutomation(c *call) (response, error) {
	var in struct {
		Name      *string        `json:"name"`
		Trigger   *string        `json:"trigger"`
		Schedule  *scheduleInput `json:"schedule"`
		Prompt    *string        `json:"prompt"`
		Workflow  *string        `json:"workflow"`
		Label     *string        `json:"label"`
		MaxPerDay *int           `json:"maxPerDay"`
		AtLeast   *int           `json:"atLeast"`
		Enabled   *bool          `json:"enabled"`
		DryRun    *bool          `json:"dryRun"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	if in.Name == nil && in.Trigger == nil && in.Schedule == nil && in.Prompt == nil && in.Workflow == nil &&
		in.Label == nil && in.MaxPerDay == nil && in.AtLeast == nil && in.Enabled == nil && in.DryRun == nil {
		return response{}, fault.New(fault.Invalid, "missing_field", "The body contains no changes.").
			WithHint("Set at least one of name, trigger, schedule, prompt, workflow, label, maxPerDay, atLeast, enabled and dryRun.")
	}
	schedule, err := in.Schedule.read()
	if err != nil {
		return response{}, err
	}
	var changed automation.Automation
	err = a.changeAutomation(c, func(tx *store.Tx, found automation.Automation) (err error) {
		set(&found.Name, in.Name)
		if in.Trigger != nil {
			if found.Trigger = automation.Trigger(*in.Trigger); !found.Trigger.Scheduled() {
				found.Schedule = automation.Schedule{}
			}
			if !found.Trigger.Counted() {
				found.AtLeast = 1
			}
			if found.Trigger != automation.OnLabel {
				found.Label = ""
			}
		}
		if in.Schedule != nil {
			found.Schedule = schedule
		}
		if in.Prompt != nil {
			found.Prompt = *in.Prompt
			found.Workflow = ""
		}
		if in.Workflow != nil {
			found.Workflow = *in.Workflow
			if in.Prompt == nil {
				found.Prompt = ""
			}
		}
		set(&found.Label, in.Label)
		set(&found.MaxPerDay, in.MaxPerDay)
		set(&found.AtLeast, in.AtLeast)
		set(&found.Enabled, in.Enabled)
		set(&found.DryRun, in.DryRun)
		found.Owner = c.principal.Actor()
		if err := found.Validate(); err != nil {
			return err
		}
		if changed, err = tx.UpdateAutomation(c.ctx(), found); err != nil {
			return err
		}
		data := automationData(changed)
		data["enabled"], data["dryRun"] = strconv.FormatBool(changed.Enabled), strconv.FormatBool(changed.DryRun)
		return tx.Record(c.ctx(), a.event(c, "automation.update", changed.ID, data))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showAutomation(changed)}, nil
}

func (a *api) deleteAutomation(c *call) (response, error) {
	err := a.changeAutomation(c, func(tx *store.Tx, found automation.Automation) error {
		if err := tx.DeleteAutomation(c.ctx(), found); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "automation.delete", found.ID, automationData(found)))
	})
	return response{status: http.StatusNoContent}, err
}
