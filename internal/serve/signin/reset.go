package signin

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/store"
)

// Limits on requests for new passwords.
const (
	resetsByPlace   = 20
	resetsByAddress = 3
	resetWindow     = time.Hour
)

// RequestReset sends a password reset link to an address that has an account with a password. Neither the response
// nor its timing reveals whether it has one: the steps are the same for each address, and a worker does the rest.
func (d *Service) RequestReset(ctx context.Context, email string, b Browser) error {
	if !d.Mail {
		return fault.New(fault.NotFound, "no_mail", "This server does not send mail.").
			WithHint("Ask an admin of your organization for a password link.")
	}
	email, err := account.CleanEmail(email)
	if err != nil {
		return err
	}
	if err := d.countReset(ctx, email, b); err != nil {
		return err
	}
	return d.Store.Tx(ctx, func(tx *store.Tx) error { return tx.QueueReset(ctx, email) })
}

// countReset counts a request by network and by address, whether or not there is an account.
func (d *Service) countReset(ctx context.Context, email string, b Browser) error {
	err := d.resetPlaces.Take(ctx, attempts.Place(b.Address))
	if err == nil {
		err = d.resets.Take(ctx, email)
	}
	if f, ok := fault.As(err); ok && f.Kind == fault.RateLimited {
		return fault.New(fault.RateLimited, "too_many_resets", "A new password was requested too often.").
			WithHint("Check your mailbox, including the spam folder, or try again in an hour.").
			WithRetryAfter(f.RetryAfter)
	}
	return err
}
