package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

// actorOf returns the id and name of someone who did something; nil if by is empty.
func actorOf(by string, names map[string]string) *client.DeploymentActor {
	if by == "" {
		return nil
	}
	return &client.DeploymentActor{ID: by, Name: orNull(names[by])}
}

// deploymentNames returns the names of everyone who started or restored one of the deployments.
func (a *api) deploymentNames(c *call, list ...deploy.Deployment) (map[string]string, error) {
	var ids []string
	for _, d := range list {
		ids = append(ids, d.StartedBy, d.RestoredBy)
	}
	return a.Store.FindNames(c.ctx(), c.org(), ids)
}

func (a *api) showDeployment(p project.Project, d deploy.Deployment,
	names map[string]string) client.DeploymentSummary {
	out := client.DeploymentSummary{StatusID: d.ID, ProjectID: d.ProjectID, Kind: string(d.Kind),
		Branch: orNull(d.Branch), Status: client.UpdateState(d.Status), Commit: orNull(d.Commit), Trigger: d.Trigger,
		PageCount: d.PageCount, Error: orNull(d.Error), Live: d.ID == p.LiveID, CreatedAt: stamp(d.CreatedAt),
		EndedAt: stampOrNull(d.EndedAt), CommitMessage: orNull(d.Change.Title()), CommitAuthor: orNull(d.Change.Author),
		StartedBy: actorOf(d.StartedBy, names), RestoredBy: actorOf(d.RestoredBy, names),
		RestoredAt: stampOrNull(d.RestoredAt)}
	switch {
	case out.Live:
		out.URL = orNull(a.SiteURL(p.Domains[0]))
	case d.Kind == deploy.Preview && d.Status == deploy.Success:
		out.URL = orNull(a.PreviewURL(d.ID))
	}
	return out
}

func (a *api) listDeployments(c *call) (response, error) {
	page, err := c.page()
	if err != nil {
		return response{}, err
	}
	kind := deploy.Kind(c.r.URL.Query().Get("kind"))
	if kind != "" && kind != deploy.Production && kind != deploy.Preview {
		return response{}, fault.New(fault.Invalid, "invalid_field", "kind must be production or preview.").
			WithField("kind")
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListDeployments(c.ctx(), c.org(), p.ID, kind, page)
	if err != nil {
		return response{}, err
	}
	names, err := a.deploymentNames(c, list...)
	if err != nil {
		return response{}, err
	}
	body := client.DeploymentList{Deployments: []client.DeploymentSummary{}, NextCursor: orNull(next)}
	for _, d := range list {
		body.Deployments = append(body.Deployments, a.showDeployment(p, d, names))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// rollBack makes an earlier deployment live again.
func (a *api) rollBack(c *call) (response, error) {
	var in struct {
		DeploymentID string `json:"deploymentId" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	if in.DeploymentID == "" {
		return response{}, fault.New(fault.Invalid, "invalid_field", "deploymentId must not be empty.").
			WithField("deploymentId").
			WithHint("Use the statusId of a deployment in the project's list.")
	}
	if !id.Has(id.Deployment, in.DeploymentID) {
		in.DeploymentID = id.Deployment // an id that does not exist
	}
	if err := a.checkBasePath(c, c.pathID("projectId", id.Project), in.DeploymentID); err != nil {
		return response{}, err
	}
	var out client.Project
	var p project.Project
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if p, err = tx.HoldProject(c.ctx(), c.org(), c.pathID("projectId", id.Project)); err != nil {
			return err
		}
		if p.LiveID == in.DeploymentID {
			return fault.New(fault.Conflict, "already_live", "This deployment is already live.").
				WithField("deploymentId")
		}
		d, err := tx.RollBack(c.ctx(), p, in.DeploymentID, c.principal.Actor())
		if err != nil {
			return err
		}
		data := map[string]string{"project": p.ID, "from": p.LiveID, "to": d.ID}
		if err := tx.Record(c.ctx(), a.event(c, "deployment.rollback", d.ID, data)); err != nil {
			return err
		}
		p.LiveID = d.ID
		out, err = a.showProject(c, tx, p)
		return err
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: a.withSource(c, out, p)}, nil
}

// checkBasePath rejects a deployment whose pages were built for another path on the site's host, because their links
// would be wrong. Other problems are reported later.
func (a *api) checkBasePath(c *call, projectID, deploymentID string) error {
	d, err := a.Store.FindDeployment(c.ctx(), c.org(), deploymentID)
	if err != nil || d.ProjectID != projectID || d.ManifestKey == "" || d.Kind != deploy.Production ||
		a.BasePath == nil {
		return nil
	}
	built, err := a.BasePath(c.ctx(), d.ManifestKey)
	if err != nil {
		return nil
	}
	base, err := a.Store.FindBasePath(c.ctx(), projectID)
	if err == nil && built != base {
		err = fault.New(fault.Conflict, "wrong_state", "The deployment was built for another path on the site's host.").
			WithField("deploymentId").WithHint("Publish its commit again instead.")
	}
	return err
}
