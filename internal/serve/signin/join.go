package signin

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Joining is the input from a person who uses an invitation link.
type Joining struct {
	Email    string // used only if the link is for anyone
	Name     string // for a new account
	Password string // new password for a new account, or the password of the existing account
	Visit    Visit  // the browser's session; zero = none
	Browser
}

// Join makes the holder of a link a member. A person without an account gets one. A person with an account must prove
// that it is theirs, by being signed in or by entering its password.
func (d *Service) Join(ctx context.Context, token string, j Joining) (Entered, error) {
	i, err := d.invited(ctx, token, account.InviteJoin)
	if err != nil {
		return Entered{}, err
	}
	if i.Email == "" {
		if i.Email, err = account.CleanEmail(j.Email); err != nil {
			return Entered{}, err
		}
	}
	p, err := d.Store.FindPersonByEmail(ctx, i.Email)
	switch {
	case fault.Is(err, fault.NotFound):
		return d.joinAnew(ctx, i, j)
	case err != nil:
		return Entered{}, err
	case j.Visit.Person.ID == p.ID:
		return d.joinInSession(ctx, i, j)
	}
	return d.joinByPassword(ctx, i, p, j)
}

// joinAnew creates the account, the membership and the session atomically.
func (d *Service) joinAnew(ctx context.Context, i Invitation, j Joining) (Entered, error) {
	name, err := account.CleanPersonName(j.Name)
	if err != nil {
		return Entered{}, err
	}
	if err := account.CheckPassword(j.Password, i.Email); err != nil {
		return Entered{}, err
	}
	hash, err := d.hash(ctx, j.Password)
	if err != nil {
		return Entered{}, err
	}
	token := account.NewToken(d.Rand)
	var p account.Person
	err = d.Store.Tx(ctx, func(tx *store.Tx) (err error) {
		if err := d.accept(ctx, tx, i, j.Browser); err != nil {
			return err
		}
		p, err = tx.CreatePerson(ctx, account.Person{Email: i.Email, Name: name, PasswordHash: hash})
		if err != nil {
			return err
		}
		s, err := d.begin(ctx, tx, p, i.OrganizationID, byInvitation, j.Browser, token)
		if err != nil {
			return err
		}
		return d.recordArrival(ctx, tx, p, s, j.Browser)
	})
	if err != nil {
		return Entered{}, err
	}
	return Entered{Token: token, Device: d.newDevice(p, j.Browser), RecoveryLeft: -1}, nil
}

// joinInSession adds a membership to the signed-in account. The session continues and switches to the new
// organization.
func (d *Service) joinInSession(ctx context.Context, i Invitation, j Joining) (Entered, error) {
	err := d.Store.Tx(ctx, func(tx *store.Tx) error {
		if err := d.accept(ctx, tx, i, j.Browser); err != nil {
			return err
		}
		return tx.MoveSession(ctx, j.Visit.Session.ID, i.OrganizationID)
	})
	return Entered{RecoveryLeft: -1}, err
}

func (d *Service) joinByPassword(ctx context.Context, i Invitation, p account.Person, j Joining) (Entered, error) {
	if p.TwoFactor() || p.PasswordHash == "" {
		return Entered{}, fault.New(fault.Unauthenticated, "sign_in_first", "This address already has an account.").
			WithHint("Sign in with it, then open the link again.")
	}
	p, err := d.prove(ctx, Attempt{Email: p.Email, Password: j.Password, Browser: j.Browser})
	if fault.HasCode(err, wrongCredentials) {
		return Entered{}, fault.New(fault.Unauthenticated, wrongCredentials,
			"This address already has an account, and the password is wrong.").WithField("password")
	}
	if err != nil {
		return Entered{}, err
	}
	if p.TwoFactor() { // turned on in the meantime
		return Entered{}, startOver()
	}
	return d.enter(ctx, p, byPassword, j.Browser, func(tx *store.Tx, _ *account.Person, s account.Session) error {
		if err := d.accept(ctx, tx, i, j.Browser); err != nil {
			return err
		}
		return tx.MoveSession(ctx, s.ID, i.OrganizationID)
	})
}

// accept marks the link as used and creates the membership. An existing member keeps the stronger of the two roles.
func (d *Service) accept(ctx context.Context, tx *store.Tx, i Invitation, b Browser) error {
	if err := tx.HoldOrganization(ctx, i.OrganizationID); err != nil {
		return err
	}
	if err := tx.UseInvitation(ctx, i.ID); err != nil {
		return err
	}
	m, err := tx.FindMemberByEmail(ctx, i.OrganizationID, i.Email)
	switch {
	case fault.Is(err, fault.NotFound):
		m, err = tx.AddMember(ctx, i.OrganizationID, i.Email, i.Role)
	case err == nil && !m.Role.AtLeast(i.Role):
		if err = tx.SetRole(ctx, m, i.Role); err == nil {
			m.Role = i.Role
		}
	}
	if err != nil {
		return err
	}
	if err := d.giveProject(ctx, tx, i, m, b); err != nil {
		return err
	}
	// A server prints a new link at each start until one is used; after that, the unused ones must stop working.
	if i.anybody {
		others := func(o account.Invitation) bool { return o.Email == "" && o.Kind == account.InviteJoin }
		if err := d.withdraw(ctx, tx, i.OrganizationID, m.ID, b, others); err != nil {
			return err
		}
	}
	data := map[string]string{"email": m.Email, "role": string(m.Role)}
	if err := tx.Record(ctx,
		event.New(i.OrganizationID, m.ID, "invitation.accept", i.ID, b.RequestID, d.Now(), data)); err != nil {
		return err
	}
	return tx.Record(ctx, event.New(i.OrganizationID, m.ID, "member.join", m.ID, b.RequestID, d.Now(), data))
}

// giveProject grants a new member the link's project role, unless they have a stronger one or the project has been
// deleted.
func (d *Service) giveProject(ctx context.Context, tx *store.Tx, i Invitation, m account.Member, b Browser) error {
	if i.Project.ProjectID == "" || m.Projects.In(i.Project.ProjectID).AtLeast(i.Project.Role) {
		return nil
	}
	p, err := tx.FindProject(ctx, i.OrganizationID, i.Project.ProjectID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := tx.SetProjectRole(ctx, m.ID, p.ID, i.Project.Role); err != nil {
		return err
	}
	return tx.Record(ctx, event.New(i.OrganizationID, m.ID, "project.role_give", p.ID, b.RequestID, d.Now(),
		map[string]string{"member": m.ID, "email": m.Email, "role": string(i.Project.Role), "invitation": i.ID}))
}

// withdraw withdraws the organization's links that which selects, as part of the caller's transaction.
func (d *Service) withdraw(ctx context.Context, tx *store.Tx, organizationID, actor string, b Browser,
	which func(account.Invitation) bool) error {
	gone, err := tx.WithdrawLinks(ctx, organizationID, which)
	for _, i := range gone {
		if err == nil {
			data := map[string]string{"email": i.Email, "role": string(i.Role)}
			err = tx.Record(ctx, event.New(organizationID, actor, "invitation.revoke", i.ID, b.RequestID, d.Now(),
				data))
		}
	}
	return err
}
