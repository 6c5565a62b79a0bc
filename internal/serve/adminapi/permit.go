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

// overProjects are the operations that are about several projects, or about one that only the body names. Members whose
// role in the organization does not reach are let in, and the handler looks at the role in each project: lists show
// what call.page lets them see, and an export asks permitIn. Every other operation is decided before its handler runs:
// by the project that its path names, else by the role in the organization.
var overProjects = []string{"listProjects", "listDomains", "listStaticExportJobs", "startStaticExportJob"}

// finder is what permit looks up, in the store or in a transaction.
type finder interface {
	FindExport(ctx context.Context, organizationID, exportID string) (export.Job, error)
	FindDeployment(ctx context.Context, organizationID, deploymentID string) (deploy.Deployment, error)
	FindDomain(ctx context.Context, organizationID, name string) (project.Domain, error)
}

// permit checks that the principal may call the operation, in the project that it is about. Who may for all projects of
// the organization costs no query.
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

// permitIn checks that the caller may call the operation for a project that the handler found. unknown is the answer if
// they may not know of it.
func (a *api) permitIn(c *call, projectID string, unknown error) error {
	return a.guard.Permit(c.principal, c.r,
		auth.Need{Scope: c.route.Scope, Role: c.route.Role, Project: projectID, Unknown: unknown})
}

// projectOf returns the project that a request's path names, itself or by something that belongs to it, and the answer
// for one that does not exist. The id is "" if there is none, and unknown is nil if the path names none.
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

// found leaves it to the check of the role to answer for what does not exist.
func found(projectID string, unknown, err error) (string, error, error) {
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return projectID, unknown, err
}
