package signin

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/totp"
	"github.com/lectern-docs/lectern/internal/store"
)

const halfLife = 5 * time.Minute

// halfway is the state between the password and the code. The form contains it encrypted.
type halfway struct {
	Person string    `json:"person"`
	Mark   string    `json:"mark"`   // digest of the password and second factor for which it is valid
	Serial string    `json:"serial"` // key for counting its wrong codes
	Until  time.Time `json:"until"`
}

func (d *Service) half(p account.Person) string {
	return d.seal(forHalf, "", halfway{Person: p.ID, Mark: mark(p.PasswordHash, p.TOTPSealed),
		Serial: account.NewToken(d.Rand), Until: d.Now().Add(halfLife)})
}

// Second completes a sign-in after the password, with a code from the app or a recovery code. Codes cannot be used
// again.
func (d *Service) Second(ctx context.Context, half, code string, b Browser) (Entered, error) {
	var h halfway
	if _, ok := d.unseal(forHalf, "", half, &h); !ok || !d.Now().Before(h.Until) {
		return Entered{}, startOver()
	}
	p, err := d.Store.FindPerson(ctx, h.Person)
	if fault.Is(err, fault.NotFound) {
		return Entered{}, startOver()
	}
	if err != nil {
		return Entered{}, err
	}
	if !p.TwoFactor() || h.Mark != mark(p.PasswordHash, p.TOTPSealed) {
		return Entered{}, startOver()
	}
	if err := d.halves.Take(ctx, h.Serial); fault.Is(err, fault.RateLimited) {
		return Entered{}, fault.New(fault.RateLimited, "too_many_attempts", "Too many wrong codes.").
			WithHint("Start over with your password.").WithRetryAfter(time.Second)
	} else if err != nil {
		return Entered{}, err
	}
	try, err := d.countCode(ctx, p, totp.CleanRecovery(code) != "", b)
	if err != nil {
		d.halves.GiveBack(ctx, h.Serial)
		return Entered{}, err
	}
	left := -1
	in, err := d.enter(ctx, p, byPassword, b, func(tx *store.Tx, p *account.Person, _ account.Session) (err error) {
		left, err = d.useCode(ctx, tx, p, code)
		return err
	})
	if err != nil {
		if !fault.HasCode(err, "invalid_code") { // an error on our side
			d.halves.GiveBack(ctx, h.Serial)
			try.giveBack()
		}
		return Entered{}, err
	}
	d.halves.Forget(ctx, h.Serial)
	try.succeed()
	in.RecoveryLeft = left
	return in, nil
}

// useCode marks a code as used in the transaction that signs its owner in, so that only one of two concurrent uses
// succeeds. left is -1 for a code from an app.
func (d *Service) useCode(ctx context.Context, tx *store.Tx, p *account.Person, code string) (left int, err error) {
	if clean := totp.CleanRecovery(code); clean != "" {
		return d.useRecovery(ctx, tx, p, clean)
	}
	var secret string
	stale, ok := d.unseal(forTOTP, p.ID, p.TOTPSealed, &secret)
	if !ok {
		return -1, fault.New(fault.Unavailable, "second_factor_lost",
			"The server can no longer read your second factor, because its master key has changed.").
			WithHint("The server's operator can create a link that turns it off: lectern org invite --password EMAIL.")
	}
	step, ok := totp.Match(secret, code, d.Now(), p.TOTPStep)
	if !ok {
		return -1, wrongCode()
	}
	if err := tx.UseTOTPStep(ctx, p.ID, step); err != nil {
		return -1, err
	}
	p.TOTPStep = step
	if stale { // once all were re-encrypted, the earlier master key can be removed
		p.TOTPSealed = d.seal(forTOTP, p.ID, secret)
		return -1, tx.UpdatePerson(ctx, *p)
	}
	return -1, nil
}

func (d *Service) useRecovery(ctx context.Context, tx *store.Tx, p *account.Person, code string) (left int, err error) {
	at := -1
	for _, master := range d.Masters {
		if i := slices.Index(p.Recovery, recoveryHash(master, p.ID, code)); i >= 0 {
			at = i
		}
	}
	if at < 0 {
		return -1, wrongCode()
	}
	p.Recovery = slices.Delete(slices.Clone(p.Recovery), at, at+1)
	return len(p.Recovery), tx.UpdatePerson(ctx, *p)
}

func leftData(left int) map[string]string { return map[string]string{"left": strconv.Itoa(left)} }

func wrongCode() error {
	return fault.New(fault.Unauthenticated, "invalid_code", "That code is wrong, expired or already used.").
		WithField("code").
		WithHint(
			"Wait for the next code in the app. If that does not help, check the clocks of the phone and the server.")
}

// startOver returns the error for a state between two steps that is no longer valid.
func startOver() error {
	return fault.New(fault.Unauthenticated, "start_over",
		"This took too long, or your password or second factor has changed in the meantime.").
		WithHint("Start over with your password.")
}
