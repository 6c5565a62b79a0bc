package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

type orgCommands struct {
	Create  orgCreateCommand   `cmd:"" help:"Create an organization."`
	List    orgListCommand     `cmd:"" help:"List organizations, oldest first."`
	Plan    orgPlanCommand     `cmd:"" help:"Change an organization's plan."`
	Invite  orgInviteCommand   `cmd:"" help:"Create a link to join an organization, or to set a new password."`
	Members orgMembersCommands `cmd:"" help:"Members of an organization."`
	Domains orgDomainsCommands `cmd:"" help:"List, approve and release domains of all organizations."`
}

type orgListCommand struct {
	storage
	JSON bool `name:"json" help:"Print one JSON object."`
}

// organizationJSON is an organization in the output of --json.
type organizationJSON struct {
	OrganizationID string       `json:"organizationId"`
	Name           string       `json:"name"`
	Plan           account.Plan `json:"plan"`
	CreatedAt      time.Time    `json:"createdAt"`
}

func (c *orgListCommand) Run(ctx context.Context, r *run) error {
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		all, err := l.Store.ListOrganizations(ctx)
		if err != nil {
			return err
		}
		list, rows := []organizationJSON{}, [][]string{}
		for _, o := range all {
			list = append(list, organizationJSON{o.ID, o.Name, o.Plan, o.CreatedAt})
			rows = append(rows, []string{o.ID, string(o.Plan), day(o.CreatedAt), o.Name})
		}
		if c.JSON {
			return printJSON(r.Stdout, map[string]any{"organizations": list})
		}
		return printTable(r.Stdout, []string{"ORGANIZATION ID", "PLAN", "CREATED", "NAME"}, rows)
	})
}

type orgCreateCommand struct {
	storage
	Name string `arg:"" help:"Name of the organization."`
	Plan string `default:"free" placeholder:"PLAN" help:"free, pro or enterprise. Static exports require enterprise."`
}

// Help returns the long description.
func (orgCreateCommand) Help() string {
	return `Prints the new organization's id. A server's first start creates one automatically. Use more to separate tenants: no organization can see another's data.
With more than one organization, new domains must be verified: see the guide on domains, and lectern org domains list for existing ones.

    lectern org create "Docs team" --plan enterprise --data /var/lib/lectern
    lectern keys create --organization org_... --data /var/lib/lectern`
}

func (c *orgCreateCommand) Run(ctx context.Context, r *run) error {
	plan, err := account.ParsePlan(c.Plan)
	if err != nil {
		return err
	}
	name, err := account.CleanName(c.Name)
	if err != nil {
		return err
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		var org account.Organization
		err := l.Store.Tx(ctx, func(t *store.Tx) (err error) {
			if org, err = t.CreateOrganization(ctx, name, plan); err != nil {
				return err
			}
			return t.Record(ctx, event.New(org.ID, operator, "organization.create", org.ID, "", r.Now(),
				map[string]string{"name": name, "plan": string(plan)}))
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(r.Stdout, org.ID)
		return errors.Join(err, r.noteSecond(ctx, l))
	})
}

// noteSecond explains to the operator how a second organization affects the first.
func (r *run) noteSecond(ctx context.Context, l *daemon.Ledger) error {
	n, err := l.Store.CountOrganizations(ctx)
	if err != nil || n != 2 {
		return err
	}
	fmt.Fprintln(r.Stderr,
		"This server now has two organizations. From now on, projects can only use folders on its disk that are listed in sources.roots,")
	fmt.Fprintln(r.Stderr,
		"and the server's own credentials only if credentials.shared lists the organization. lectern doctor names the affected projects.")
	return nil
}

type orgPlanCommand struct {
	storage
	organizationFlag
	Plan string `arg:"" help:"free, pro or enterprise. Static exports require enterprise."`
}

// Help returns the long description.
func (orgPlanCommand) Help() string {
	return `The change applies to a running server immediately.

    lectern org plan enterprise --data /var/lib/lectern`
}

func (c *orgPlanCommand) Run(ctx context.Context, r *run) error {
	plan, err := account.ParsePlan(c.Plan)
	if err != nil {
		return err
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.find(ctx, l)
		if err != nil {
			return err
		}
		err = l.Store.Tx(ctx, func(t *store.Tx) error {
			if err := t.SetPlan(ctx, org.ID, plan); err != nil {
				return err
			}
			return t.Record(ctx, event.New(org.ID, operator, "organization.plan", org.ID, "", r.Now(),
				map[string]string{"plan": string(plan), "before": string(org.Plan)}))
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "The plan of %q (%s) is now %s; it was %s.\n", org.Name, org.ID, plan, org.Plan)
		return nil
	})
}

type orgMembersCommands struct {
	Add  orgMembersAddCommand  `cmd:"" help:"Add a person to an organization."`
	List orgMembersListCommand `cmd:"" help:"List an organization's members, oldest first."`
}

type orgMembersAddCommand struct {
	storage
	organizationFlag
	Email string `arg:"" help:"The person's e-mail address."`
	Role  string `required:"" placeholder:"ROLE" help:"owner, admin, editor, viewer or guest."`
}

func (c *orgMembersAddCommand) Run(ctx context.Context, r *run) error {
	role, err := account.ParseRole(c.Role)
	if err != nil {
		return err
	}
	email, err := account.CleanEmail(c.Email)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "%q is not an e-mail address.", c.Email).WithField("email")
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.findOrMake(ctx, r, &c.Server, l)
		if err != nil {
			return err
		}
		var m account.Member
		err = l.Store.Tx(ctx, func(t *store.Tx) error {
			if m, err = t.AddMember(ctx, org.ID, email, role); err != nil {
				return err
			}
			return t.Record(ctx, event.New(org.ID, operator, "member.add", m.ID, "", r.Now(),
				map[string]string{"email": email, "role": string(role)}))
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "%s is now %s of %q.\n", m.Email, m.Role, org.Name)
		if _, err := l.Store.FindPersonByEmail(ctx, email); fault.Is(err, fault.NotFound) {
			fmt.Fprintf(r.Stderr,
				"To sign in, they need a link that creates their account: lectern org invite --email %s --role %s --organization %s\n", m.Email, m.Role, org.ID)
		}
		_, err = fmt.Fprintln(r.Stdout, m.ID)
		return err
	})
}

type orgMembersListCommand struct {
	storage
	organizationFlag
	JSON bool `name:"json" help:"Print one JSON object."`
}

// memberJSON is a member in the output of --json.
type memberJSON struct {
	MemberID  string       `json:"memberId"`
	Email     string       `json:"email"`
	Role      account.Role `json:"role"`
	CreatedAt time.Time    `json:"createdAt"`
}

func (c *orgMembersListCommand) Run(ctx context.Context, r *run) error {
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.find(ctx, l)
		if err != nil {
			return err
		}
		all, err := l.Store.ListMembers(ctx, org.ID)
		if err != nil {
			return err
		}
		list, rows := []memberJSON{}, [][]string{}
		for _, m := range all {
			list = append(list, memberJSON{m.ID, m.Email, m.Role, m.CreatedAt})
			rows = append(rows, []string{m.ID, m.Email, string(m.Role), day(m.CreatedAt)})
		}
		if c.JSON {
			return printJSON(r.Stdout, map[string]any{"members": list})
		}
		return printTable(r.Stdout, []string{"MEMBER ID", "E-MAIL", "ROLE", "CREATED"}, rows)
	})
}
