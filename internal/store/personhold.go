package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// HoldPerson locks a person until the transaction ends, and returns the person. If the transaction checks and removes a
// one-time code, the code therefore works only once.
func (t *Tx) HoldPerson(ctx context.Context, personID string) (account.Person, error) {
	_, err := single(ctx, t.q, value[string], `SELECT id FROM people WHERE id = $1`+t.forUpdate(), personID)
	if err != nil && !errors.Is(err, errNone) {
		return account.Person{}, wrap("lock person", err)
	}
	return t.FindPerson(ctx, personID)
}

// AnyOwnerAccount reports whether any organization has an owner with an account. Until then, the link that the server
// prints is the only way to sign in.
func (r reads) AnyOwnerAccount(ctx context.Context) (bool, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT COUNT(*) FROM members m JOIN people p ON p.email = m.email WHERE m.role = 'owner'`)
	return n > 0, wrap("find an owner", err)
}
