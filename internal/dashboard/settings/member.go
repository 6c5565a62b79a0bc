package settings

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// membersPage is the data of the members page.
type membersPage struct {
	FormError   *shell.PageError // error of the submitted form; nil = none
	Members     []memberRow      // all members
	List        shell.Listing[memberRow]
	Invitations []invitationRow
	Form        inviteForm
	Link        *client.InvitationLink // the new link, shown only once; nil = none
	MayGive     []account.Role         // roles that the user may grant with an invitation; none = may not invite
	Projects    []client.Project       // projects in which the user may grant a role with an invitation
	RoleRows    []RoleRow
	Example     string
	Mail        bool // whether the server sends links by mail
}

// FieldErrors returns the errors of the form's fields, by name.
func (p membersPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// ProjectRoles lists the project roles that an invitation can grant.
func (membersPage) ProjectRoles() []account.Role { return account.RolesInProject() }

// Changeable returns the id of a member whose role the user may change, or "" if there is no such member.
func (p membersPage) Changeable() string {
	for _, m := range p.Members {
		if m.MayGive != nil {
			return m.MemberID
		}
	}
	return ""
}

// memberRow is a member in the list, with the actions available to the user viewing the page.
type memberRow struct {
	client.Member
	Self      bool
	OnlyOwner bool           // the only owner, whose role cannot be changed
	MayGive   []account.Role // roles that may be granted instead; none = the role may not be changed
	MayRemove bool
	MayReset  bool // whether a password link may be created
	Places    []placeRow
}

// placeRow is a role in a project.
type placeRow struct {
	client.ProjectRole
	Name string // the project's name, or its id if unknown
}

func newPlaceRow(in client.ProjectRole, projects []client.Project) placeRow {
	for _, p := range projects {
		if p.ProjectID == in.ProjectID {
			return placeRow{in, p.Name}
		}
	}
	return placeRow{in, in.ProjectID}
}

func listMembers(b *shell.Board, v *shell.Visit) error {
	return showMembers(v, http.StatusOK, membersPage{})
}

func setRole(b *shell.Board, v *shell.Visit) error {
	_, err := v.API.SetMemberRole(v.Ctx(), v.R.PathValue("memberId"), client.SetMemberRole{Role: v.Field("role")})
	return changedMembers(v, err, MembersPath, "role-changed")
}

// removeMember removes a member, or lets members leave by themselves.
func removeMember(b *shell.Board, v *shell.Visit) error {
	memberID := v.R.PathValue("memberId")
	err := v.API.RemoveMember(v.Ctx(), memberID)
	if memberID == v.Membership.Member.ID {
		return changedMembers(v, err, "/dashboard/sign-in", "left") // the session ended with the membership
	}
	return changedMembers(v, err, MembersPath, "member-removed")
}

func makePasswordLink(b *shell.Board, v *shell.Visit) error {
	link, err := v.API.CreatePasswordLink(v.Ctx(), v.R.PathValue("memberId"))
	if err != nil {
		return changedMembers(v, err, "", "")
	}
	return showMembers(v, http.StatusOK, membersPage{Link: link})
}

// changedMembers completes a form about members: it shows the page with the API's error, or redirects to path.
func changedMembers(v *shell.Visit, err error, path, did string) error {
	if err == nil {
		return v.Done(path, did)
	}
	if pageErr := shell.FormError(err); pageErr != nil {
		return showMembers(v, pageErr.Status, membersPage{FormError: pageErr})
	}
	return err
}

// showMembers loads the remaining data and shows the page.
func showMembers(v *shell.Visit, status int, page membersPage) error {
	list, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return err
	}
	projects, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100})
	if err != nil {
		return err
	}
	page.Projects = projects.Projects
	owners := 0
	for _, m := range list.Members {
		if account.Role(m.Role) == account.RoleOwner {
			owners++
		}
	}
	for _, m := range list.Members {
		row := newMemberRow(v, m, owners)
		for _, in := range m.Projects {
			row.Places = append(row.Places, newPlaceRow(in, page.Projects))
		}
		page.Members = append(page.Members, row)
	}
	if page.List, err = memberList(v, page.Members); err != nil {
		return err
	}
	page.Mail = v.B.Mail
	page.MayGive, page.RoleRows = givable(v.Role(), "", true), RoleRows()
	if v.May(shell.Admin) {
		if page.Invitations, err = invitations(v, list.Members, page.Projects); err != nil {
			return err
		}
	}
	if page.Form == (inviteForm{}) {
		page.Form = freshInvite()
	}
	week := account.InviteDays
	page.Example = shell.Body(client.CreateInvitation{Email: "editor@example.com", Role: "editor",
		ExpiresInDays: &week})
	return v.Show(status, "members", shell.Frame{Title: "Members", Section: "members"}, page)
}

// memberList filters and sorts the members as requested by the URL; all is in the order in which they joined.
func memberList(v *shell.Visit, all []memberRow) (shell.Listing[memberRow], error) {
	var roles []string
	for _, r := range account.Roles() {
		roles = append(roles, string(r))
	}
	return shell.List(v, shell.Listed[memberRow]{Noun: "members", Newest: "joined", Size: 100,
		Columns: []shell.Column[memberRow]{
			{Key: "person", Label: "Person", Compare: func(a, b memberRow) int {
				return strings.Compare(strings.ToLower(a.Email), strings.ToLower(b.Email))
			}},
			{Key: "role", Label: "Role", Compare: func(a, b memberRow) int {
				return slices.Index(roles, a.Role) - slices.Index(roles, b.Role)
			}},
			{Label: "Account"},
			{Key: "seen", Label: "Last seen", Down: true, Compare: func(a, b memberRow) int {
				return compareTimes(a.LastSeenAt, b.LastSeenAt)
			}},
			{Key: "joined", Label: "Joined", Down: true, Compare: func(a, b memberRow) int {
				return a.CreatedAt.Compare(b.CreatedAt)
			}}},
		Text:   func(m memberRow) string { return shell.Text(m.Name) + " " + m.Email + " " + m.MemberID },
		States: roles, State: func(m memberRow) string { return m.Role },
		StateLabel: "Role",
		Load: func(string, string, int) ([]memberRow, string, error) {
			newest := slices.Clone(all)
			slices.Reverse(newest)
			return newest, "", nil
		}})
}

func newMemberRow(v *shell.Visit, m client.Member, owners int) memberRow {
	now := account.Role(m.Role)
	row := memberRow{Member: m, Self: m.MemberID == v.Membership.Member.ID, OnlyOwner: now == account.RoleOwner &&
		owners == 1}
	if !row.OnlyOwner {
		row.MayGive = givable(v.Role(), now, false)
		row.MayRemove = row.Self || account.MayGive(v.Role(), now, "") == nil
	}
	row.MayReset = m.HasAccount && !row.Self && account.MayGive(v.Role(), now, now) == nil
	return row
}

// givable lists the roles that someone with the role actor may grant to someone with the role from. It includes from
// only if same is set.
func givable(actor, from account.Role, same bool) (out []account.Role) {
	for _, to := range account.Roles() {
		if (same || to != from) && account.MayGive(actor, from, to) == nil {
			out = append(out, to)
		}
	}
	return out
}
