package adminapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// projectReader reads what the response for a project contains besides the project itself. Store and Tx implement it.
type projectReader interface {
	ListProjectDomains(ctx context.Context, projectIDs ...string) ([]project.Domain, error)
	FindDeploymentByID(ctx context.Context, deploymentID string) (deploy.Deployment, error)
	FindLastDeployment(ctx context.Context, projectID string) (deploy.Deployment, error)
}

// showProject returns the project with its live and latest deployments, but without its source: see withSource.
func (a *api) showProject(c *call, from projectReader, p project.Project) (client.Project, error) {
	out := client.Project{ProjectID: p.ID, Name: p.Name, Domain: p.Domains[0], Domains: p.Domains,
		DocsFolder: p.DocsFolder, PullRequestPreviews: client.PullRequestPreviews(p.PullPreviews),
		CreatedAt: stamp(p.CreatedAt), UpdatedAt: stamp(p.UpdatedAt), URL: a.SiteURL(p.Domains[0]),
		Webhook: client.ProjectWebhook{URL: a.hookURL(c, p)}}
	domains, err := from.ListProjectDomains(c.ctx(), p.ID)
	if err != nil {
		return out, err
	}
	out.DomainStates = a.showDomains(domains)
	if p.LiveID != "" {
		d, err := from.FindDeploymentByID(c.ctx(), p.LiveID)
		if err != nil {
			return out, err
		}
		out.Live = &client.LiveVersion{DeploymentID: d.ID, Commit: orNull(d.Commit), PublishedAt: stamp(d.UpdatedAt)}
		if d.EndedAt != nil {
			out.Live.PublishedAt = stamp(*d.EndedAt)
		}
	}
	last, err := from.FindLastDeployment(c.ctx(), p.ID)
	if err == nil {
		out.LastUpdate = &client.LastUpdate{StatusID: last.ID, Status: client.UpdateState(last.Status)}
	} else if !fault.Is(err, fault.NotFound) {
		return out, err
	}
	return out, nil
}

// withSecret adds the webhook secret. Only the responses to creating a project and rotating its secret contain it.
func (a *api) withSecret(out client.Project, p project.Project) client.Project {
	s := project.HookSecret(a.Masters[0], p.ID, p.HookVersion)
	out.WebhookSecret = &s
	return out
}

func (a *api) createProject(c *call) (response, error) {
	want, install, err := a.readProject(c)
	if err != nil {
		return response{}, err
	}
	var out client.Project
	var p project.Project
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if p, err = tx.CreateProject(c.ctx(), want); err != nil {
			return err
		}
		if err := tx.Record(c.ctx(),
			a.event(c, "project.create", p.ID, map[string]string{"name": p.Name, "domain": p.Domains[0]})); err != nil {
			return err
		}
		if _, err := a.queueDeployment(c, tx, p, deploy.Production, "", "api"); err != nil {
			return err
		}
		out, err = a.showProject(c, tx, p)
		out = a.withSecret(out, p)
		return err
	})
	if err != nil {
		return response{}, err
	}
	if install {
		out.Webhook.Installation = a.tryHook(c, p, false)
	}
	return response{status: http.StatusCreated, body: a.withSource(c, out, p),
		location: "/v1/projects/" + out.ProjectID}, nil
}

func (a *api) listProjects(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListProjects(c.ctx(), c.org(), p)
	if err != nil {
		return response{}, err
	}
	body := client.ProjectList{Projects: []client.Project{}, NextCursor: orNull(next)}
	for _, one := range list {
		shown, err := a.showProject(c, a.Store, one)
		if err != nil {
			return response{}, err
		}
		body.Projects = append(body.Projects, a.withSource(c, shown, one))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getProject(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	out, err := a.showProject(c, a.Store, p)
	return response{status: http.StatusOK, body: a.withSource(c, out, p)}, err
}

func (a *api) updateProject(c *call) (response, error) {
	in, err := c.readChange()
	if err != nil {
		return response{}, err
	}
	projectID := c.pathID("projectId", id.Project)
	var out client.Project
	var p project.Project
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		// The audit record comes first because it locks the organization until the end. Otherwise two concurrent
		// changes would start from the same state, and the later one would undo the earlier one.
		if err := tx.Record(c.ctx(),
			a.event(c, "project.update", projectID, map[string]string{"fields": in.fields()})); err != nil {
			return err
		}
		if p, err = tx.FindProject(c.ctx(), c.org(), projectID); err != nil {
			return err
		}
		before, err := tx.FindBasePath(c.ctx(), p.ID)
		if err != nil {
			return err
		}
		if err := a.apply(c, in, &p); err != nil {
			return err
		}
		if p, err = tx.UpdateProject(c.ctx(), p); err != nil {
			return err
		}
		if err := a.republishMoved(c, tx, p.ID, before); err != nil {
			return err
		}
		out, err = a.showProject(c, tx, p)
		if in.rotates() {
			out = a.withSecret(out, p)
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	if in.rotates() && p.Source.Credential != "" {
		out.Webhook.Installation = a.tryHook(c, p, true)
	}
	return response{status: http.StatusOK, body: a.withSource(c, out, p)}, nil
}

// fields lists the fields that a request changes, for the audit record.
func (in projectChange) fields() string {
	var list []string
	for _, f := range []struct {
		name  string
		given bool
	}{{"name", in.Name != nil}, {"domains", in.Domains != nil}, {"source", in.Source != nil},
		{"docsFolder", in.DocsFolder != nil}, {"pullRequestPreviews", in.Pulls != nil}, {"webhookSecret", in.rotates()}} {
		if f.given {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, " ")
}

func (a *api) deleteProject(c *call) (response, error) {
	projectID := c.pathID("projectId", id.Project)
	var p project.Project
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if p, err = tx.FindProject(c.ctx(), c.org(), projectID); err != nil {
			return err
		}
		if err := tx.DeleteProject(c.ctx(), c.org(), projectID); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "project.delete", projectID, nil))
	})
	if err == nil && p.Source.Credential != "" {
		a.removeHook(c, p)
	}
	return response{status: http.StatusNoContent}, err
}
