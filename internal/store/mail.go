package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const mailColumns = `m.id, m.organization_id, m.kind, m.address, m.invitation_id, m.sealed, m.content, m.state, m.error, ` +
	`m.created_at, m.ended_at`

func scanMail(s scanner) (mail.Mail, error) {
	var m mail.Mail
	var created int64
	var ended *int64
	err := s.Scan(&m.ID, &m.OrganizationID, &m.Kind, &m.To, &m.InvitationID, &m.Sealed, &m.Content, &m.State, &m.Error,
		&created, &ended)
	m.CreatedAt, m.EndedAt = fromMicros(created), fromMicrosOrNull(ended)
	return m, err
}

// QueueMail stores an email and its task.
func (t *Tx) QueueMail(ctx context.Context, m mail.Mail) (mail.Mail, error) {
	m.ID, m.State, m.CreatedAt = t.s.ids.New(id.Mail), mail.Queued, t.now()
	_, err := t.q.exec(ctx, `INSERT INTO mails (id, organization_id, kind, address, invitation_id, sealed, content, state, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8)`,
		m.ID, m.OrganizationID, string(m.Kind), m.To, m.InvitationID, m.Sealed, m.Content, micros(m.CreatedAt))
	if err != nil {
		return m, wrap("store mail", err)
	}
	return m, t.queue(ctx, task.Mail, m.ID, m.OrganizationID)
}

// QueueLink stores the email that contains a link. The link must have an email address. sealed is the link's sealed
// secret; see mail.SealToken.
func (t *Tx) QueueLink(ctx context.Context, i account.Invitation, sealed string) (mail.Mail, error) {
	kind := mail.Invitation
	if i.Kind == account.InvitePassword {
		kind = mail.PasswordLink
	}
	return t.QueueMail(ctx, mail.Mail{OrganizationID: i.OrganizationID, Kind: kind, To: i.Email, InvitationID: i.ID,
		Sealed: sealed})
}

// QueueReset stores a request for a new password. The worker finds out whether the address has an account. Here, the
// same statements run for every address, so that neither the response nor its duration reveals it. The task for an
// address without an account belongs to the server's first organization. On a server without organizations, nothing is
// stored.
func (t *Tx) QueueReset(ctx context.Context, email string) error {
	organizationID, err := single(ctx, t.q, value[string], `SELECT COALESCE(
		(SELECT m.organization_id FROM members m WHERE m.email = $1 ORDER BY m.created_at, m.id LIMIT 1),
		(SELECT o.id FROM organizations o ORDER BY o.created_at, o.id LIMIT 1), '')`, email)
	if err != nil || organizationID == "" {
		return wrap("find organization of address", err)
	}
	_, err = t.QueueMail(ctx, mail.Mail{OrganizationID: organizationID, Kind: mail.Reset, To: email})
	return err
}

// FindMail returns an email by id.
func (r reads) FindMail(ctx context.Context, mailID string) (mail.Mail, error) {
	m, err := single(ctx, r.q, scanMail, `SELECT `+mailColumns+` FROM mails m WHERE m.id = $1`, mailID)
	if errors.Is(err, errNone) {
		return m, fault.New(fault.NotFound, "unknown_mail", "Mail not found.")
	}
	return m, wrap("find mail", err)
}

// ListMails returns an organization's emails, newest first.
func (r reads) ListMails(ctx context.Context, organizationID string) ([]mail.Mail, error) {
	list, err := collect(ctx, r.q, scanMail,
		`SELECT `+mailColumns+` FROM mails m WHERE m.organization_id = $1 ORDER BY m.created_at DESC, m.id DESC`,
		organizationID)
	return list, wrap("list mails", err)
}

// ListInvitationMails returns the delivery status of the emails for an organization's links, keyed by link id.
func (r reads) ListInvitationMails(ctx context.Context, organizationID string) (map[string]mail.Status, error) {
	list, err := collect(ctx, r.q, scanMail, `SELECT `+mailColumns+` FROM mails m
		WHERE m.organization_id = $1 AND m.invitation_id <> '' ORDER BY m.created_at, m.id`, organizationID)
	out := map[string]mail.Status{}
	for _, m := range list {
		out[m.InvitationID] = mail.Status{State: m.State, Error: m.Error}
	}
	return out, wrap("list emails of invitations", err)
}

// FindInvitationByID returns a link by id, even if the link no longer works.
func (r reads) FindInvitationByID(ctx context.Context, invitationID string) (account.Invitation, error) {
	i, err := single(ctx, r.q, scanInvitation, `SELECT `+invitationColumns+` FROM invitations i WHERE i.id = $1`,
		invitationID)
	if errors.Is(err, errNone) {
		return i, account.UnknownInvitation()
	}
	return i, wrap("find invitation", err)
}

// AddResetLink stores the link for a held password mail. It creates the link only once. Later attempts send the same
// link, so that if an email arrives twice, both copies work. seal encrypts the link's secret.
func (s *Store) AddResetLink(ctx context.Context, h task.Hold, lease time.Duration, m mail.Mail, i account.Invitation,
	seal func(invitationID string) string) (mail.Mail, error) {
	err := s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		made, err := t.CreateInvitation(ctx, i)
		if err != nil {
			return err
		}
		m.InvitationID, m.Sealed = made.ID, seal(made.ID)
		if _, err := t.q.exec(ctx, `UPDATE mails SET invitation_id = $2, sealed = $3 WHERE id = $1`, m.ID, m.InvitationID,
			m.Sealed); err != nil {
			return wrap("store link of mail", err)
		}
		member, err := t.FindMemberByEmail(ctx, m.OrganizationID, m.To)
		if err != nil {
			return err
		}
		return t.Record(ctx, event.New(m.OrganizationID, "visitor", "member.password_reset", member.ID, "", t.now(),
			map[string]string{"email": m.To, "invitation": made.ID}))
	})
	return m, err
}

// NoteMail stores the reason why the last attempt to send a held mail failed.
func (s *Store) NoteMail(ctx context.Context, h task.Hold, lease time.Duration, why string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		_, err := t.q.exec(ctx, `UPDATE mails SET error = $2 WHERE id = $1`, h.TaskID, cleanText(why))
		return wrap("store error of mail", err)
	})
}

// EndMail ends a held mail that was sent or is no longer needed. If a new password was requested for an address without
// an account, the mail is deleted.
func (s *Store) EndMail(ctx context.Context, h task.Hold, state mail.State) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `DELETE FROM mails WHERE id = $1 AND kind = 'reset' AND invitation_id = ''`,
			h.TaskID); err != nil {
			return wrap("remove mail", err)
		}
		return t.endMail(ctx, h.TaskID, state, "")
	})
}

func (t *Tx) endMail(ctx context.Context, mailID string, state mail.State, why string) error {
	_, err := t.q.exec(ctx,
		`UPDATE mails SET state = $2, error = $3, sealed = '', ended_at = $4 WHERE id = $1 AND state = 'queued'`,
		mailID, string(state), cleanText(why), micros(t.now()))
	return wrap("end mail", err)
}

// FailMail ends a held mail that could not be sent, and records an event for its organization. If the cause is an
// outage that lasted too long, the stored reason is the error of the last attempt.
func (s *Store) FailMail(ctx context.Context, h task.Hold, f task.Failure) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		m, err := t.FindMail(ctx, h.TaskID)
		if err != nil {
			return err
		}
		why := f.Sentence
		if f.Transient && m.Error != "" {
			why = m.Error
		}
		if err := t.endMail(ctx, m.ID, mail.Failed, why); err != nil {
			return err
		}
		return t.Record(ctx, event.New(m.OrganizationID, "system", "mail.fail", m.ID, "", t.now(),
			map[string]string{"kind": string(m.Kind), "email": m.To, "reason": cleanText(why)}))
	})
}

// PruneMails deletes emails that ended before the given time, together with their tasks.
func (s *Store) PruneMails(ctx context.Context, before time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.q.exec(ctx, `DELETE FROM mails WHERE ended_at < $1`, micros(before)); err != nil {
			return wrap("prune mails", err)
		}
		_, err := t.q.exec(ctx,
			`DELETE FROM tasks WHERE kind = 'mail' AND state = 'done' AND id NOT IN (SELECT id FROM mails)`)
		return wrap("prune tasks of mails", err)
	})
}
