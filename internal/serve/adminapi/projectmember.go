package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showProjectMember(m account.ProjectMember) client.ProjectMember {
	return client.ProjectMember{MemberID: m.ID, Email: m.Email, Name: orNull(m.Name), Role: string(m.InProject),
		OrganizationRole: string(m.Role)}
}

// showProjectRoles converts project roles to the API's form.
func showProjectRoles(list account.ProjectRoles) []client.ProjectRole {
	out := []client.ProjectRole{}
	for _, g := range list.List() {
		out = append(out, client.ProjectRole{ProjectID: g.ProjectID, Role: string(g.Role)})
	}
	return out
}

func (a *api) listProjectMembers(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.ListProjectMembers(c.ctx(), c.org(), p.ID)
	if err != nil {
		return response{}, err
	}
	body := client.ProjectMemberList{Members: []client.ProjectMember{}}
	for _, m := range list {
		body.Members = append(body.Members, showProjectMember(m))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) setProjectMember(c *call) (response, error) {
	var in struct {
		Role string `json:"role" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	role, err := account.ParseProjectRole(in.Role)
	if err != nil {
		return response{}, err
	}
	out := account.ProjectMember{InProject: role}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		p, m, err := a.holdProjectMember(c, tx, role)
		if err != nil {
			return err
		}
		out.Colleague = m
		before := m.Projects.In(p.ID)
		if before == role {
			return nil
		}
		if err := tx.SetProjectRole(c.ctx(), m.ID, p.ID, role); err != nil {
			return err
		}
		action, data := "project.role_give", map[string]string{"member": m.ID, "email": m.Email, "role": string(role)}
		if before != "" {
			action, data = "project.role_change", map[string]string{"member": m.ID, "email": m.Email,
				"before": string(before), "after": string(role)}
		}
		return tx.Record(c.ctx(), a.event(c, action, p.ID, data))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showProjectMember(out)}, nil
}

func (a *api) removeProjectMember(c *call) (response, error) {
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		p, m, err := a.holdProjectMember(c, tx, "")
		if err != nil {
			return err
		}
		before := m.Projects.In(p.ID)
		if before == "" {
			return nil
		}
		if err := tx.RemoveProjectRole(c.ctx(), m.ID, p.ID); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "project.role_remove", p.ID,
			map[string]string{"member": m.ID, "email": m.Email, "role": string(before)}))
	})
	return response{status: http.StatusNoContent}, err
}

// holdProjectMember returns the project and the member in the path, locked until the transaction ends, if the caller
// may grant the member that role there.
func (a *api) holdProjectMember(c *call, tx *store.Tx, role account.Role) (project.Project, account.Colleague, error) {
	if err := a.holdCaller(c, tx); err != nil {
		return project.Project{}, account.Colleague{}, err
	}
	p, err := tx.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return p, account.Colleague{}, err
	}
	if err := c.principal.MayGiveIn(p.ID, role); err != nil {
		return p, account.Colleague{}, err
	}
	m, err := tx.FindColleague(c.ctx(), c.org(), c.pathID("memberId", id.Member))
	return p, m, err
}
