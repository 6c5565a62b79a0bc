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
	operator      = "operator" // actor of what the server's own operator does
	firstName     = "My organization"
	firstDomain   = "docs.localhost"
	firstSiteMark = "first_site" // setting that says the first site was made, so that a deleted one stays deleted
)

// EnsureOrganization returns the server's first organization, made now if there is none.
func (l *Ledger) EnsureOrganization(ctx context.Context) (org account.Organization, err error) {
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		org, _, err = ensureOrganization(ctx, t)
		return err
	})
	return org, err
}

func ensureOrganization(ctx context.Context, t *store.Tx) (org account.Organization, made bool, err error) {
	// The claim makes two processes that start at once take turns.
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

// firstStart is what a new server made of itself.
type firstStart struct {
	key   string // secret of the first key; "" on later starts
	owner string // secret of a link that makes the first owner's account; "" once there is an owner

	ownerless bool // nobody can sign in as an owner yet
}

// printsSecrets reports whether a start may make and print secrets: on a terminal, or when the operator asks for it by
// name. Other output is collected by a journal or a log, which keeps it and shows it to more people.
func (o Options) printsSecrets() bool {
	return o.Config.FirstSecrets == "print" || (o.Config.FirstSecrets == "auto" && o.Terminal)
}

// prepareFirst makes the organization, a key and the projects of our own docs and of the tour, all or nothing.
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

// firstSecrets makes the first key and the owner's link where they may be printed.
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

// ownerLink makes a link for the organization's first owner.
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

// firstSite makes the project of our own docs once in a server's life.
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
