package cli

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/store"
)

type keysCommands struct {
	Create keysCreateCommand `cmd:"" help:"Create an admin API key and print only the key to standard output."`
	List   keysListCommand   `cmd:"" help:"List keys, newest first. Their secrets are not stored."`
	Revoke keysRevokeCommand `cmd:"" help:"Revoke a key, immediately and permanently."`
}

type keysCreateCommand struct {
	storage
	organizationFlag
	Scope         []string `placeholder:"SCOPE" help:"What the key may do: read, write, discovery (search and read published sites), admin (members, invitations, keys, credentials and the organization's settings), or scim (members and groups, for an identity provider). Default: read and write."`
	Label         string   `help:"Name of the key, for people."`
	ExpiresInDays int      `placeholder:"DAYS" help:"Days until the key expires: 7, 30, 60 or 90. Default: never."`
	Address       []string `placeholder:"CIDR" help:"Addresses and networks that may use the key. Default: all."`
}

// Help returns the long description.
func (keysCreateCommand) Help() string {
	return `The key is shown only once. It works on a running server immediately.

    LECTERN_KEY=$(lectern keys create --data /var/lib/lectern --label ci --scope read)
    lectern keys create --expires-in-days 30 --address 203.0.113.0/24
    lectern keys create --scope read,write,admin --label "manages members"`
}

func (c *keysCreateCommand) Run(ctx context.Context, r *run) error {
	request := account.Request{Label: c.Label, Scopes: c.Scope, Addresses: c.Address}
	if c.ExpiresInDays != 0 {
		request.ExpiresInDays = &c.ExpiresInDays
	}
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.findOrMake(ctx, r, &c.Server, l)
		if err != nil {
			return err
		}
		k, secret, err := r.createKey(ctx, l, org, request)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "Key %s of %q (%s), scopes %s, expires %s. It is shown only once:\n", k.ID, org.Name,
			org.ID, k.ScopeNames(), dayOr(k.ExpiresAt, "never"))
		_, err = fmt.Fprintln(r.Stdout, secret)
		return err
	})
}

func (r *run) createKey(ctx context.Context, l *daemon.Ledger, org account.Organization,
	request account.Request) (k account.Key, secret string, err error) {
	now := r.Now()
	if k, err = account.NewKey(org.ID, request, now); err != nil {
		return k, "", err
	}
	secret = account.NewSecret(r.Rand)
	k.Prefix, k.Hash = account.Visible(secret), l.Hasher.Hash(secret)
	err = l.Store.Tx(ctx, func(t *store.Tx) error {
		if k, err = t.CreateKey(ctx, k); err != nil {
			return err
		}
		return t.Record(ctx, event.New(org.ID, operator, "key.create", k.ID, "", now, k.AuditData()))
	})
	return k, secret, err
}

type keysListCommand struct {
	storage
	organizationFlag
	JSON bool `name:"json" help:"Print one JSON object, in the format of the API's list of keys."`
}

func (c *keysListCommand) Run(ctx context.Context, r *run) error {
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.find(ctx, l)
		if err != nil {
			return err
		}
		all, err := listKeys(ctx, l.Store, org.ID)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(r.Stdout, client.KeyList{Keys: publicKeys(all)})
		}
		var rows [][]string
		for _, k := range all {
			rows = append(rows, []string{k.ID, k.Prefix + "…", orDash(k.Label), k.ScopeNames(), day(k.CreatedAt),
				dayOr(k.ExpiresAt, "never"), dayOr(k.LastUsedAt, "never"), keyState(k, r.Now())})
		}
		return printTable(r.Stdout,
			[]string{"KEY ID", "KEY", "LABEL", "SCOPES", "CREATED", "EXPIRES", "LAST USED", "STATE"}, rows)
	})
}

func listKeys(ctx context.Context, s *store.Store, organizationID string) (all []account.Key, err error) {
	page := store.Page{Limit: 100}
	for {
		list, next, err := s.ListKeys(ctx, organizationID, page)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if next == "" {
			return all, nil
		}
		page.Cursor = next
	}
}

func keyState(k account.Key, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case !k.Live(now):
		return "expired"
	}
	return "live"
}

// publicKeys converts keys to the API's form.
func publicKeys(all []account.Key) []client.Key {
	list := []client.Key{}
	for _, k := range all {
		p := client.Key{
			KeyID: k.ID, Label: k.Label, Prefix: k.Prefix, Scopes: strings.Fields(k.ScopeNames()),
			Addresses: addresses(k.Addresses),
			CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
		}
		if k.CreatedBy != "" {
			p.CreatedBy = &k.CreatedBy
		}
		list = append(list, p)
	}
	return list
}

func addresses(networks []netip.Prefix) []string {
	list := []string{}
	for _, n := range networks {
		list = append(list, n.String())
	}
	return list
}

type keysRevokeCommand struct {
	storage
	organizationFlag
	KeyID    string `arg:"" name:"key-id" help:"Id of the key, such as key_…; see keys list."`
	Children bool   `help:"Also revoke the keys created with it, directly or indirectly."`
}

func (c *keysRevokeCommand) Run(ctx context.Context, r *run) error {
	return r.withLedger(ctx, &c.Server, func(l *daemon.Ledger) error {
		org, err := c.find(ctx, l)
		if err != nil {
			return err
		}
		ended := 0
		err = l.Store.Tx(ctx, func(t *store.Tx) error {
			if err := t.HoldOrganization(ctx, org.ID); err != nil {
				return err
			}
			gone, err := t.RevokeKey(ctx, org.ID, c.KeyID, c.Children)
			if err != nil {
				return err
			}
			ended = len(gone.Children)
			record := func(action, target string, data map[string]string) {
				if err == nil {
					err = t.Record(ctx, event.New(org.ID, operator, action, target, "", r.Now(), data))
				}
			}
			record("key.revoke", c.KeyID, nil)
			for _, child := range gone.Children {
				record("key.revoke", child, map[string]string{"parent": c.KeyID})
			}
			for _, i := range gone.Links {
				record("invitation.revoke", i.ID, map[string]string{"email": i.Email})
			}
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Stderr, "Key %s was revoked.\n", c.KeyID)
		if ended > 0 {
			fmt.Fprintf(r.Stderr, "Keys created with it that were also revoked: %d.\n", ended)
		}
		return nil
	})
}
