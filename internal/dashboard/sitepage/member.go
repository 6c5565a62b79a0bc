package sitepage

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// membersPart is the section of the settings about roles in the project.
type membersPart struct {
	Members []client.ProjectMember
	Others  []client.Member // organization members without a role in the project; none if the user may not see them
	Roles   []account.Role
	Example string
}

func findMembers(v *shell.Visit, projectID string) (membersPart, error) {
	part := membersPart{Roles: account.RolesInProject(),
		Example: shell.Body(client.SetProjectMember{Role: string(account.RoleEditor)})}
	list, err := v.API.ListProjectMembers(v.Ctx(), projectID)
	if err != nil {
		return part, err
	}
	part.Members = list.Members
	if !v.InOrganization(shell.Viewer) {
		return part, nil
	}
	all, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return part, err
	}
	for _, m := range all.Members {
		has := slices.ContainsFunc(part.Members, func(p client.ProjectMember) bool { return p.MemberID == m.MemberID })
		if !has && !account.Role(m.Role).AtLeast(account.RoleAdmin) { // admins have access to every project anyway
			part.Others = append(part.Others, m)
		}
	}
	slices.SortFunc(part.Others, func(a, b client.Member) int { return strings.Compare(a.Email, b.Email) })
	return part, nil
}

// setMember sets a member's role in the project.
func setMember(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	_, err := v.API.SetProjectMember(v.Ctx(), projectID, v.Field("member"),
		client.SetProjectMember{Role: v.Field("role")})
	return changedMembers(v, projectID, err, "project-role-set")
}

func removeMember(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	err := v.API.RemoveProjectMember(v.Ctx(), projectID, v.R.PathValue("memberId"))
	return changedMembers(v, projectID, err, "project-role-gone")
}

// changedMembers completes a form about project roles: it redirects to the settings or, if users removed their own
// role, to a page that they can still see.
func changedMembers(v *shell.Visit, projectID string, err error, did string) error {
	if err == nil {
		back := shell.ProjectPath(projectID, "/settings")
		if v.R.PathValue("memberId") == v.Membership.Member.ID && !v.InOrganization(shell.Admin) {
			back = shell.ProjectsPath
		}
		return v.Done(back, did)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	p, err := v.API.GetProject(v.Ctx(), projectID)
	if err != nil {
		return err
	}
	return showSettings(v, pageErr.Status, *p, formOf(*p), settingsPage{MembersError: pageErr})
}
