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

// HoldProject locks a project of the organization and returns it. Until this transaction ends, other transactions can
// neither publish the project nor roll it back.
func (t *Tx) HoldProject(ctx context.Context, organizationID, projectID string) (project.Project, error) {
	if err := t.lockProject(ctx, projectID); err != nil {
		return project.Project{}, err
	}
	return t.FindProject(ctx, organizationID, projectID)
}
