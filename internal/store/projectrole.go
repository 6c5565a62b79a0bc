package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// inProject is the SQL condition that member m may see project p.
const inProject = `(m.role IN ('owner', 'admin', 'editor', 'viewer') OR EXISTS (SELECT 1 FROM project_roles g
	WHERE g.member_id = m.id AND g.project_id = p.id))`

// SetProjectRole sets a member's role in a project. The caller must have checked that both belong to the same
// organization.
func (t *Tx) SetProjectRole(ctx context.Context, memberID, projectID string, role account.Role) error {
	_, err := t.q.exec(ctx, `INSERT INTO project_roles (member_id, project_id, role, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (member_id, project_id) DO UPDATE SET role = excluded.role`,
		memberID, projectID, string(role), micros(t.now()))
	return wrap("store role in project", err)
}

// RemoveProjectRole removes a member's role in a project, if there is one.
func (t *Tx) RemoveProjectRole(ctx context.Context, memberID, projectID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM project_roles WHERE member_id = $1 AND project_id = $2`, memberID, projectID)
	return wrap("remove role in project", err)
}

// ListProjectMembers returns the members of an organization that have a role in a project, oldest role first.
func (r reads) ListProjectMembers(ctx context.Context, organizationID, projectID string) ([]account.ProjectMember,
	error) {
	list, err := collect(ctx, r.q, scanColleague, colleagueSelect+`JOIN project_roles pr ON pr.member_id = m.id
		WHERE m.organization_id = $1 AND pr.project_id = $2 ORDER BY pr.created_at, m.id`, organizationID, projectID)
	out := make([]account.ProjectMember, len(list))
	for i, c := range list {
		out[i] = account.ProjectMember{Colleague: c, InProject: c.Projects.In(projectID)}
	}
	return out, wrap("list members of project", err)
}
