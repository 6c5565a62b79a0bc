package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store"
)

// Sender runs mail tasks.
type Sender struct {
	Store     *store.Store
	Server    Server
	PublicURL string   // address of this server, without a trailing slash
	Masters   [][]byte // secret keys, the current one first
	Rand      io.Reader
	Now       func() time.Time
	Lease     time.Duration
}

// Server accepts messages for delivery.
type Server interface {
	Send(ctx context.Context, m smtp.Message) error
}

// errNothing means that there is no longer anything to send.
var errNothing = errors.New("nothing to send")

// Run sends an email. If the process dies just after the server accepted the email, it is sent again with the same
// Message-ID.
func (s *Sender) Run(ctx context.Context, h task.Hold) error {
	m, err := s.Store.FindMail(ctx, h.TaskID)
	if err != nil {
		return err
	}
	letter, err := s.write(ctx, h, m)
	if errors.Is(err, errNothing) {
		return s.Store.EndMail(ctx, h, mail.Dropped)
	}
	if err != nil {
		return err
	}
	err = s.Server.Send(ctx, smtp.Message{ID: m.ID, To: m.To, Subject: letter.Subject, Text: letter.Text(),
		HTML: letter.HTML(), Date: m.CreatedAt})
	if err == nil {
		return s.Store.EndMail(ctx, h, mail.Sent)
	}
	var failed *smtp.Error
	if !errors.As(err, &failed) || ctx.Err() != nil {
		return err
	}
	if failed.Permanent {
		return fault.New(fault.Invalid, "mail_refused", failed.Public()).WithCause(failed)
	}
	if err := s.Store.NoteMail(ctx, h, s.Lease, failed.Public()); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s: %w", fault.ErrUnavailable, failed.Stage, failed)
}

// Fail ends an email that was not sent.
func (s *Sender) Fail(ctx context.Context, h task.Hold, f task.Failure) error {
	return s.Store.FailMail(ctx, h, f)
}

// write composes an email.
func (s *Sender) write(ctx context.Context, h task.Hold, m mail.Mail) (mail.Letter, error) {
	switch m.Kind {
	case mail.Alert:
		return s.alert(ctx, m)
	case mail.Reset:
		return s.reset(ctx, h, m)
	}
	return s.link(ctx, m)
}

// link composes an email with an existing link.
func (s *Sender) link(ctx context.Context, m mail.Mail) (mail.Letter, error) {
	i, err := s.Store.FindInvitationByID(ctx, m.InvitationID)
	if fault.Is(err, fault.NotFound) || err == nil && !i.Open(s.Now()) {
		return mail.Letter{}, errNothing // used, revoked or replaced in the meantime
	}
	if err != nil {
		return mail.Letter{}, err
	}
	token, ok := m.OpenToken(s.Masters)
	if !ok {
		return mail.Letter{}, fault.New(fault.Conflict, "unknown_secret_key",
			"The email's link was encrypted with a different server secret key and cannot be read.").
			WithHint("Create a new link.")
	}
	org, err := s.Store.FindOrganization(ctx, m.OrganizationID)
	if err != nil {
		return mail.Letter{}, err
	}
	v := mail.LinkValues{Organization: org.Name, Role: i.Role, Expires: i.ExpiresAt, Link: i.Link(s.PublicURL, token),
		Server: s.PublicURL}
	if m.Kind != mail.Invitation {
		return mail.PasswordLetter(v, m.Kind == mail.Reset), nil
	}
	v.Inviter, err = s.inviter(ctx, i)
	return mail.InvitationLetter(v), err
}

// inviter returns the name of the member who created a link, or "" for API keys and former members.
func (s *Sender) inviter(ctx context.Context, i account.Invitation) (string, error) {
	c, err := s.Store.FindColleague(ctx, i.OrganizationID, i.CreatedBy)
	switch {
	case fault.Is(err, fault.NotFound):
		return "", nil
	case err != nil:
		return "", err
	case c.Name != "":
		return c.Name, nil
	}
	return c.Email, nil
}

// reset composes the email with a password reset link. The link is created here rather than during the request, so
// that the response does not reveal whether there is a member with that address and a password.
func (s *Sender) reset(ctx context.Context, h task.Hold, m mail.Mail) (mail.Letter, error) {
	expires := m.CreatedAt.Add(mail.ResetLife)
	if !s.Now().Before(expires) {
		if m.InvitationID == "" {
			return mail.Letter{}, errNothing
		}
		return mail.Letter{}, fault.New(fault.Conflict, "link_expired", "The link expired before the email could be sent.")
	}
	if m.InvitationID != "" {
		return s.link(ctx, m)
	}
	p, err := s.Store.FindPersonByEmail(ctx, m.To)
	if fault.Is(err, fault.NotFound) || err == nil && p.PasswordHash == "" {
		return mail.Letter{}, errNothing
	}
	if err != nil {
		return mail.Letter{}, err
	}
	member, err := s.Store.FindMemberByEmail(ctx, m.OrganizationID, m.To)
	if fault.Is(err, fault.NotFound) {
		return mail.Letter{}, errNothing
	}
	if err != nil {
		return mail.Letter{}, err
	}
	token := account.NewToken(s.Rand)
	m, err = s.Store.AddResetLink(ctx, h, s.Lease, m, account.Invitation{OrganizationID: m.OrganizationID,
		Kind: account.InvitePassword, Email: m.To, Role: member.Role, Hash: account.TokenHash(token),
		CreatedBy: account.ByThemself, ExpiresAt: expires},
		func(invitationID string) string { return mail.SealToken(s.Masters[0], s.Rand, invitationID, token) })
	if err != nil {
		return mail.Letter{}, err
	}
	return s.link(ctx, m)
}
