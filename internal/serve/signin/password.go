package signin

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/store"
)

// Ways in which a session was started.
const (
	byPassword   = "password"
	byOIDC       = "oidc"
	bySAML       = "saml"
	byInvitation = "invitation"
)

// Attempt is a person's input for signing in.
type Attempt struct {
	Email    string
	Password string
	Browser
}

// Entered is the result of a sign-in step.
type Entered struct {
	Token        string // token of the new session, for SetCookie; "" = no session yet, or the existing one continues
	Device       string // for LetIn: identifies the browser at the next sign-in; "" = no change
	Half         string // set if a second factor is required: pass it to Second within five minutes
	RecoveryLeft int    // number of remaining recovery codes if one was used, else -1
	Next         string // page that the person wanted before they were sent to an identity provider
}

// SignIn signs a person in with a password. Neither the response nor its timing reveals which addresses have an
// account.
func (d *Service) SignIn(ctx context.Context, a Attempt) (Entered, error) {
	p, err := d.prove(ctx, a)
	if err != nil {
		return Entered{}, err
	}
	if p.TwoFactor() {
		return Entered{Half: d.half(p), RecoveryLeft: -1}, nil
	}
	return d.enter(ctx, p, byPassword, a.Browser, nil)
}

// prove returns the person with this address and password, subject to the limits on guessing.
func (d *Service) prove(ctx context.Context, a Attempt) (account.Person, error) {
	email, err := account.CleanEmail(a.Email)
	if err != nil {
		email = "" // counted and handled like any address without an account
	}
	p, err := d.Store.FindPersonByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return account.Person{}, err
	}
	try, err := d.countPassword(ctx, email, p, a.Browser)
	if err != nil {
		return account.Person{}, err
	}
	p, err = d.verify(ctx, p, a.Password)
	if fault.HasCode(err, wrongCredentials) {
		// Log only the network, not the email address: logs contain no personal data, and people sometimes type their
		// password into that field.
		d.Log.InfoContext(ctx, "sign-in failed", "network", attempts.Network(a.Address))
		return account.Person{}, err
	}
	if err != nil {
		try.giveBack() // an error on our side
		return account.Person{}, err
	}
	try.succeed()
	return p, nil
}

// verify checks a password; p is the zero person if there is no account. It replaces a hash that has outdated
// parameters.
func (d *Service) verify(ctx context.Context, p account.Person, password string) (account.Person, error) {
	leave, err := d.queueForHash(ctx)
	if err != nil {
		return account.Person{}, err
	}
	ok, stale := d.Passwords.Verify(p.PasswordHash, password) // does the same work without a hash
	leave()
	if !ok {
		return account.Person{},
			fault.New(fault.Unauthenticated, wrongCredentials, "E-mail address or password is wrong.")
	}
	if !stale {
		return p, nil
	}
	hash, err := d.hash(ctx, password)
	if err != nil {
		return account.Person{}, err
	}
	err = d.Store.Tx(ctx, func(tx *store.Tx) error {
		now, err := tx.HoldPerson(ctx, p.ID)
		if err != nil || now.PasswordHash != p.PasswordHash {
			return err // changed in the meantime: keep the new hash; this sign-in fails later
		}
		now.PasswordHash = hash
		if err = tx.UpdatePerson(ctx, now); err == nil {
			p = now
		}
		return err
	})
	return p, err
}

const wrongCredentials = "wrong_credentials"

func (d *Service) hash(ctx context.Context, password string) (string, error) {
	leave, err := d.queueForHash(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return d.Passwords.Hash(d.Rand, password), nil
}

// hashWait limits the wait for a hashing slot.
const hashWait = 20 * time.Second

// queueForHash waits for a slot to hash a password. The number of concurrent hashes is limited, because each takes
// memory and a core.
func (d *Service) queueForHash(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, hashWait)
	defer cancel()
	select {
	case d.hashing <- struct{}{}:
		return func() { <-d.hashing }, nil
	case <-ctx.Done():
		return nil, fault.New(fault.Unavailable, "busy", "Too many people are signing in at the moment.").
			WithHint("Try again in a moment.").
			WithRetryAfter(time.Second).WithCause(fmt.Errorf("wait for a hashing slot: %w", ctx.Err()))
	}
}

// checkOwn checks the password of a signed-in person. Failures are counted by session, so that guesses by strangers, or
// by an attacker in another session, do not keep people from changing their password.
func (d *Service) checkOwn(ctx context.Context, v Visit, password string) (account.Person, error) {
	p := v.Person
	if p.PasswordHash == "" {
		return p, fault.New(fault.Conflict, "no_password",
			"Your account has no password: you sign in with an identity provider.").
			WithHint("An admin can create a password link for you.")
	}
	if err := d.sessions.Take(ctx, v.Session.ID); err != nil {
		return p, err
	}
	found, err := d.verify(ctx, p, password)
	if fault.HasCode(err, wrongCredentials) {
		return p, fault.New(fault.Invalid, "wrong_password", "The current password is wrong.").WithField("current")
	}
	if err != nil {
		d.sessions.GiveBack(ctx, v.Session.ID)
		return p, err
	}
	d.sessions.Forget(ctx, v.Session.ID)
	return found, nil
}
