package adminapi

import (
	"bytes"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func statusPath(statusID string) string { return "/v1/project/update-status/" + statusID }

func (a *api) startUpdate(c *call) (response, error) {
	var in struct {
		AcceptRemovals bool `json:"acceptRemovals"`
	}
	if len(bytes.TrimSpace(c.body)) > 0 {
		if err := jsonbody.Decode(c.body, &in); err != nil {
			return response{}, err
		}
	}
	trigger := "api"
	if in.AcceptRemovals {
		trigger = deploy.Confirmed
	}
	made, replayed, err := doOnce(a, c, http.StatusAccepted, func(tx *store.Tx) (client.UpdateAccepted, error) {
		p, err := tx.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
		if err != nil {
			return client.UpdateAccepted{}, err
		}
		d, err := a.queueDeployment(c, tx, p, deploy.Production, "", trigger)
		return client.UpdateAccepted{StatusID: d.ID}, err
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: made, location: statusPath(made.StatusID), poll: true,
		replayed: replayed}, nil
}

func (a *api) startPreview(c *call) (response, error) {
	var in struct {
		Branch string `json:"branch" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	if err := a.checkBranch(in.Branch); err != nil {
		return response{}, err
	}
	made, replayed, err := doOnce(a, c, http.StatusAccepted, func(tx *store.Tx) (client.PreviewAccepted, error) {
		p, err := tx.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
		if err != nil {
			return client.PreviewAccepted{}, err
		}
		if p.Source.Path != "" {
			return client.PreviewAccepted{},
				fault.New(fault.Conflict, "no_branches", "The project's source is a folder, which has no branches.")
		}
		d, err := a.queueDeployment(c, tx, p, deploy.Preview, in.Branch, "api")
		return client.PreviewAccepted{StatusID: d.ID, PreviewURL: a.PreviewURL(d.ID)}, err
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: made, location: statusPath(made.StatusID), poll: true, replayed: replayed}, nil
}

func (a *api) checkBranch(name string) error {
	if name == "" {
		return fault.New(fault.Invalid, "invalid_field", "branch must not be empty.").WithField("branch")
	}
	err := a.ValidateBranch(name)
	if f, ok := fault.As(err); ok {
		return f.WithField("branch")
	}
	return err
}

// queueDeployment queues a deployment at the caller's request, with its audit record.
func (a *api) queueDeployment(c *call, tx *store.Tx, p project.Project, kind deploy.Kind, branch,
	trigger string) (deploy.Deployment, error) {
	d, err := tx.QueueDeployment(c.ctx(), p, kind, branch, trigger)
	if err != nil {
		return d, err
	}
	if err := tx.SetStarter(c.ctx(), d, c.principal.Actor()); err != nil {
		return d, err
	}
	return d, tx.Record(c.ctx(), a.event(c, "deployment.start", d.ID,
		map[string]string{"project": p.ID, "kind": string(kind), "branch": branch, "trigger": trigger}))
}
