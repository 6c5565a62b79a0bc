package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const personColumns = `p.id, p.email, p.name, p.password_hash, p.issuer, p.subject, p.totp_sealed, p.totp_step, p.recovery, p.created_at`

// personRow holds the columns of a person as they are scanned.
type personRow struct {
	p        account.Person
	recovery string
	created  int64
}

func (r *personRow) dest() []any {
	p := &r.p
	return []any{&p.ID, &p.Email, &p.Name, &p.PasswordHash, &p.Issuer, &p.Subject, &p.TOTPSealed, &p.TOTPStep,
		&r.recovery, &r.created}
}

func (r *personRow) person() (account.Person, error) {
	var err error
	r.p.CreatedAt = fromMicros(r.created)
	r.p.Recovery, err = fromJSON[[]string](r.recovery)
	return r.p, err
}

func scanPerson(s scanner) (account.Person, error) {
	var r personRow
	if err := s.Scan(r.dest()...); err != nil {
		return r.p, err
	}
	return r.person()
}

// CreatePerson stores a person under a new id. An email address can have only one account.
func (t *Tx) CreatePerson(ctx context.Context, p account.Person) (account.Person, error) {
	p.ID, p.CreatedAt = t.s.ids.New(id.Person), t.now()
	_,
		err := t.q.exec(ctx,
		`INSERT INTO people (id, email, name, password_hash, issuer, subject, totp_sealed, totp_step, recovery, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		p.ID, p.Email, p.Name, p.PasswordHash, p.Issuer, p.Subject, p.TOTPSealed, p.TOTPStep, asJSON(p.Recovery),
		micros(p.CreatedAt))
	if isUnique(err) {
		return p, fault.New(fault.Conflict, "account_exists", "An account with that address already exists.").
			WithField("email").WithHint("Sign in with it.")
	}
	return p, wrap("store person", err)
}

// UpdatePerson stores all fields of a person except the email address.
func (t *Tx) UpdatePerson(ctx context.Context, p account.Person) error {
	_,
		err := t.q.exec(ctx,
		`UPDATE people SET name = $2, password_hash = $3, issuer = $4, subject = $5, totp_sealed = $6, `+
			`totp_step = $7, recovery = $8 WHERE id = $1`,
		p.ID, p.Name, p.PasswordHash, p.Issuer, p.Subject, p.TOTPSealed, p.TOTPStep, asJSON(p.Recovery))
	if isUnique(err) {
		return fault.New(fault.Conflict, "identity_taken", "That identity belongs to another account.")
	}
	return wrap("store person", err)
}

// UseTOTPStep records that the code for a TOTP time step was used. It refuses a code that was already used, even if two
// requests arrive at the same time.
func (t *Tx) UseTOTPStep(ctx context.Context, personID string, step int64) error {
	n, err := t.q.exec(ctx, `UPDATE people SET totp_step = $2 WHERE id = $1 AND totp_step < $2`, personID, step)
	if err == nil && n == 0 {
		return fault.New(fault.Unauthenticated, "invalid_code", "That code was already used.").WithField("code").
			WithHint("Wait for the next one.")
	}
	return wrap("record use of code", err)
}

// FindPerson returns a person by id.
func (r reads) FindPerson(ctx context.Context, personID string) (account.Person, error) {
	return r.onePerson(ctx, `p.id = $1`, personID)
}

// FindPersonByEmail returns the person with that email address.
func (r reads) FindPersonByEmail(ctx context.Context, email string) (account.Person, error) {
	return r.onePerson(ctx, `p.email = $1`, email)
}

// FindPersonByIdentity returns the person with the given issuer and subject, as reported by an identity provider.
func (r reads) FindPersonByIdentity(ctx context.Context, issuer, subject string) (account.Person, error) {
	return r.onePerson(ctx, `p.issuer = $1 AND p.subject = $2 AND p.issuer <> ''`, issuer, subject)
}

func (r reads) onePerson(ctx context.Context, where string, args ...any) (account.Person, error) {
	p, err := single(ctx, r.q, scanPerson, `SELECT `+personColumns+` FROM people p WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return p, fault.New(fault.NotFound, "unknown_person", "Account not found.")
	}
	return p, wrap("find person", err)
}
