package adminapi

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// overProjects are the operations that concern several projects, or a single project that only the body specifies. For
// these, members whose organization role is insufficient are let through, and the handler checks the role in each
// project: lists use call.page to filter, and an export calls permitIn. For all other operations, permit decides before
// the handler runs: by the role in the project in the path or, if there is none, by the organization role.
var overProjects = []string{"listProjects", "listDomains", "listStaticExportJobs", "startStaticExportJob"}

// finder has the lookups that permit needs. The store and its transactions implement it.
type finder interface {
	FindExport(ctx context.Context, organizationID, exportID string) (export.Job, error)
	FindDeployment(ctx context.Context, organizationID, deploymentID string) (deploy.Deployment, error)
	FindDomain(ctx context.Context, organizationID, name string) (project.Domain, error)
}

// permit checks that the principal may call the operation for the project concerned. It makes no query if the principal
// may call the operation for all projects of the organization.
func (a *api) permit(c *call, p store.Principal, in finder) error {
	need := auth.Need{Scope: c.route.Scope, Role: c.route.Role}
	if p.ByMember() && !p.Member.Role.AtLeast(c.route.Role) {
		if slices.Contains(overProjects, c.route.OperationID) {
			return nil
		}
		var err error
		if need.Project, need.Unknown, err = a.projectOf(c, p.Organization.ID, in); err != nil {
			return err
		}
	}
	return a.guard.Permit(p, c.r, need)
}

// permitIn checks that the caller may call the operation for a project found by the handler. unknown is the error if
// the caller must not learn that the project exists.
func (a *api) permitIn(c *call, projectID string, unknown error) error {
	return a.guard.Permit(c.principal, c.r,
		auth.Need{Scope: c.route.Scope, Role: c.route.Role, Project: projectID, Unknown: unknown})
}

// projectOf returns the project that a request's path refers to, directly or through one of the project's resources,
// and the error to return if it does not exist. The id is "" if there is no such project; unknown is nil if the path
// does not refer to a project.
func (a *api) projectOf(c *call, organizationID string, in finder) (projectID string, unknown, err error) {
	names := func(value string) bool { return strings.Contains(c.route.Pattern, "{"+value+"}") }
	switch {
	case names("projectId"):
		return c.pathID("projectId", id.Project), store.UnknownProject(), nil
	case names("jobId"):
		j, err := in.FindExport(c.ctx(), organizationID, c.pathID("jobId", id.Export))
		return found(j.ProjectID, store.UnknownExport(), err)
	case names("statusId"):
		d, err := in.FindDeployment(c.ctx(), organizationID, c.pathID("statusId", id.Deployment))
		return found(d.ProjectID, store.UnknownDeployment(), err)
	case names("domain"):
		name, err := project.CleanDomain(c.r.PathValue("domain"))
		if err != nil {
			return "", unknownDomain(), nil
		}
		d, err := in.FindDomain(c.ctx(), organizationID, name)
		return found(d.ProjectID, unknownDomain(), err)
	}
	return "", nil, nil
}

// found drops a not-found error, so that the role check decides the response instead.
func found(projectID string, unknown, err error) (string, error, error) {
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return projectID, unknown, err
}
