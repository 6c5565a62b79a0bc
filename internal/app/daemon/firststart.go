package daemon

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	operator    = "operator" // actor for actions of the server's operator
	firstName   = "My organization"
	firstDomain = "docs.localhost"
	// setting that records that the first site was created, so that it is not created again after it was deleted
	firstSiteMark = "first_site"
)

// EnsureOrganization returns the server's first organization, creating it if needed.
func (l *Ledger) EnsureOrganization(ctx context.Context) (org account.Organization, err error) {
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		org, _, err = ensureOrganization(ctx, t)
		return err
	})
	return org, err
}

func ensureOrganization(ctx context.Context, t *store.Tx) (org account.Organization, made bool, err error) {
	// The claim serializes processes that start at the same time.
	if _, err := t.ClaimSetting(ctx, "first_start", "done"); err != nil {
		return org, false, err
	}
	all, err := t.ListOrganizations(ctx)
	if err != nil {
		return org, false, err
	}
	if len(all) > 0 {
		return all[0], false, nil
	}
	if org, err = t.CreateOrganization(ctx, firstName, account.PlanEnterprise); err != nil {
		return org, false, err
	}
	return org, true, t.Record(ctx, event.New(org.ID, operator, "organization.create", org.ID, "", org.CreatedAt, nil))
}

// firstStart is the result of a new server's first start.
type firstStart struct {
	key   string // secret of the first key; "" on later starts
	owner string // secret of the link that creates the first owner's account; "" if there is an owner

	ownerless bool // no owner can sign in yet
}

// printsSecrets reports whether a start may create and print secrets: on a terminal, or if the operator explicitly
// requests it. Other output may be stored in a log and shown to more people.
func (o Options) printsSecrets() bool {
	return o.Config.FirstSecrets == "print" || (o.Config.FirstSecrets == "auto" && o.Terminal)
}

// prepareFirst atomically creates the organization, a key, and the projects for our own docs and for the tour.
func (l *Ledger) prepareFirst(ctx context.Context, opt Options) (firstStart, error) {
	var made firstStart
	err := l.Store.Tx(ctx, func(t *store.Tx) error {
		made = firstStart{}
		org, fresh, err := ensureOrganization(ctx, t)
		if err != nil {
			return err
		}
		if err := l.firstSecrets(ctx, t, opt, org, fresh, &made); err != nil {
			return err
		}
		if opt.Config.FirstSite == "off" {
			return nil
		}
		if err := firstSite(ctx, t, opt, org); err != nil || !fresh {
			return err
		}
		return tourProject(ctx, t, opt, org)
	})
	if err != nil {
		return made, fmt.Errorf("prepare first start: %w", err)
	}
	return made, nil
}

// firstSecrets creates the first key and the owner's link if they may be printed.
func (l *Ledger) firstSecrets(
	ctx context.Context, t *store.Tx, opt Options, org account.Organization, fresh bool, made *firstStart,
) (err error) {
	owned, err := t.AnyOwnerAccount(ctx)
	if err != nil {
		return err
	}
	made.ownerless = !owned
	if !opt.printsSecrets() {
		return nil
	}
	if fresh {
		if made.key, err = l.firstKey(ctx, t, opt, org); err != nil {
			return err
		}
	}
	if made.ownerless {
		made.owner, err = ownerLink(ctx, t, opt, org)
	}
	return err
}

func (l *Ledger) firstKey(ctx context.Context, t *store.Tx, opt Options, org account.Organization) (secret string,
	err error) {
	k, err := account.NewKey(org.ID, account.Request{Label: "First key"}, opt.Now())
	if err != nil {
		return "", err
	}
	k.Scopes = account.Scopes()
	secret = account.NewSecret(opt.Rand)
	k.Prefix, k.Hash = account.Visible(secret), l.Hasher.Hash(secret)
	if k, err = t.CreateKey(ctx, k); err != nil {
		return "", err
	}
	return secret, t.Record(ctx, event.New(org.ID, operator, "key.create", k.ID, "", opt.Now(), k.AuditData()))
}

// ownerLink creates the link for the organization's first owner.
func ownerLink(ctx context.Context, t *store.Tx, opt Options, org account.Organization) (secret string, err error) {
	secret = account.NewToken(opt.Rand)
	i, err := t.CreateInvitation(ctx, account.Invitation{OrganizationID: org.ID, Kind: account.InviteJoin,
		Role: account.RoleOwner, Hash: account.TokenHash(secret),
		CreatedBy: operator, ExpiresAt: opt.Now().Add(account.OwnerLink)})
	if err != nil {
		return "", err
	}
	return secret, t.Record(ctx, event.New(org.ID, operator, "invitation.create", i.ID, "", opt.Now(),
		map[string]string{"role": string(i.Role)}))
}

// firstSite creates the project of our own docs, once per server.
func firstSite(ctx context.Context, t *store.Tx, opt Options, org account.Organization) error {
	mine := opt.Now().UTC().Format("2006-01-02T15:04:05.999999999Z")
	held, err := t.ClaimSetting(ctx, firstSiteMark, mine)
	if err != nil || held != mine {
		return err
	}
	p, err := t.CreateProject(ctx,
		project.Project{OrganizationID: org.ID, Name: "Lectern docs", Domains: []string{firstDomain},
			Source: project.Source{Repository: snapshot.BuiltIn}})
	if err != nil {
		return err
	}
	if _, err := t.QueueDeployment(ctx, p, deploy.Production, "", "start"); err != nil {
		return err
	}
	return t.Record(ctx, event.New(org.ID, operator, "project.create", p.ID, "", opt.Now(),
		map[string]string{"name": p.Name, "domain": firstDomain}))
}
