package signin

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Sessions lists the active sessions of the visit's person, most recently used first.
func (d *Service) Sessions(ctx context.Context, v Visit) ([]account.Session, error) {
	list, err := d.Store.ListSessions(ctx, v.Person.ID)
	now := d.Now()
	return slices.DeleteFunc(list, func(s account.Session) bool { return !s.Live(now, d.Limits) }), err
}

// SignOut ends the visit's session.
func (d *Service) SignOut(ctx context.Context, v Visit, b Browser) error {
	return d.Store.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.EndSession(ctx, v.Person.ID, v.Session.ID); err != nil {
			return err
		}
		return d.record(ctx, tx, v.Person, v.place(), "member.sign_out", "", b, nil)
	})
}

// EndSession ends one of the person's sessions. Other people's sessions and ended ones are not found.
func (d *Service) EndSession(ctx context.Context, v Visit, sessionID string, b Browser) error {
	return d.endSome(ctx, v, b, func(s account.Session) bool { return s.ID == sessionID }, true)
}

// EndOthers ends the person's sessions in other browsers.
func (d *Service) EndOthers(ctx context.Context, v Visit, b Browser) error {
	return d.endSome(ctx, v, b, func(s account.Session) bool { return s.ID != v.Session.ID }, false)
}

func (d *Service) endSome(ctx context.Context, v Visit, b Browser, which func(account.Session) bool, must bool) error {
	return d.Store.Tx(ctx, func(tx *store.Tx) error {
		list, err := tx.ListSessions(ctx, v.Person.ID)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(s account.Session) bool { return !which(s) })
		if len(list) == 0 && must {
			return fault.New(fault.NotFound, "unknown_session", "That session has already ended.")
		}
		for _, s := range list {
			if err := tx.EndSession(ctx, v.Person.ID, s.ID); err != nil {
				return err
			}
			if err := d.record(ctx, tx, v.Person, v.place(), "session.end", s.ID, b, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Switch makes another of the person's organizations the session's current one.
func (d *Service) Switch(ctx context.Context, v Visit, organizationID string) error {
	if !slices.ContainsFunc(v.Memberships,
		func(m account.Membership) bool { return m.Organization.ID == organizationID }) {
		return fault.New(fault.NotFound, "unknown_organization", "You are not a member of that organization.")
	}
	return d.Store.Tx(ctx, func(tx *store.Tx) error { return tx.MoveSession(ctx, v.Session.ID, organizationID) })
}
