package store

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// guestProgram is the schema that a program must know to serve a database with guests: an older one would let them read
// every site that is for members of the organization.
const guestProgram = 25

// noteGuest keeps older programs away once somebody is a guest.
func (t *Tx) noteGuest(ctx context.Context, role account.Role) error {
	if role != account.RoleGuest {
		return nil
	}
	return t.raiseOldestProgram(ctx, guestProgram)
}
