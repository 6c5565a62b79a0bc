package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

// HoldOrganization keeps others from changing an organization, its members and its audit log until the transaction
// ends, so that what is read next still holds when it is acted on.
func (t *Tx) HoldOrganization(ctx context.Context, organizationID string) error {
	return t.lockOrganization(ctx, organizationID)
}

// HoldProject returns a project of the organization and keeps others from publishing or rolling it back until the
// transaction ends.
func (t *Tx) HoldProject(ctx context.Context, organizationID, projectID string) (project.Project, error) {
	if err := t.lockProject(ctx, projectID); err != nil {
		return project.Project{}, err
	}
	return t.FindProject(ctx, organizationID, projectID)
}
