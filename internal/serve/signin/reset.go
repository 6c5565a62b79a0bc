package signin

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/store"
)

// How often new passwords may be requested.
const (
	resetsByPlace   = 20
	resetsByAddress = 3
	resetWindow     = time.Hour
)

// RequestReset has a link for a new password sent to an address, if it has an account with a password. Neither the
// response nor its timing reveals whether: each address takes the same steps, and a worker does the rest.
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

// countReset counts a request by network and by address, whether it has an account or not.
func (d *Service) countReset(ctx context.Context, email string, b Browser) error {
	err := d.resetPlaces.Take(ctx, attempts.Place(b.Address))
	if err == nil {
		err = d.resets.Take(ctx, email)
	}
	if f, ok := fault.As(err); ok && f.Kind == fault.RateLimited {
		return fault.New(fault.RateLimited, "too_many_resets", "A new password was requested too often.").
			WithHint("Look into your mailbox, also among unwanted mail, or try again in an hour.").
			WithRetryAfter(f.RetryAfter)
	}
	return err
}
