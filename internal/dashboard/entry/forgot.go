package entry

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// forgotPage is the page for users who forgot their password.
type forgotPage struct {
	FormError *shell.PageError
	Email     entryField
	Sent      bool // whether the form was submitted, not whether the account exists
	Minutes   int  // lifetime of a link
}

func showForgot(b *shell.Board, v *shell.Visit) error { return askForgot(v, nil, false) }

func askForgot(v *shell.Visit, pageErr *shell.PageError, sent bool) error {
	if err := v.B.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	if !v.B.SignIn.Mail {
		return fault.New(fault.NotFound, "no_mail", "This server does not send mail.").
			WithHint("Ask an admin of your organization for a password link.")
	}
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	return v.Show(status, "forgot", shell.Frame{Title: "Forgot your password?", Narrow: true},
		forgotPage{FormError: pageErr, Email: emailField(v.Field("email"), false, pageErr), Sent: sent,
			Minutes: int(mail.ResetLife.Minutes())})
}

// forgot requests a link for a new password. It gives the same response for every email address.
func forgot(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	if err := b.SignIn.RequestReset(v.Ctx(), v.Field("email"), browser(v)); err != nil {
		return again(v, err, func(pageErr *shell.PageError) error { return askForgot(v, pageErr, false) })
	}
	return askForgot(v, nil, true)
}
