package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// D8: changes that the operator makes on the server's machine are in the log of the affected organization; commands
// that change nothing add nothing. Every new command that uses the database must be listed here.
func TestOperatorChangesAreRecorded(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "create", "--data", data).want(t, 0)
	l := openLedger(t, data)
	all, err := l.Store.ListOrganizations(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	first := all[0].ID
	keys, _, err := l.Store.ListKeys(t.Context(), first, store.Page{Limit: 1})
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	addPerson(t, l, "viewer@example.com")
	post := smtpserver.Start(t, smtpserver.Options{})
	covered := map[string]bool{}
	for _, c := range []struct {
		command, args string
		adds          string // the recorded action; "" = nothing changes
	}{
		{"keys list", "", ""},
		{"keys create", "--label x", "key.create"},
		{"keys revoke", keys[0].ID, "key.revoke"},
		{"org list", "", ""},
		{"org members list", "", ""},
		{"org members add", "viewer@example.com --role viewer", "member.add"},
		{"org plan", "pro", "organization.plan"},
		{"org invite", "--email editor@example.com", "invitation.create"},
		{"org invite", "--password viewer@example.com", "member.password_link"},
		{"org domains list", "", ""},
		{"org domains approve", "docs.acme.test", "domain.approve"},
		{"org domains release", "docs.acme.test", "domain.release"},
		{"org create", "Second", "organization.create"}, // in the new organization's log
		{"migrate", "", ""},
		{"mail test", fmt.Sprintf("--to reader@example.com --public-url https://lectern.example.com --mail-from "+
			"docs@example.com --mail-host %s --mail-port %d --mail-tls none", smtpserver.Host, post.Port), ""},
		{"backup make", filepath.Join(t.TempDir(), "b.tar.gz"), ""},
		{"doctor", "--listen 127.0.0.1:0 --metrics-listen off --scripts off", ""},
	} {
		covered[c.command] = true
		before, _, err := l.Store.EndOfEvents(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		a := invoke(t, append(strings.Fields(c.command+" "+c.args), "--data", data)...).want(t, 0)
		org := first
		if c.command == "org create" {
			org, before = strings.TrimSpace(a.stdout), 0
		}
		added, err := l.Store.ListEvents(t.Context(), org, before, 10)
		switch {
		case err != nil:
			t.Fatal(err)
		case c.adds == "" && len(added) != 0, c.adds != "" && len(added) != 1:
			t.Errorf("%s added %+v", c.command, added)
		case c.adds != "" && (added[0].Action != c.adds || added[0].Actor != operator || !added[0].Verify()):
			t.Errorf("%s added %+v", c.command, added[0])
		}
	}
	for _, command := range ledgerCommands(t) {
		if !covered[command] && command != "serve" && command != "worker" {
			t.Errorf("this test does not cover %s", command)
		}
	}
}

// ledgerCommands lists the commands that open a server's database.
func ledgerCommands(t *testing.T) (out []string) {
	t.Helper()
	k, err := kong.New(&grammar{}, kong.NoDefaultHelp())
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range k.Model.Leaves(false) {
		if leaf.Target.FieldByName("Server").IsValid() {
			out = append(out, strings.TrimPrefix(leaf.FullPath(), k.Model.Name+" "))
		}
	}
	if len(out) < 9 {
		t.Fatalf("found only %v", out)
	}
	return out
}
