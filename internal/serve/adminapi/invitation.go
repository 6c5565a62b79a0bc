package adminapi

import (
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	linksAnHour = 50 // new links of all kinds for each organization
	linkWindow  = time.Hour
)

// showInvitation converts a link to the API's form. A zero status means that nothing is known about its email.
func showInvitation(i account.Invitation, status mail.Status) client.Invitation {
	out := client.Invitation{InvitationID: i.ID, Kind: string(i.Kind), Email: orNull(i.Email),
		Role: orNull(string(i.Role)), CreatedAt: stamp(i.CreatedAt),
		CreatedBy: orNull(i.CreatedBy), ExpiresAt: stamp(i.ExpiresAt)}
	if i.Kind == account.InvitePassword {
		out.Role = nil // it grants no role
	}
	if i.Project.ProjectID != "" {
		out.Project = &client.ProjectRole{ProjectID: i.Project.ProjectID, Role: string(i.Project.Role)}
	}
	if status.State != "" {
		out.Mail = &client.InvitationMail{State: client.InvitationMailState(status.State), Error: orNull(status.Error)}
	}
	return out
}

// showLink returns an invitation with its URL. Only the response to the invitation's creation contains the URL.
func showLink(i account.Invitation, status mail.Status, link string) client.InvitationLink {
	s := showInvitation(i, status)
	return client.InvitationLink{InvitationID: s.InvitationID, Kind: s.Kind, Email: s.Email, Role: s.Role,
		Project: s.Project, CreatedAt: s.CreatedAt,
		CreatedBy: s.CreatedBy, ExpiresAt: s.ExpiresAt, Mail: s.Mail, URL: link}
}

func (a *api) createInvitation(c *call) (response, error) {
	want, life, err := a.readInvitation(c)
	if err != nil {
		return response{}, err
	}
	return a.makeLink(c, want, life, func(tx *store.Tx, want *account.Invitation) (string, string, error) {
		if err := a.mayInviteTo(c, tx, want.Project); err != nil {
			return "", "", err
		}
		return "invitation.create", "", a.mayInvite(c, tx, *want)
	})
}

// mayInvite checks that the caller may grant the role and that the address does not belong to a member. A member
// without an account may be invited: the link is how they get an account.
func (a *api) mayInvite(c *call, tx *store.Tx, want account.Invitation) error {
	m, err := tx.FindMemberByEmail(c.ctx(), c.org(), want.Email)
	if fault.Is(err, fault.NotFound) {
		return c.principal.MayGive("", want.Role) // checked again, since the caller's role may have changed
	}
	if err != nil {
		return err
	}
	_, err = tx.FindPersonByEmail(c.ctx(), want.Email)
	switch {
	case err == nil:
		return fault.New(fault.Conflict, "member_exists", "A member with that address already exists.").
			WithField("email").
			WithHint("Change the member's role, or create a password link.")
	case !fault.Is(err, fault.NotFound):
		return err
	}
	given := want.Role
	if m.Role.AtLeast(given) {
		given = m.Role // a link never reduces a role
	}
	return c.principal.MayGive(m.Role, given)
}

// mayInviteTo checks that an invitation's project exists and that the caller may grant the role in it.
func (a *api) mayInviteTo(c *call, tx *store.Tx, in account.ProjectRole) error {
	if in.ProjectID == "" {
		return nil
	}
	if _, err := tx.FindProject(c.ctx(), c.org(), in.ProjectID); err != nil {
		if f, ok := fault.As(err); ok {
			return f.WithField("project.projectId")
		}
		return err
	}
	return c.principal.MayGiveIn(in.ProjectID, in.Role)
}

// readInvitation parses the request body for an invitation and checks that the caller may grant the role.
func (a *api) readInvitation(c *call) (want account.Invitation, life time.Duration, err error) {
	var in struct {
		Email         string `json:"email" required:"true"`
		Role          string `json:"role" required:"true"`
		ExpiresInDays *int   `json:"expiresInDays" nullable:"true"`
		Project       *struct {
			ProjectID string `json:"projectId" required:"true"`
			Role      string `json:"role" required:"true"`
		} `json:"project" nullable:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return want, 0, err
	}
	want.Kind = account.InviteJoin
	if want.Email, err = account.CleanEmail(in.Email); err != nil {
		return want, 0, err
	}
	if want.Role, err = account.ParseRole(in.Role); err != nil {
		return want, 0, err
	}
	if in.Project != nil {
		want.Project.ProjectID = cleanID(in.Project.ProjectID, id.Project)
		if want.Project.Role, err = account.ParseProjectRole(in.Project.Role); err != nil {
			return want, 0, err
		}
	}
	if life, err = account.InviteLife(in.ExpiresInDays); err != nil {
		return want, 0, err
	}
	return want, life, c.principal.MayGive("", want.Role)
}

func (a *api) createPasswordLink(c *call) (response, error) {
	return a.makeLink(c, account.Invitation{Kind: account.InvitePassword}, account.PasswordLink,
		func(tx *store.Tx, want *account.Invitation) (string, string, error) {
			m, err := tx.FindColleague(c.ctx(), c.org(), c.pathID("memberId", id.Member))
			if err != nil {
				return "", "", err
			}
			// With these, the link becomes invalid if the member is later given more permissions.
			want.Email, want.Role = m.Email, m.Role
			return "member.password_link", m.ID, a.mayResetPassword(c, tx, m)
		})
}

// mayResetPassword checks that this organization may reset a member's password: anyone with the link can sign in as
// that person, in every organization.
func (a *api) mayResetPassword(c *call, tx *store.Tx, m account.Colleague) error {
	if err := c.principal.MayGive(m.Role, m.Role); err != nil {
		return err
	}
	if m.PersonID == "" {
		return fault.New(fault.Conflict, "no_account",
			"The member has no account yet, so there is no password to reset.").
			WithHint("Invite the address instead; the link creates the account.")
	}
	places, err := tx.ListMemberships(c.ctx(), m.Email)
	if err == nil && len(places) > 1 {
		return fault.New(fault.Conflict, "in_other_organizations",
			"The person is also a member of other organizations, and a new password would give access to them too.").
			WithHint("The server's operator can create the link: lectern org invite --password " + m.Email)
	}
	return err
}

// makeLink stores a link with its audit record and responds with its URL. check runs first, while the organization is
// locked. It may fill in fields of the link, and returns the action and target to record ("" = the link itself).
func (a *api) makeLink(c *call, want account.Invitation, life time.Duration,
	check func(*store.Tx, *account.Invitation) (action, target string, err error)) (response, error) {
	token := account.NewToken(a.Rand)
	want.OrganizationID, want.Hash, want.CreatedBy = c.org(), account.TokenHash(token), c.principal.Actor()
	var made account.Invitation
	var status mail.Status
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		link := want
		action, target, err := check(tx, &link)
		if err != nil {
			return err
		}
		link.ExpiresAt = a.Now().Add(life)
		if end := c.principal.Key.ExpiresAt; end != nil && end.Before(link.ExpiresAt) {
			link.ExpiresAt = *end // nothing created by a key outlives the key
		}
		if made, err = tx.CreateInvitation(c.ctx(), link); err != nil {
			return err
		}
		if status, err = a.mailLink(c, tx, made, token); err != nil {
			return err
		}
		if target == "" {
			target = made.ID
		}
		if err := tx.Record(c.ctx(), a.event(c, action, target, linkData(made))); err != nil {
			return err
		}
		return a.checkLinkRate(c, tx)
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: showLink(made, status, made.Link(a.baseURL(c), token))}, nil
}

// mailLink queues an email with a link's URL, if this server sends mail. The secret is stored encrypted until it has
// been sent.
func (a *api) mailLink(c *call, tx *store.Tx, i account.Invitation, token string) (mail.Status, error) {
	if !a.Mail || i.Email == "" {
		return mail.Status{}, nil
	}
	m, err := tx.QueueLink(c.ctx(), i, mail.SealToken(a.Masters[0], a.Rand, i.ID, token))
	return mail.Status{State: m.State}, err
}

// linkData returns the audit data of a link, which does not include its secret.
func linkData(i account.Invitation) map[string]string {
	data := map[string]string{"invitation": i.ID, "email": i.Email,
		"expiresAt": stamp(i.ExpiresAt).Format(time.RFC3339)}
	if i.Role != "" {
		data["role"] = string(i.Role)
	}
	if i.Project.ProjectID != "" {
		data["project"], data["projectRole"] = i.Project.ProjectID, string(i.Project.Role)
	}
	return data
}

// checkLinkRate rejects a link that was just created if it exceeds the hourly limit.
func (a *api) checkLinkRate(c *call, tx *store.Tx) error {
	newest, err := tx.ListInvitationTimes(c.ctx(), c.org(), linksAnHour+1)
	if err != nil || len(newest) <= linksAnHour {
		return err
	}
	wait := newest[linksAnHour].Add(linkWindow).Sub(a.Now())
	if wait <= 0 {
		return nil
	}
	return fault.Newf(fault.RateLimited, "too_many_invitations",
		"An organization can create at most %d links per hour.", linksAnHour).WithRetryAfter(wait)
}

func (a *api) listInvitations(c *call) (response, error) {
	list, err := a.Store.ListInvitations(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	mails, err := a.Store.ListInvitationMails(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	body := client.InvitationList{Invitations: []client.Invitation{}}
	for _, i := range list {
		body.Invitations = append(body.Invitations, showInvitation(i, mails[i.ID]))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) revokeInvitation(c *call) (response, error) {
	invitationID := c.pathID("invitationId", id.Invitation)
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil { // locked first, in the same order as when a link is used
			return err
		}
		i, err := tx.RevokeInvitation(c.ctx(), c.org(), invitationID)
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "invitation.revoke", i.ID, linkData(i)))
	})
	return response{status: http.StatusNoContent}, err
}

// withdraw withdraws the links that which selects, as part of the caller's transaction.
func (a *api) withdraw(c *call, tx *store.Tx, which func(account.Invitation) bool) error {
	gone, err := tx.WithdrawLinks(c.ctx(), c.org(), which)
	for _, i := range gone {
		if err == nil {
			err = tx.Record(c.ctx(), a.event(c, "invitation.revoke", i.ID, linkData(i)))
		}
	}
	return err
}
