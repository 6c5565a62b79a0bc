package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/source/smtp"
)

type mailCommands struct {
	Test mailTestCommand `cmd:"" help:"Send a test mail with the settings of a server."`
}

type mailTestCommand struct {
	config.Server
	To string `required:"" placeholder:"ADDRESS" help:"Address that the email is sent to."`
}

// Help returns the long description.
func (mailTestCommand) Help() string {
	return `Reads the settings of lectern serve and hands one mail to the mail server. If that fails, it reports why: the name could not be resolved, nothing listens there, the certificate is for another name, the password was refused, the sender or the recipient was refused. The server may be running; its database is not opened.

    lectern mail test --to you@example.com --config /etc/lectern.yaml
    LECTERN_MAIL_PASSWORD=… lectern mail test --to you@example.com --mail-host smtp.example.com --mail-user lectern --mail-from lectern@example.com --public-url https://lectern.example.com`
}

func (c *mailTestCommand) Run(ctx context.Context, r *run) error {
	to, err := account.CleanEmail(c.To)
	if err != nil {
		return err
	}
	opt, err := r.daemon(&c.Server)
	if err != nil {
		return err
	}
	err = daemon.SendTestMail(ctx, opt, to)
	var failed *smtp.Error
	if errors.As(err, &failed) {
		fmt.Fprintf(r.Stderr, "lectern: The email was not sent (%s): %s\n", failed.Stage, opt.Redactor.Redact(failed.Error()))
		if hint := failed.Hint(); hint != "" {
			fmt.Fprintf(r.Stderr, "  hint: %s\n", hint)
		}
		return errReported
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Stdout, "The mail server %s accepted an email to %s. Check the mailbox, including its spam folder.\n",
		c.MailHost, to)
	return err
}
