package signin

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/store"
)

// admit starts a session for a person identified by the provider, and sets their role from the provider's groups. All
// changes are in one transaction, so no account is created for a person who is rejected. link is the secret of an
// invitation link that they are about to use, or "".
func (d *Service) admit(ctx context.Context, who oidc.Identity, link string, b Browser) (Entered, error) {
	organizationID, err := d.IDP.OrganizationID(ctx)
	if err != nil {
		return Entered{}, err
	}
	invited, err := d.addressee(ctx, link)
	if err != nil {
		return Entered{}, err
	}
	token := account.NewToken(d.Rand)
	err = d.Store.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.HoldOrganization(ctx, organizationID); err != nil {
			return err
		}
		p, linked, err := d.recognise(ctx, tx, who)
		if err != nil {
			return err
		}
		before, err := roleIn(ctx, tx, organizationID, p.Email)
		if err != nil {
			return err
		}
		member, err := d.settle(ctx, tx, organizationID, p.Email, d.IDP.Roles.Strongest(who.Groups), b)
		if fault.HasCode(err, d.IDP.code(noRole)) && p.Email == invited {
			err = nil // the link makes them a member once they confirm
		}
		if err != nil {
			return err
		}
		look := organizationID
		if !member {
			look = "" // start in one of their other organizations
		}
		if linked && member {
			if p, err = d.recordLink(ctx, tx, p, organizationID, before, b); err != nil {
				return err
			}
		}
		s, err := d.begin(ctx, tx, p, look, d.IDP.method(), b, token)
		if err != nil {
			return err
		}
		return d.recordArrival(ctx, tx, p, s, b)
	})
	if err != nil {
		return Entered{}, err
	}
	return Entered{Token: token, RecoveryLeft: -1}, nil
}

// addressee returns the address that an invitation link is for, or "" if the link is for anyone or not valid.
func (d *Service) addressee(ctx context.Context, link string) (string, error) {
	i, err := d.invited(ctx, link, account.InviteJoin)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	return i.Email, err
}

// noRole is the error code for people who are not members and have no role.
const noRole = "no_role"

// recognise finds or creates the account for an identity: by issuer and subject, or else by an address that the
// provider has verified. linked means that an existing account was linked to the identity.
func (d *Service) recognise(ctx context.Context, tx *store.Tx, who oidc.Identity) (p account.Person, linked bool,
	err error) {
	p, err = tx.FindPersonByIdentity(ctx, who.Issuer, who.Subject)
	if !fault.Is(err, fault.NotFound) {
		return p, false, err
	}
	email, err := account.CleanEmail(who.Email)
	if err != nil {
		return p, false, fault.New(fault.Forbidden, d.IDP.code("no_email"),
			"The identity provider did not send your e-mail address.").
			WithHint("The provider's administrator must share it with this server, with the scope and claim email or the attribute email.")
	}
	if !who.Verified {
		return p, false, fault.New(fault.Forbidden, d.IDP.code("unverified_email"),
			"The identity provider has not verified your e-mail address, so it cannot be used to sign in here.").
			WithHint("Verify the address there, then sign in again.")
	}
	p, err = tx.FindPersonByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		name, err := account.CleanPersonName(who.Name)
		if err != nil {
			name = "" // they can choose a name themselves
		}
		p, err = tx.CreatePerson(ctx,
			account.Person{Email: email, Name: name, Issuer: who.Issuer, Subject: who.Subject})
		return p, false, err
	}
	if err != nil {
		return p, false, err
	}
	p, err = d.link(ctx, tx, p, who)
	return p, true, err
}

// link links an account to an identity. An account already linked to another identity of the same provider keeps that
// one, because the provider may have reassigned the address to another person. A link to a provider that this server
// no longer uses is replaced.
func (d *Service) link(ctx context.Context, tx *store.Tx, p account.Person, who oidc.Identity) (account.Person, error) {
	p, err := tx.HoldPerson(ctx, p.ID)
	if err != nil {
		return p, err
	}
	if p.Issuer == who.Issuer && p.Subject != who.Subject {
		return p, fault.New(fault.Forbidden, d.IDP.code("other_identity"),
			"The account with your e-mail address is linked to another identity at the provider.").
			WithHint("If it is yours, sign in with the password; otherwise ask an owner of the organization.")
	}
	p.Issuer, p.Subject = who.Issuer, who.Subject
	return p, tx.UpdatePerson(ctx, p)
}

// settle gives a person the role granted by their groups, and reports whether they are a member afterwards. If the
// groups grant no role, an existing membership stays unchanged, and a person without a membership gets the default
// role. If there is no default role, the person may continue only as a member of another organization, and is otherwise
// rejected. A person deactivated by the organization's directory gets no role.
func (d *Service) settle(ctx context.Context, tx *store.Tx, organizationID, email string, role account.Role,
	b Browser) (member bool, err error) {
	m, err := tx.FindMemberByEmail(ctx, organizationID, email)
	if err == nil {
		return true, d.adjust(ctx, tx, m, role, b)
	}
	if !fault.Is(err, fault.NotFound) {
		return false, err
	}
	off, err := tx.Deactivated(ctx, organizationID, email)
	if err != nil {
		return false, err
	}
	if role == "" {
		role = d.IDP.Roles.Default
	}
	if role == "" || off {
		others, err := tx.ListMemberships(ctx, email)
		if err == nil && len(others) == 0 && off {
			return false, account.RefuseDeactivated(off)
		}
		if err == nil && len(others) == 0 {
			err = fault.New(fault.Forbidden, d.IDP.code(noRole),
				"You are signed in at the identity provider, but none of your groups has access to this server.").
				WithHint(
					"Ask an owner or admin of the organization for an invitation, or the provider's administrator to add you to a group.")
		}
		return false, err
	}
	if m, err = tx.AddMember(ctx, organizationID, email, role); err != nil {
		return false, err
	}
	data := map[string]string{"email": email, "role": string(role)}
	return true, tx.Record(ctx,
		event.New(organizationID, d.IDP.method(), "member.join", m.ID, b.RequestID, d.Now(), data))
}

// adjust sets a member's role to the one from the provider; "" = no change. The last owner keeps the role, so that a
// wrong group cannot leave an organization without an owner.
func (d *Service) adjust(ctx context.Context, tx *store.Tx, m account.Member, role account.Role, b Browser) error {
	if role == "" || role == m.Role {
		return nil
	}
	if m.Role == account.RoleOwner {
		owners, err := tx.CountOwners(ctx, m.OrganizationID)
		if err != nil {
			return err
		}
		if owners == 1 {
			d.Log.WarnContext(ctx, "ignoring the identity provider's role for the last owner",
				"member", m.ID, "role", role)
			return nil
		}
	}
	if err := tx.SetRole(ctx, m, role); err != nil {
		return err
	}
	if err := d.withdraw(ctx, tx, m.OrganizationID, d.IDP.method(), b,
		func(i account.Invitation) bool { return i.MadeBeyond(m.ID, role) }); err != nil {
		return err
	}
	data := map[string]string{"email": m.Email, "before": string(m.Role), "after": string(role)}
	return tx.Record(ctx, event.New(m.OrganizationID, d.IDP.method(), "member.role", m.ID, b.RequestID, d.Now(), data))
}
