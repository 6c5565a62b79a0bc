package settings

import (
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// inviteForm contains the user's input.
type inviteForm struct{ Email, Role, Days, Project, ProjectRole string }

// days returns the selected lifetime as an API parameter; invalid input becomes a value that the API rejects.
func (f inviteForm) days() *int {
	n, err := strconv.Atoi(f.Days)
	if err != nil {
		n = 0
	}
	return &n
}

// invitationRow is a valid link.
type invitationRow struct {
	client.Invitation
	By    string    // who created it
	Place *placeRow // project role granted by it; nil = none
}

// Undelivered returns why the link's mail was not delivered. It returns "" if it was delivered or not tried yet, or if
// no mail is sent.
func (i invitationRow) Undelivered() string {
	switch {
	case i.Mail == nil || i.Mail.Error == nil:
		return ""
	case i.Mail.State == "failed":
		return "The email could not be sent: " + *i.Mail.Error
	}
	return "The email has not been sent yet; another attempt follows: " + *i.Mail.Error
}

// invite creates an invitation link; the response shows it once.
func invite(b *shell.Board, v *shell.Visit) error {
	form := inviteForm{Email: v.Field("email"), Role: v.Field("role"), Days: v.Field("expiresInDays"),
		Project: v.Field("project"), ProjectRole: v.Field("projectRole")}
	in := client.CreateInvitation{Email: form.Email, Role: form.Role, ExpiresInDays: form.days()}
	if form.Project != "" {
		in.Project = &client.ProjectRole{ProjectID: form.Project, Role: form.ProjectRole}
	}
	link, err := v.API.CreateInvitation(v.Ctx(), in)
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return showMembers(v, pageErr.Status, membersPage{FormError: pageErr, Form: form})
	}
	return showMembers(v, http.StatusOK, membersPage{Link: link})
}

func withdrawInvitation(b *shell.Board, v *shell.Visit) error {
	return changedMembers(v, v.API.RevokeInvitation(v.Ctx(), v.R.PathValue("invitationId")), MembersPath,
		"invitation-withdrawn")
}

// invitations lists the valid links, with their creators.
func invitations(v *shell.Visit, members []client.Member, projects []client.Project) (out []invitationRow, err error) {
	list, err := v.API.ListInvitations(v.Ctx())
	if err != nil {
		return nil, err
	}
	names := map[string]string{"operator": "the server's operator", account.ByThemself: "themself"}
	for _, m := range members {
		names[m.MemberID] = m.Email
	}
	for _, i := range list.Invitations {
		row := invitationRow{Invitation: i, By: maker(i.CreatedBy, names)}
		if i.Project != nil {
			place := newPlaceRow(*i.Project, projects)
			row.Place = &place
		}
		out = append(out, row)
	}
	return out, nil
}

// freshInvite returns the initial values of the form.
func freshInvite() inviteForm {
	return inviteForm{Role: string(account.RoleEditor), Days: strconv.Itoa(account.InviteDays),
		ProjectRole: string(account.RoleEditor)}
}
