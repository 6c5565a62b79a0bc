package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/client"
)

type projectsMembersCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
}

// Help returns the long description.
func (projectsMembersCommand) Help() string {
	return `Members are not listed merely because their role in the organization covers all projects.

    lectern projects members prj_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *projectsMembersCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListProjectMembers(ctx, c.ProjectID)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, m := range list.Members {
			rows = append(rows, []string{m.MemberID, m.Email, m.Role, m.OrganizationRole, orNone(m.Name)})
		}
		return printTable(w, []string{"MEMBER ID", "E-MAIL", "ROLE", "IN THE ORGANIZATION", "NAME"}, rows)
	})
}

type projectsRoleCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
	Member    string `arg:"" help:"Id of the member, such as mem_…, or e-mail address."`
	Role      string `arg:"" help:"admin, editor or viewer; none takes the role away."`
}

// Help returns the long description.
func (projectsRoleCommand) Help() string {
	return `In the project, the stronger of this role and the member's role in the organization counts. A guest sees only
projects in which they have a role.

    lectern projects role prj_aaaaaaaaaaaaaaaaaaaaaaaaaa contractor@example.com editor`
}

func (c *projectsRoleCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	memberID, err := findMember(ctx, cl, c.Member)
	if err != nil {
		return err
	}
	if c.Role == "none" {
		if err := cl.RemoveProjectMember(ctx, c.ProjectID, memberID); err != nil {
			return err
		}
		return c.result(r, map[string]string{"memberId": memberID}, line(memberID))
	}
	m, err := cl.SetProjectMember(ctx, c.ProjectID, memberID, client.SetProjectMember{Role: c.Role})
	if err != nil {
		return err
	}
	return c.result(r, m, line(fmt.Sprintf("%s is now %s in the project.", m.Email, m.Role)))
}
