package signin

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Rename changes the person's name.
func (d *Service) Rename(ctx context.Context, v Visit, name string, b Browser) error {
	name, err := account.CleanPersonName(name)
	if err != nil {
		return err
	}
	return d.Store.Tx(ctx, func(tx *store.Tx) error {
		p, err := tx.HoldPerson(ctx, v.Person.ID)
		if err != nil {
			return err
		}
		p.Name = name
		if err := tx.UpdatePerson(ctx, p); err != nil {
			return err
		}
		return d.record(ctx, tx, p, v.place(), "member.rename", "", b, nil)
	})
}

// ChangePassword requires the current password. The person's other sessions end, and this one continues with a new
// token.
func (d *Service) ChangePassword(ctx context.Context, v Visit, current, password string, b Browser) (token string,
	err error) {
	if err := account.CheckPassword(password, v.Person.Email); err != nil {
		return "", err
	}
	p, err := d.checkOwn(ctx, v, current)
	if err != nil {
		return "", err
	}
	hash, err := d.hash(ctx, password)
	if err != nil {
		return "", err
	}
	return d.renew(ctx, v, p, "member.password", b, func(_ *store.Tx, p *account.Person) error {
		p.PasswordHash = hash
		return nil
	})
}

// renew changes a person's credentials after they confirmed their identity with p's password: every session ends, and
// a new one replaces the visit's (K10).
func (d *Service) renew(ctx context.Context, v Visit, p account.Person, action string, b Browser,
	change func(*store.Tx, *account.Person) error) (token string, err error) {
	token = account.NewToken(d.Rand)
	err = d.Store.Tx(ctx, func(tx *store.Tx) error {
		now, err := tx.HoldPerson(ctx, p.ID)
		if err != nil {
			return err
		}
		if now.PasswordHash != p.PasswordHash {
			return startOver()
		}
		if err := stillOpen(ctx, tx, v); err != nil {
			return err
		}
		if err := change(tx, &now); err != nil {
			return err
		}
		if err := tx.UpdatePerson(ctx, now); err != nil {
			return err
		}
		if err := tx.EndSessions(ctx, p.ID); err != nil {
			return err
		}
		if _, err := d.begin(ctx, tx, now, v.place(), v.Session.Method, b, token); err != nil {
			return err
		}
		return d.record(ctx, tx, now, v.place(), action, "", b, nil)
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// stillOpen returns an error if the session has ended, so that it is not replaced by a new one.
func stillOpen(ctx context.Context, tx *store.Tx, v Visit) error {
	_, err := tx.FindVisitor(ctx, v.Session.Hash)
	if fault.Is(err, fault.NotFound) {
		return noSession()
	}
	return err
}
