package adminapi

import (
	"errors"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/store"
)

func showAutomationRun(r automation.Run) client.AutomationRun {
	return client.AutomationRun{ID: r.ID, Cause: string(r.Cause), Actor: orNull(r.Actor), Decision: string(r.Decision),
		Reason: orNull(string(r.Reason)), Detail: r.Detail, Context: orNull(r.Context), JobID: orNull(r.JobID),
		At: stamp(r.At)}
}

func (a *api) runAutomation(c *call) (response, error) {
	var in struct {
		DryRun bool `json:"dryRun"`
	}
	if len(c.body) > 0 {
		if err := jsonbody.Decode(c.body, &in); err != nil {
			return response{}, err
		}
	}
	ready, err := a.Automations.Prepare(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	projectID, automationID := c.automationPath()
	made, replayed, err := doOnce(a, c, http.StatusCreated, func(tx *store.Tx) (client.AutomationRun, error) {
		found, err := tx.HoldAutomation(c.ctx(), c.org(), projectID, automationID)
		if err != nil {
			return client.AutomationRun{}, err
		}
		run, err := ready.Start(c.ctx(), tx, found, automate.Request{Cause: automation.ByPerson, Actor: c.principal.Actor(),
			ID: c.requestID, Dry: in.DryRun})
		return showAutomationRun(run), err
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: made, replayed: replayed}, nil
}

func (a *api) listAutomationRuns(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	projectID, automationID := c.automationPath()
	found, err := a.Store.FindAutomation(c.ctx(), c.org(), projectID, automationID)
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListAutomationRuns(c.ctx(), found.ID, p)
	if err != nil {
		return response{}, err
	}
	body := client.AutomationRunList{Runs: []client.AutomationRun{}, NextCursor: orNull(next)}
	for _, r := range list {
		body.Runs = append(body.Runs, showAutomationRun(r))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// notStarted is the error that rolls back the transaction of a call whose automation did not start.
type notStarted struct {
	automation automation.Automation
	run        automation.Run
	ask        automate.Request
}

func (n notStarted) Error() string { return "the automation was not started" }

// callAutomation starts an automation for the operation triggerWorkflow.
func (a *api) callAutomation(c *call, tx *store.Tx, ready automate.Starting, found automation.Automation) (client.WorkflowRun,
	error) {
	ask := automate.Request{Cause: automation.ByCall, Actor: c.principal.Actor(), ID: c.requestID}
	run, err := ready.Start(c.ctx(), tx, found, ask)
	if err == nil && run.Decision != automation.Started {
		err = notStarted{found, run, ask}
	}
	return client.WorkflowRun{SchemaID: found.Name, InstanceID: run.JobID, JobID: run.JobID}, err
}

// recordNotStarted records why a call did not start its automation, and returns the error for the caller. The
// transaction in which this was decided has been rolled back, so the caller's Idempotency-Key can be used again.
func (a *api) recordNotStarted(c *call, err error) error {
	var not notStarted
	if !errors.As(err, &not) {
		return err
	}
	if err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		found, err := tx.HoldAutomation(c.ctx(), c.org(), not.automation.ProjectID, not.automation.ID)
		if err != nil {
			return err
		}
		_, err = a.Automations.NotStarted(c.ctx(), tx, found, not.run, not.ask, nil)
		return err
	}); err != nil {
		return err
	}
	return fault.New(fault.Conflict, "automation_not_started", not.run.Detail).WithField("workflowSchemaId")
}
