package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

type orgDomainsCommands struct {
	List    orgDomainsListCommand    `cmd:"" help:"List the domains of every organization, by name."`
	Approve orgDomainsApproveCommand `cmd:"" help:"Assign a domain to an organization without verification."`
	Release orgDomainsReleaseCommand `cmd:"" help:"Release a domain that an organization holds or has reserved."`
}

type orgDomainsListCommand struct {
	storage
	JSON bool `name:"json" help:"Print one JSON object."`
}

// ownedDomainJSON is a domain in the output of --json.
type ownedDomainJSON struct {
	Domain         string              `json:"domain"`
	State          project.DomainState `json:"state"`
	OrganizationID string              `json:"organizationId"`
	ProjectID      string              `json:"projectId"` // "" if the domain is reserved
	Proof          project.DomainProof `json:"proof"`     // "" if the domain is pending
	Since          time.Time           `json:"since"`
	ReservedUntil  *time.Time          `json:"reservedUntil"`
}

func (c *orgDomainsListCommand) Run(ctx context.Context, r *run) error {
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		all, err := l.Store.ListAllDomains(ctx)
		if err != nil {
			return err
		}
		list, rows := []ownedDomainJSON{}, [][]string{}
		for _, d := range all {
			list = append(list, ownedDomainJSON{d.Name, d.State, d.OrganizationID, d.ProjectID, d.Proof, d.Since,
				d.Until})
			rows = append(rows, []string{d.Name, string(d.State), orDash(string(d.Proof)), dayOr(d.Until, "-"),
				d.OrganizationID, orDash(d.ProjectID)})
		}
		if c.JSON {
			return printJSON(r.Stdout, map[string]any{"domains": list})
		}
		return printTable(r.Stdout,
			[]string{"DOMAIN", "STATE", "PROOF", "RESERVED UNTIL", "ORGANIZATION ID", "PROJECT ID"}, rows)
	})
}

type orgDomainsApproveCommand struct {
	storage
	organizationFlag
	Domain string `arg:"" help:"Domain, such as docs.example.com or example.com/docs."`
}

// Help returns the long description.
func (orgDomainsApproveCommand) Help() string {
	return `If the organization has a pending claim to the domain, it is served immediately. Otherwise the domain is reserved for the organization, which can then use it
without verification, even below a domain that another organization holds. Use the same settings or --config as the server.

    lectern org domains approve docs.example.com --organization org_... --data /var/lib/lectern`
}

func (c *orgDomainsApproveCommand) Run(ctx context.Context, r *run) error {
	name, err := project.CleanDomain(c.Domain)
	if err != nil {
		return err
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.find(ctx, l)
		if err != nil {
			return err
		}
		var d project.Domain
		err = l.Store.Tx(ctx, func(t *store.Tx) (err error) {
			if d, err = t.ApproveDomain(ctx, org.ID, name); err != nil {
				return err
			}
			return t.Record(ctx, event.New(org.ID, operator, "domain.approve", name, "", r.Now(),
				map[string]string{"state": string(d.State), "project": d.ProjectID}))
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "%s is now %s for %q (%s).\n", name, d.State, org.Name, org.ID)
		return nil
	})
}

type orgDomainsReleaseCommand struct {
	storage
	Domain string `arg:"" help:"Domain, such as docs.example.com or example.com/docs."`
}

// Help returns the long description.
func (orgDomainsReleaseCommand) Help() string {
	return `The whole host is released, with all its paths. A reservation ends. A project that had the domain stops serving it until the domain is verified again; other organizations can verify it first.

    lectern org domains release docs.example.com --data /var/lib/lectern`
}

func (c *orgDomainsReleaseCommand) Run(ctx context.Context, r *run) error {
	name, err := project.CleanDomain(c.Domain)
	if err != nil {
		return err
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		var was project.Domain
		var org account.Organization
		err := l.Store.Tx(ctx, func(t *store.Tx) (err error) {
			if was, err = t.ReleaseDomain(ctx, name); err != nil {
				return err
			}
			if org, err = t.FindOrganization(ctx, was.OrganizationID); err != nil {
				return err
			}
			return t.Record(ctx, event.New(org.ID, operator, "domain.release", name, "", r.Now(),
				map[string]string{"before": string(was.State), "project": was.ProjectID}))
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "%s is now free; it was %s for %q (%s).\n", name, was.State, org.Name, org.ID)
		return nil
	})
}
