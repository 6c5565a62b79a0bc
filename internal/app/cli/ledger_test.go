package cli

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/store"
)

// openLedger opens a data folder as the server does.
func openLedger(t *testing.T, data string) *daemon.Ledger {
	t.Helper()
	settings := config.Defaults()
	settings.Data = data
	l, err := daemon.OpenLedger(t.Context(),
		daemon.Options{Config: settings, Now: time.Now, Rand: rand.Reader, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func events(t *testing.T, data string) []event.Event {
	t.Helper()
	l := openLedger(t, data)
	all, err := l.Store.ListOrganizations(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	list, err := l.Store.ListEvents(t.Context(), all[0].ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestKeysCreatePrintsOnlyTheKey(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := invoke(t, "keys", "create", "--data", data, "--scope", "read", "--label", "ci", "--expires-in-days", "30",
		"--address", "203.0.113.0/24").want(t, 0, "key_", "My organization", "There was no organization in "+data)
	secret, ok := strings.CutSuffix(a.stdout, "\n")
	if !ok || !account.WellFormed(secret) {
		t.Fatalf("printed %q", a.stdout)
	}
	l := openLedger(t, data)
	p, err := l.Store.FindPrincipal(t.Context(), l.Hasher.Hash(secret))
	if err != nil {
		t.Fatal(err)
	}
	k := p.Key
	if k.Label != "ci" || !k.May(account.ScopeRead) || k.May(account.ScopeWrite) || k.ExpiresAt == nil ||
		len(k.Addresses) != 1 || k.CreatedBy != "" || p.Organization.Plan != account.PlanEnterprise {
		t.Errorf("%+v", p)
	}
	list := events(t, data)
	if last := list[len(list)-1]; last.Actor != "operator" || last.Action != "key.create" || last.Target != k.ID ||
		!last.Verify() {
		t.Errorf("recorded %+v", last)
	}
	if strings.Contains(a.stderr, secret) {
		t.Error("the key is on standard error too")
	}
}

func TestKeysCreateRefusesInvalidOptions(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		code int
		text string
	}{
		"scope":        {[]string{"--scope", "root"}, 2, `Unknown scope "root".`},
		"days":         {[]string{"--expires-in-days", "8"}, 2, "7, 30, 60 or 90"},
		"address":      {[]string{"--address", "home"}, 2, "not an IP address"},
		"organization": {[]string{"--organization", "org_none"}, 4, "Organization not found"},
	} {
		if a := invoke(t, append([]string{"keys", "create", "--data", data}, c.args...)...).
			want(t, c.code, c.text); a.stdout != "" {
			t.Errorf("%s: printed %q", name, a.stdout)
		}
	}
}

func TestKeysAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "list", "--data", data).want(t, 4, "no organization")
	secret := strings.TrimSpace(invoke(t, "keys", "create", "--data", data, "--label", "first").want(t, 0).stdout)
	invoke(t, "keys", "create", "--data", data).want(t, 0)
	a := invoke(t, "keys", "list", "--data", data, "--json").want(t, 0)
	var keys client.KeyList
	if err := json.Unmarshal([]byte(a.stdout), &keys); err != nil || len(keys.Keys) != 2 {
		t.Fatalf("%v: %s", err, a.stdout)
	}
	first := keys.Keys[1]
	if first.Label != "first" || first.Prefix != secret[:12] || first.RevokedAt != nil || len(first.Scopes) != 2 {
		t.Errorf("%+v", first)
	}
	invoke(t, "keys", "revoke", first.KeyID, "--data", data).want(t, 0, "was revoked")
	invoke(t, "keys", "revoke", "key_none", "--data", data).want(t, 4, "API key not found.")
	table := invoke(t, "keys", "list", "--data", data).want(t, 0).stdout
	if !strings.Contains(table, "revoked") || !strings.Contains(table, "live") || strings.Contains(table, secret) {
		t.Errorf("listed\n%s", table)
	}
	list := events(t, data)
	if last := list[len(list)-1]; last.Actor != "operator" || last.Action != "key.revoke" ||
		last.Target != first.KeyID {
		t.Errorf("recorded %+v", last)
	}
}

func TestKeysRevokeIncludesChildrenOnRequest(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "create", "--data", data, "--scope", "read,write,admin", "--label", "parent").
		want(t, 0, "scopes read write admin")
	l := openLedger(t, data)
	all, err := l.Store.ListOrganizations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := l.Store.ListKeys(t.Context(), all[0].ID, store.Page{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateKey(t.Context(), account.Key{OrganizationID: all[0].ID, Label: "child", Hash: "child",
			CreatedBy: list[0].ID, CreatedAt: time.Now()})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	invoke(t, "keys", "revoke", list[0].ID, "--data", data).want(t, 0, "was revoked")
	if table := invoke(t, "keys", "list", "--data", data).want(t, 0).stdout; !strings.Contains(table, "live") {
		t.Errorf("the child is gone:\n%s", table)
	}
	invoke(t, "keys", "revoke", list[0].ID, "--children", "--data", data).
		want(t, 0, "Keys created with it that were also revoked: 1.")
	if table := invoke(t, "keys", "list", "--data", data).want(t, 0).stdout; strings.Contains(table, "live") {
		t.Errorf("the child works:\n%s", table)
	}
	recorded := events(t, data)
	if last := recorded[len(recorded)-1]; last.Action != "key.revoke" || last.Data["parent"] != list[0].ID {
		t.Errorf("recorded %+v", last)
	}
	if first := recorded[1]; first.Action != "key.create" || first.Data["scopes"] != "read write admin" ||
		first.Data["expiresAt"] != "never" {
		t.Errorf("recorded %+v", first)
	}
}

func TestOrgPlanAndMembersCanBeChanged(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "org", "plan", "pro", "--data", data).want(t, 4, "no organization")
	invoke(t, "org", "members", "add", "ann@example.com", "--role", "admin", "--data", data).
		want(t, 0, "ann@example.com is now admin")
	invoke(t, "org", "members", "add", "ann@example.com", "--role", "viewer", "--data", data).
		want(t, 5, "already exists")
	invoke(t, "org", "members", "add", "ann", "--role", "viewer", "--data", data).want(t, 2, "not an e-mail address")
	invoke(t, "org", "members", "add", "bob@example.com", "--role", "king", "--data", data).
		want(t, 2, `Unknown role "king"`)
	if a := invoke(t, "org", "members", "list", "--data", data, "--json").
		want(t, 0); !strings.Contains(a.stdout, `"email":"ann@example.com","role":"admin"`) {
		t.Error(a.stdout)
	}
	invoke(t, "org", "plan", "gold", "--data", data).want(t, 2, `Unknown plan "gold".`)
	invoke(t, "org", "plan", "pro", "--data", data).want(t, 0, "is now pro; it was enterprise")
	if a := invoke(t, "org", "list", "--data", data, "--json").want(t, 0); !strings.Contains(a.stdout, `"plan":"pro"`) {
		t.Error(a.stdout)
	}
	list := events(t, data)
	if last := list[len(list)-1]; last.Action != "organization.plan" || last.Data["plan"] != "pro" ||
		last.Data["before"] != "enterprise" {
		t.Errorf("recorded %+v", last)
	}
}

func TestOrganizationMustBeNamedIfThereAreSeveral(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "create", "--data", data).want(t, 0)
	l := openLedger(t, data)
	second := addOrganization(t, l)
	invoke(t, "org", "plan", "pro", "--data", data).want(t, 2, "There are 2 organizations.", "--organization")
	invoke(t, "org", "plan", "pro", "--data", data, "--organization", second).want(t, 0)
	if o, err := l.Store.FindOrganization(t.Context(), second); err != nil || o.Plan != account.PlanPro {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestMigrateReportsItsSteps(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := invoke(t, "migrate", "--data", data).want(t, 0, "database migrated", "steps")
	if a.stdout != "The database is up to date.\n" {
		t.Errorf("said %q", a.stdout)
	}
	if a := invoke(t, "migrate", "--data", data).want(t, 0); strings.Contains(a.stderr, "migrated") {
		t.Errorf("migrated twice: %s", a.stderr)
	}
}

func TestDifferentSecretKeyIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "create", "--data", data).want(t, 0)
	invoke(t, "LECTERN_SECRET_KEY="+strings.Repeat("x", 40), "keys", "create", "--data", data).
		want(t, 2, "secret-key: this database was created with another secret key.")
}
func addOrganization(t *testing.T, l *daemon.Ledger) string {
	t.Helper()
	var o account.Organization
	err := l.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(t.Context(), "Second", account.PlanFree)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o.ID
}

func TestOrgCreatePrintsOnlyTheID(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := invoke(t, "org", "create", "Docs team", "--plan", "enterprise", "--data", data).want(t, 0)
	made := strings.TrimSpace(a.stdout)
	l := openLedger(t, data)
	org, err := l.Store.FindOrganization(t.Context(), made)
	if err != nil || org.Name != "Docs team" || org.Plan != account.PlanEnterprise {
		t.Fatalf("%+v %v", org, err)
	}
	if list, err := l.Store.ListEvents(t.Context(), made, 0, 10); err != nil || len(list) != 1 ||
		list[0].Action != "organization.create" {
		t.Errorf("events: %+v %v", list, err)
	}
	invoke(t, "org", "create", "  ", "--data", data).want(t, 2, "name must have")
	invoke(t, "org", "create", "x", "--plan", "gold", "--data", data).want(t, 2, "gold")
}
