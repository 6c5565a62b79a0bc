package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// HoldPerson returns a person and keeps others from changing them until the transaction ends, so that a code that is
// read here and struck off is used once.
func (t *Tx) HoldPerson(ctx context.Context, personID string) (account.Person, error) {
	_, err := single(ctx, t.q, value[string], `SELECT id FROM people WHERE id = $1`+t.forUpdate(), personID)
	if err != nil && !errors.Is(err, errNone) {
		return account.Person{}, wrap("lock person", err)
	}
	return t.FindPerson(ctx, personID)
}

// AnyOwnerAccount reports whether an owner of an organization can sign in; before that only the server's own link
// works.
func (r reads) AnyOwnerAccount(ctx context.Context) (bool, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT COUNT(*) FROM members m JOIN people p ON p.email = m.email WHERE m.role = 'owner'`)
	return n > 0, wrap("look for an owner", err)
}
