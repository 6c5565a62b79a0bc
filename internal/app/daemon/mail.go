package daemon

import (
	"context"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/deadlink"
	"github.com/lectern-docs/lectern/internal/jobs/notify"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

const (
	mailsAtOnce = 2                // per process
	alertsEvery = 15 * time.Minute // the rules work with periods of days
)

// newMailServer returns a client for the mail server in the settings, which must contain one.
func newMailServer(c config.Server) (*smtp.Client, error) {
	roots, err := readRoots(c.MailCAFile)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "bad_setting", "mail.ca-file: %v.", err).WithField("mail.ca-file").WithCause(err)
	}
	return smtp.New(smtp.Settings{Host: c.MailHost, Port: c.MailPort, User: c.MailUser, Password: c.MailPassword,
		TLS: c.MailTLS, Roots: roots, From: c.MailFrom, ReplyTo: c.MailReplyTo, Hello: c.PublicHost(),
		Timeout: c.MailTimeout}), nil
}

// addMail lets workers send mail, if the settings contain a mail server.
func (c *core) addMail(p *worker.Pool) error {
	if !c.Config.HasMail() {
		return nil
	}
	server, err := newMailServer(c.Config)
	if err != nil {
		return err
	}
	p.Handlers[task.Delivery] = c.deliverer(server)
	p.Mails = mailsAtOnce
	p.Timed = append(p.Timed, task.Mail)
	p.Outages[task.Mail] = task.Outage{Limit: mail.GiveUp, Longest: task.LongestMailPause}
	p.Handlers[task.Mail] = &notify.Sender{Store: c.Store, Server: server, PublicURL: c.publicURL(), Masters: c.masters(),
		Rand: c.Rand, Now: c.Now, Lease: c.Config.JobLease}
	return nil
}

// publicURL returns the start of links in emails: the setting, never the address of a request.
func (c *core) publicURL() string { return strings.TrimRight(c.Config.PublicURL, "/") }

func (c *core) masters() [][]byte { return append([][]byte{c.Secrets.Current}, c.Secrets.Previous...) }

// alertChores returns the chores that check for problems that owners should know about. Without a mail server,
// endpoints and the audit log still get the alerts.
func (c *core) alertChores() []queue.Chore {
	alerts := &notify.Alerts{Store: c.Store, Logger: c.Logger, Mails: c.Config.HasMail(), Rules: []notify.Rule{notify.Builds(c.Store, c.Now),
		notify.Endpoints(c.Store)}}
	if c.Config.HasTLS() {
		alerts.Rules = append(alerts.Rules, notify.Certificates(c.certificates, c.Now))
	}
	list := []queue.Chore{{Name: "alerts", Every: alertsEvery, Do: alerts.Check}}
	if !c.Config.LinksCheck {
		alerts.Rules = append(alerts.Rules, notify.Links(nil))
		return list
	}
	watch := &deadlink.Watch{Store: c.Store, Blob: c.blob, Client: c.guard.Client(outbound.Limits{Time: linkTime}),
		Agent: "Lectern/" + c.Version + " (link check)", After: c.Config.LinksDeadAfter, Now: c.Now, Logger: c.Logger}
	links := &notify.Alerts{Store: c.Store, Logger: c.Logger, Mails: c.Config.HasMail(), Rules: []notify.Rule{notify.Links(watch.Find)}}
	return append(list, queue.Chore{Name: "links", Every: linksEvery, Do: links.Check})
}

// Links to other sites are checked once a day, with a short timeout for each.
const (
	linksEvery = 24 * time.Hour
	linkTime   = 15 * time.Second
)

// certificates lists the certificates in use, each with the organization whose owners can fix problems: the site's
// organization or, for the server's own host and for certificates from files, the server's first organization.
func (c *core) certificates(ctx context.Context) (out []notify.Certificate, err error) {
	orgs, err := c.Store.ListOrganizations(ctx)
	if err != nil || len(orgs) == 0 {
		return nil, err
	}
	var held []certificate.Held
	if c.Config.TLSMode == "files" {
		held, err = certificate.ReadHeld(c.Config.TLSCertificateFiles)
	} else {
		held, err = certificate.ListStored(ctx, c.Store, c.masters())
	}
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		one := notify.Certificate{Host: h.Host, OrganizationID: orgs[0].ID, Begin: h.Begin, End: h.End}
		if c.Config.TLSMode == "acme" && h.Host != c.Config.PublicHost() {
			sites, err := c.Store.ListLive(ctx, h.Host)
			if err != nil {
				return nil, err
			}
			if len(sites) == 0 {
				continue // not served here any more
			}
			one.OrganizationID = sites[0].OrganizationID
		}
		out = append(out, one)
	}
	return out, nil
}

// SendTestMail immediately sends an email to an address, with the settings of a server.
func SendTestMail(ctx context.Context, opt Options, to string) error {
	if !opt.Config.HasMail() {
		return fault.New(fault.Invalid, "no_mail", "mail.host is not set, so the server sends no mail.").WithField("mail.host").
			WithHint("Set mail.host and mail.from, here and for the server.")
	}
	server, err := newMailServer(opt.Config)
	if err != nil {
		return err
	}
	letter := mail.TestLetter(strings.TrimRight(opt.Config.PublicURL, "/"))
	return server.Send(ctx, smtp.Message{ID: id.Source{Rand: opt.Rand}.New(id.Mail), To: to, Subject: letter.Subject,
		Text: letter.Text(), HTML: letter.HTML(), Date: opt.Now()})
}
