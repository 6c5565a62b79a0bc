package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ListDeployments returns a page of a project's deployments, newest first, and the cursor of the next page, or "" if
// there is none. It omits logs, diagnostics, changes, versions and translations. If kind is empty, deployments of all
// kinds are included.
func (r reads) ListDeployments(ctx context.Context, organizationID, projectID string, kind deploy.Kind,
	p Page) ([]deploy.Deployment, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanDeployment,
		`SELECT d.id, d.organization_id, d.project_id, d.kind, d.branch, d.status, d.commit_id, '{}', `+
			`d.page_count, '[]', '[]', d.error, d.manifest_key, d.snapshot_key,
			d.triggered_by, d.offers, d.transient, '', '', d.created_at, d.updated_at, d.ended_at, `+deploymentPeople+`
		FROM deployments d WHERE d.organization_id = $1 AND d.project_id = $2 AND ($3 = '' OR d.kind = $3) `+
			`AND (d.created_at, d.id) < ($4, $5)
		ORDER BY d.created_at DESC, d.id DESC LIMIT $6`, organizationID, projectID, string(kind), at, after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list deployments", err)
	}
	list, next := cut(list, p.Limit, func(d deploy.Deployment) (int64, string) { return micros(d.CreatedAt), d.ID })
	return list, next, nil
}

// RollBack makes an earlier deployment of the project live at once, because its files are still stored. Deployments
// that were requested before the rollback do not replace it; the next update does. by is the principal who requested
// the rollback.
func (t *Tx) RollBack(ctx context.Context, p project.Project, deploymentID, by string) (deploy.Deployment, error) {
	if err := t.lockProject(ctx, p.ID); err != nil {
		return deploy.Deployment{}, err
	}
	d, err := t.FindDeployment(ctx, p.OrganizationID, deploymentID)
	if err != nil {
		return d, err
	}
	switch {
	case d.ProjectID != p.ID:
		return d, errUnknownDeployment
	case d.Kind != deploy.Production:
		return d, fault.New(fault.Conflict, "not_production", "A preview cannot go live.").WithField("deploymentId").
			WithHint("Publish its branch instead.")
	case d.Status != deploy.Success:
		return d, fault.Newf(fault.Conflict, "wrong_state", "The deployment is %s; only a successful one can go live.",
			d.Status).WithField("deploymentId")
	}
	// The time of a deployment may be slightly ahead of the clock; see nextDeploymentTime. The time of the rollback
	// must be later than the times of all deployments.
	last, err := t.nextDeploymentTime(ctx, p.ID)
	if err != nil {
		return d, err
	}
	now := t.now()
	if _, err := t.q.exec(ctx, `INSERT INTO roll_backs (deployment_id, restored_by, restored_at) VALUES ($1, $2, $3)
		ON CONFLICT (deployment_id) DO UPDATE SET restored_by = excluded.restored_by, restored_at = excluded.restored_at`,
		d.ID, by, micros(now)); err != nil {
		return d, wrap("roll back", err)
	}
	d.RestoredBy, d.RestoredAt = by, &now
	_, err = t.q.exec(ctx, `UPDATE projects SET live_id = $2, rolled_back_at = $3 WHERE id = $1`, p.ID, d.ID,
		micros(last))
	return d, wrap("roll back", err)
}
