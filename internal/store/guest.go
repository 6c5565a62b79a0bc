package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// guestProgram is the schema version that a program must know to use a database with guests. An older program would let
// guests read every site that is restricted to members.
const guestProgram = 25

// noteGuest locks out older programs as soon as the organization has a guest.
func (t *Tx) noteGuest(ctx context.Context, role account.Role) error {
	if role != account.RoleGuest {
		return nil
	}
	return t.raiseOldestProgram(ctx, guestProgram)
}
