package signin

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/store"
)

// Invitation is a valid link, with the information its holder may see.
type Invitation struct {
	account.Invitation
	Organization account.Organization
	HasAccount   bool // whether an account exists for its address
	TwoFactor    bool // whether that account has a second factor
	anybody      bool // whether it works for anyone
}

// EndsTwoFactor reports whether the link turns the second factor off. Links from the server's operator turn it off:
// they are for people who lost their second factor, and the operator could change the database anyway. Links from an
// admin do not.
func (i Invitation) EndsTwoFactor() bool {
	return i.Kind == account.InvitePassword && i.CreatedBy == operator && i.TwoFactor
}

// operator is the actor for actions of the server's operator.
const operator = "operator"

// Invited returns a link's invitation. Unknown links and links that no longer work get the same error.
func (d *Service) Invited(ctx context.Context, token string) (Invitation, error) {
	if !account.IsToken(token) {
		return Invitation{}, account.UnknownInvitation()
	}
	i, err := d.Store.FindInvitation(ctx, account.TokenHash(token))
	if err != nil {
		return Invitation{}, err
	}
	if !i.Open(d.Now()) {
		return Invitation{}, account.UnknownInvitation()
	}
	out := Invitation{Invitation: i, anybody: i.Email == ""}
	if out.Organization, err = d.Store.FindOrganization(ctx, i.OrganizationID); err != nil || i.Email == "" {
		return out, err
	}
	p, err := d.Store.FindPersonByEmail(ctx, i.Email)
	if fault.Is(err, fault.NotFound) {
		return out, nil
	}
	out.HasAccount, out.TwoFactor = err == nil, p.TwoFactor()
	return out, err
}

func (d *Service) invited(ctx context.Context, token string, kind account.InvitationKind) (Invitation, error) {
	i, err := d.Invited(ctx, token)
	if err == nil && i.Kind != kind {
		err = account.UnknownInvitation()
	}
	return i, err
}

// NewPassword uses a link with which its holder chooses a password. All of the person's sessions end, and a new one
// starts. If a second factor is on, it is still required, unless the link turns it off.
func (d *Service) NewPassword(ctx context.Context, token, password string, b Browser) (Entered, error) {
	i, err := d.invited(ctx, token, account.InvitePassword)
	if err != nil {
		return Entered{}, err
	}
	if !i.HasAccount {
		return Entered{}, account.UnknownInvitation()
	}
	if err := account.CheckPassword(password, i.Email); err != nil {
		return Entered{}, err
	}
	hash, err := d.hash(ctx, password)
	if err != nil {
		return Entered{}, err
	}
	session := account.NewToken(d.Rand)
	var p account.Person
	err = d.Store.Tx(ctx, func(tx *store.Tx) error {
		p, err = d.setPassword(ctx, tx, i, hash, b)
		if err != nil || p.TwoFactor() {
			return err
		}
		s, err := d.begin(ctx, tx, p, i.OrganizationID, byInvitation, b, session)
		if err != nil {
			return err
		}
		return d.recordArrival(ctx, tx, p, s, b)
	})
	if err != nil {
		return Entered{}, err
	}
	d.pairs.Forget(ctx, pair(p.Email, attempts.Place(b.Address)))
	if p.TwoFactor() {
		return Entered{Half: d.half(p), RecoveryLeft: -1}, nil
	}
	return Entered{Token: session, Device: d.newDevice(p, b), RecoveryLeft: -1}, nil
}

// stillFits rejects an admin's password link if the person now has more permissions than that admin could have
// created a link for: a higher role, or a membership in another organization. Otherwise the holder of the link would
// gain those too.
func (d *Service) stillFits(ctx context.Context, tx *store.Tx, i Invitation) error {
	if i.CreatedBy == operator || i.CreatedBy == account.ByThemself {
		return nil
	}
	places, err := tx.ListMemberships(ctx, i.Email)
	if err != nil {
		return err
	}
	if len(places) != 1 || places[0].Organization.ID != i.OrganizationID || !i.Role.AtLeast(places[0].Member.Role) {
		return account.UnknownInvitation()
	}
	return nil
}

func (d *Service) setPassword(ctx context.Context, tx *store.Tx, i Invitation, hash string, b Browser) (account.Person,
	error) {
	if err := tx.UseInvitation(ctx, i.ID); err != nil {
		return account.Person{}, err
	}
	p, err := tx.FindPersonByEmail(ctx, i.Email)
	if err != nil {
		return p, err
	}
	if p, err = tx.HoldPerson(ctx, p.ID); err != nil {
		return p, err
	}
	if err := d.stillFits(ctx, tx, i); err != nil {
		return p, err
	}
	p.PasswordHash = hash
	off := p.TwoFactor() && i.EndsTwoFactor()
	if off {
		p.TOTPSealed, p.TOTPStep, p.Recovery = "", 0, nil
	}
	if err := tx.UpdatePerson(ctx, p); err != nil {
		return p, err
	}
	if err := tx.EndSessions(ctx, p.ID); err != nil {
		return p, err
	}
	if off {
		if err := d.record(ctx, tx, p, i.OrganizationID, "member.totp_off", "", b,
			map[string]string{"invitation": i.ID}); err != nil {
			return p, err
		}
	}
	return p, d.record(ctx, tx, p, i.OrganizationID, "member.password", "", b, map[string]string{"invitation": i.ID})
}
