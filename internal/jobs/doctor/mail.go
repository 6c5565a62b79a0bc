package doctor

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/source/smtp"
)

// Mail checks the mail server.
type Mail struct {
	Server *smtp.Client
	Host   string // name of the mail server, for people
	SignIn bool   // the settings contain a user name
}

// Look connects, starts TLS and signs in, just like a worker that is about to send mail, but sends nothing.
func (m Mail) Look(ctx context.Context) []Finding {
	err := m.Server.Check(ctx)
	var failed *smtp.Error
	switch {
	case errors.As(err, &failed):
		return []Finding{failure(failed.Hint(), "No mail can be sent (%s): %v.", failed.Stage, failed)}
	case err != nil:
		return []Finding{FromError(err, "", "No mail can be sent")}
	case m.SignIn:
		return []Finding{fine("The mail server %s accepts the user name and password.", m.Host)}
	}
	return []Finding{fine("The mail server %s responds.", m.Host)}
}
