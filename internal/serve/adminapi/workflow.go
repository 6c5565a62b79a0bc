package adminapi

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// triggerWorkflow starts an agent job with a stored prompt: a built-in one or an automation's.
func (a *api) triggerWorkflow(c *call) (response, error) {
	name := c.r.PathValue("workflowSchemaId")
	prompt, known := agentjob.WorkflowPrompt(name)
	projectID := c.pathID("projectId", id.Project)
	ready, err := a.Automations.Prepare(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	made, replayed, err := doOnce(a, c, http.StatusAccepted, func(tx *store.Tx) (client.WorkflowRun, error) {
		// Find the project first: callers without access must not learn which workflows exist.
		if _, err := tx.FindProject(c.ctx(), c.org(), projectID); err != nil {
			return client.WorkflowRun{}, err
		}
		if !known && automation.ValidName(name) {
			if err := tx.HoldOrganization(c.ctx(), c.org()); err != nil {
				return client.WorkflowRun{}, err
			}
			found, err := tx.FindAutomationByName(c.ctx(), c.org(), projectID, name)
			if err == nil {
				return a.callAutomation(c, tx, ready, found)
			}
			if !fault.Is(err, fault.NotFound) {
				return client.WorkflowRun{}, err
			}
		}
		if !known {
			return client.WorkflowRun{}, fault.New(fault.NotFound, "unknown_workflow", "Workflow not found.").
				WithField("workflowSchemaId").
				WithHint("The available workflows are " + strings.Join(agentjob.Workflows(), ", ") +
					", and the names of the project's automations.")
		}
		model, err := agentjob.ChooseModel(a.AgentModels, "")
		if err != nil {
			return client.WorkflowRun{}, err
		}
		j, err := a.startAgentJob(c, tx, agentjob.Job{OrganizationID: c.org(), ProjectID: projectID, Model: model},
			agentjob.Entry{Text: prompt, Author: c.principal.Actor()})
		return client.WorkflowRun{SchemaID: name, InstanceID: j.ID, JobID: j.ID}, err
	})
	if err != nil {
		return response{}, a.recordNotStarted(c, err)
	}
	return response{status: http.StatusAccepted, body: made, location: "/v2/agent/" + projectID + "/job/" + made.JobID,
		poll: true, replayed: replayed}, nil
}
