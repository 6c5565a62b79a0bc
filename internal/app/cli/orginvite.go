package cli

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

type orgInviteCommand struct {
	linking
	organizationFlag
	Email    string `xor:"whom" placeholder:"EMAIL" help:"E-mail address of the invited person. Default: anyone with the link can join and enters their own address."`
	Role     string `default:"owner" placeholder:"ROLE" help:"Role that the link grants: owner, admin, editor, viewer or guest."`
	Password string `xor:"whom" placeholder:"EMAIL" help:"Instead of an invitation, create a link with which the person with this address can set a new password."`
}

// Help returns the long description.
func (orgInviteCommand) Help() string {
	return `Prints a link to the dashboard that works once: for a day, or with --email for a week. Use it to regain access when nobody can sign in. If the settings have a mail server, the running server or a worker also sends a link for one person to them.
The link starts with --public-url, or with http://localhost and the port of --listen: use the same settings or settings file as the server.

    lectern org invite --data /var/lib/lectern
    lectern org invite --email editor@example.com --role editor --config /etc/lectern.yaml
    lectern org invite --password owner@example.com --public-url https://lectern.example.com --data /var/lib/lectern`
}

func (c *orgInviteCommand) Run(ctx context.Context, r *run) error {
	base := dashboardBase(&c.Server)
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		var i account.Invitation
		var token, says string
		var err error
		if c.Password != "" {
			i, token, err = c.passwordLink(ctx, r, l)
			says = fmt.Sprintf("With this link, %s can set a new password.", i.Email)
		} else {
			i, token, says, err = c.joinLink(ctx, r, l)
		}
		if err != nil {
			return err
		}
		if c.sendsMail(i) {
			says += " It is also sent by mail."
		}
		fmt.Fprintf(r.Stderr, "%s It works once, until %s UTC:\n", says, day(i.ExpiresAt))
		_, err = fmt.Fprintln(r.Stdout, i.Link(base, token))
		return err
	})
}

// dashboardBase returns the server's URL for people on this machine. A link to a listen address such as 0.0.0.0 would
// not work.
func dashboardBase(s *config.Server) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/")
	}
	if _, port, err := net.SplitHostPort(s.Listen); err == nil && port != "80" {
		return "http://localhost:" + port
	}
	return "http://localhost"
}

// sendsMail reports whether a link is sent to its recipient by mail.
func (c *orgInviteCommand) sendsMail(i account.Invitation) bool { return c.HasMail() && i.Email != "" }

// mailLink queues the email with a link, just like the server does for links created in the dashboard.
func (c *orgInviteCommand) mailLink(ctx context.Context, r *run, l *daemon.Ledger, t *store.Tx, i account.Invitation,
	token string) error {
	if !c.sendsMail(i) {
		return nil
	}
	_, err := t.QueueLink(ctx, i, mail.SealToken(l.Secrets.Current, r.Rand, i.ID, token))
	return err
}

// joinLink creates an invitation link.
func (c *orgInviteCommand) joinLink(ctx context.Context, r *run, l *daemon.Ledger) (i account.Invitation, token,
	says string, err error) {
	i = account.Invitation{Kind: account.InviteJoin, CreatedBy: operator, ExpiresAt: r.Now().Add(account.OwnerLink)}
	if i.Role, err = account.ParseRole(c.Role); err != nil {
		return i, "", "", err
	}
	whoever := "the person who opens it"
	if c.Email != "" {
		if i.Email, err = account.CleanEmail(c.Email); err != nil {
			return i, "", "", err
		}
		whoever = i.Email
		i.ExpiresAt = r.Now().AddDate(0, 0, account.InviteDays)
	}
	org, err := c.findOrMake(ctx, r, &c.Server, l)
	if err != nil {
		return i, "", "", err
	}
	token = account.NewToken(r.Rand)
	i.OrganizationID, i.Hash = org.ID, account.TokenHash(token)
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		if err := refuseSignedUp(ctx, t, i); err != nil {
			return err
		}
		if i, err = t.CreateInvitation(ctx, i); err != nil {
			return err
		}
		if err := c.mailLink(ctx, r, l, t, i, token); err != nil {
			return err
		}
		return t.Record(ctx, event.New(org.ID, operator, "invitation.create", i.ID, "", r.Now(),
			map[string]string{"email": i.Email, "role": string(i.Role)}))
	})
	return i, token, fmt.Sprintf("With this link, %s becomes %s of %q.", whoever, i.Role, org.Name), err
}

// refuseSignedUp rejects an invitation for a member who already has an account.
func refuseSignedUp(ctx context.Context, t *store.Tx, i account.Invitation) error {
	if i.Email == "" {
		return nil
	}
	_, err := t.FindMemberByEmail(ctx, i.OrganizationID, i.Email)
	if err == nil {
		_, err = t.FindPersonByEmail(ctx, i.Email)
	}
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.New(fault.Conflict, "member_exists", "That address already belongs to a member who can sign in.").
		WithField("email").
		WithHint("For a lost password, use: lectern org invite --password " + i.Email)
}

// passwordLink creates a link for a new password. It grants access to all of the person's organizations, so it is
// recorded in each one's audit log.
func (c *orgInviteCommand) passwordLink(ctx context.Context, r *run, l *daemon.Ledger) (i account.Invitation,
	token string, err error) {
	email, err := account.CleanEmail(c.Password)
	if err != nil {
		return i, "", err
	}
	token = account.NewToken(r.Rand)
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		if _, err := t.FindPersonByEmail(ctx, email); err != nil {
			return err
		}
		places, err := t.ListMemberships(ctx, email)
		if err != nil {
			return err
		}
		in, err := c.choose(places)
		if err != nil {
			return err
		}
		i, err = t.CreateInvitation(ctx, account.Invitation{OrganizationID: in, Kind: account.InvitePassword,
			Email: email, Hash: account.TokenHash(token),
			CreatedBy: operator, ExpiresAt: r.Now().Add(account.PasswordLink)})
		if err == nil {
			err = c.mailLink(ctx, r, l, t, i, token)
		}
		for _, p := range places {
			if err == nil {
				err = t.Record(ctx, event.New(p.Organization.ID, operator, "member.password_link", p.Member.ID, "",
					r.Now(), map[string]string{"email": email}))
			}
		}
		return err
	})
	return i, token, err
}

// choose returns the id of the organization that the link belongs to: the selected one, or the person's first.
func (c *orgInviteCommand) choose(places []account.Membership) (string, error) {
	for _, p := range places {
		if c.Organization == "" || c.Organization == p.Organization.ID {
			return p.Organization.ID, nil
		}
	}
	return "", fault.New(fault.NotFound, "unknown_member", "That person is not a member of the organization.").
		WithHint("Invite the address: lectern org invite --email EMAIL --role ROLE")
}
