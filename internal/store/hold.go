package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

// HoldOrganization locks an organization, its members and its audit log until the transaction ends, so that values
// read afterwards stay valid.
func (t *Tx) HoldOrganization(ctx context.Context, organizationID string) error {
	return t.lockOrganization(ctx, organizationID)
}

// HoldProject locks a project of the organization until the transaction ends and returns it. Until then, other
// transactions cannot publish it or roll it back.
func (t *Tx) HoldProject(ctx context.Context, organizationID, projectID string) (project.Project, error) {
	if err := t.lockProject(ctx, projectID); err != nil {
		return project.Project{}, err
	}
	return t.FindProject(ctx, organizationID, projectID)
}
