package cli

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// invited reads the link that a command printed as its only output, and finds its invitation.
func invited(t *testing.T, l *daemon.Ledger, a runResult, base string) account.Invitation {
	t.Helper()
	link, ok := strings.CutSuffix(a.stdout, "\n")
	u, err := url.Parse(link)
	if !ok || err != nil || !strings.HasPrefix(link, base+"?token=") {
		t.Fatalf("printed %q, want a link below %s", a.stdout, base)
	}
	token := u.Query().Get("token")
	i, err := l.Store.FindInvitation(t.Context(), account.TokenHash(token))
	if err != nil || !i.Open(time.Now()) || strings.Contains(a.stderr, token) {
		t.Fatalf("%+v %v\n%s", i, err, a.stderr)
	}
	return i
}

// addPerson creates an account.
func addPerson(t *testing.T, l *daemon.Ledger, email string) {
	t.Helper()
	if err := l.Store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreatePerson(t.Context(), account.Person{Email: email, PasswordHash: "x"})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestOrgInvitePrintsOnlyTheLink(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := invoke(t, "org", "invite", "--data", data).
		want(t, 0, "the person who opens it becomes owner of \"My organization\".", "It works once, until ")
	l := openLedger(t, data)
	if i := invited(t, l, a, "http://localhost:8080/dashboard/join"); i.Kind != account.InviteJoin || i.Email != "" ||
		i.Role != account.RoleOwner || time.Until(i.ExpiresAt) > account.OwnerLink || i.CreatedBy != "operator" {
		t.Errorf("%+v", i)
	}
	a = invoke(t, "org", "invite", "--data", data, "--listen", "0.0.0.0:9999", "--email", " Editor@Example.com",
		"--role", "editor").want(t, 0, "editor@example.com becomes editor")
	if i := invited(t, l, a, "http://localhost:9999/dashboard/join"); i.Email != "editor@example.com" ||
		i.Role != account.RoleEditor || time.Until(i.ExpiresAt) < 6*24*time.Hour {
		t.Errorf("%+v", i)
	}
	a = invoke(t, "LECTERN_PUBLIC_URL=https://lectern.example.com/", "org", "invite", "--data", data).want(t, 0)
	invited(t, l, a, "https://lectern.example.com/dashboard/join")
	invoke(t, "org", "invite", "--data", data, "--role", "king").want(t, 2, `Unknown role "king"`)
	invoke(t, "org", "invite", "--data", data, "--email", "x").want(t, 2, "e-mail address")
	invoke(t, "org", "invite", "--data", data, "--email", "a@example.com", "--password", "a@example.com").
		want(t, 2, "--email and --password")
	if help := invoke(t, "org", "invite", "--help").want(t, 0).stdout; !strings.Contains(help, "--public-url") ||
		!strings.Contains(help, "--listen") || strings.Contains(help, "--job-lease") {
		t.Error(help)
	}
}

// Links for one person are sent to that person if the settings contain a mail server. The server sends the email, which
// it reads from the database.
func TestOrgInviteQueuesAMail(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	post := smtpserver.Start(t, smtpserver.Options{})
	invite := func(args ...string) runResult {
		return withMail(t, post, "a secret", append([]string{"org", "invite", "--data", data}, args...)...)
	}
	anyone := invite().want(t, 0)
	if strings.Contains(anyone.stderr, "by mail") {
		t.Errorf("a link for anyone: %s", anyone.stderr)
	}
	l := openLedger(t, data)
	without := invoke(t, "org", "invite", "--data", data, "--email", "first@example.com").want(t, 0)
	addPerson(t, l, "owner@example.com")
	invoke(t, "org", "members", "add", "owner@example.com", "--role", "owner", "--data", data).want(t, 0)
	const base = "https://lectern.example.com/dashboard/"
	sent := map[mail.Kind]account.Invitation{
		mail.Invitation: invited(t, l, invite("--email", "editor@example.com").want(t, 0, "It is also sent by mail."),
			base+"join"),
		mail.PasswordLink: invited(t, l, invite("--password", "owner@example.com").want(t, 0, "It is also sent by mail."),
			base+"new-password"),
	}
	for range sent {
		k, ok, err := l.Store.TakeTask(t.Context(), "w", time.Minute, false, task.Mail)
		if err != nil || !ok {
			t.Fatalf("no mail is queued: %v", err)
		}
		m, err := l.Store.FindMail(t.Context(), k.ID)
		i := sent[m.Kind]
		if err != nil || m.To != i.Email || m.InvitationID != i.ID || m.OrganizationID != i.OrganizationID {
			t.Errorf("queued %+v (%v) for %+v", m, err, i)
		}
		if token, ok := m.OpenToken([][]byte{l.Secrets.Current}); !ok || account.TokenHash(token) != i.Hash {
			t.Errorf("the email %s has another secret than its link", m.Kind)
		}
	}
	if k, more, err := l.Store.TakeTask(t.Context(), "w", time.Minute, false, task.Mail); more || err != nil {
		t.Errorf("%+v is queued too (%v), after %s", k, err, without.stdout)
	}
}

// The operator can let a person choose a new password. The logs of all organizations that the account can access record
// it.
func TestOrgInviteCreatesPasswordLink(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := invoke(t, "org", "members", "add", "owner@example.com", "--role", "owner", "--data", data).
		want(t, 0, "is now owner", "lectern org invite --email owner@example.com --role owner --organization org_")
	if !strings.HasPrefix(a.stdout, "mem_") {
		t.Errorf("printed %q", a.stdout)
	}
	invoke(t, "org", "invite", "--password", "owner@example.com", "--data", data).want(t, 4, "Account not found")
	l := openLedger(t, data)
	addPerson(t, l, "owner@example.com")
	second := strings.TrimSpace(invoke(t, "org", "create", "Second", "--data", data).want(t, 0).stdout)
	if a := invoke(t, "org", "members", "add", "Owner@example.com", "--role", "viewer", "--organization", second,
		"--data", data).want(t, 0); strings.Contains(a.stderr, "need a link") {
		t.Error(a.stderr)
	}
	a = invoke(t, "org", "invite", "--password", "owner@example.com", "--data", data).
		want(t, 0, "owner@example.com can set a new password.")
	if i := invited(t, l, a, "http://localhost:8080/dashboard/new-password"); i.Kind != account.InvitePassword ||
		i.Role != "" || i.OrganizationID == second {
		t.Errorf("%+v", i)
	}
	a = invoke(t, "org", "invite", "--password", "owner@example.com", "--organization", second, "--data", data).
		want(t, 0)
	if i := invited(t, l, a, "http://localhost:8080/dashboard/new-password"); i.OrganizationID != second {
		t.Errorf("%+v", i)
	}
	all, err := l.Store.ListOrganizations(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, o := range all {
		list, err := l.Store.FindEvents(t.Context(), o.ID, store.EventFilter{Action: "member.password_link"}, 0, 10)
		if err != nil || len(list) != 2 || list[0].Actor != operator || list[0].Data["email"] != "owner@example.com" {
			t.Errorf("%s: %+v %v", o.Name, list, err)
		}
	}
	invoke(t, "org", "invite", "--password", "owner@example.com", "--organization", "org_none", "--data", data).
		want(t, 4, "not a member")
	invoke(t, "org", "invite", "--email", "owner@example.com", "--organization", second, "--data", data).
		want(t, 5, "already belongs to a member", "--password owner@example.com")
}

// A leaked key may have created links to regain access: revoking the key also revokes its links, and the log records
// it.
func TestRevokingAKeyRevokesItsLinks(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	invoke(t, "keys", "create", "--label", "ci", "--data", data).want(t, 0)
	l := openLedger(t, data)
	all, err := l.Store.ListOrganizations(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	keys, _, err := l.Store.ListKeys(t.Context(), all[0].ID, store.Page{Limit: 10})
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	var made, kept account.Invitation
	if err := l.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		i := account.Invitation{OrganizationID: all[0].ID, Kind: account.InviteJoin, Email: "a@example.com",
			Role: account.RoleAdmin, Hash: "h1", CreatedBy: keys[0].ID, ExpiresAt: time.Now().Add(time.Hour)}
		if made, err = tx.CreateInvitation(t.Context(), i); err != nil {
			return err
		}
		i.Email, i.Hash, i.CreatedBy = "b@example.com", "h2", operator
		kept, err = tx.CreateInvitation(t.Context(), i)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	invoke(t, "keys", "revoke", keys[0].ID, "--data", data).want(t, 0, "was revoked")
	open, err := l.Store.ListInvitations(t.Context(), all[0].ID)
	if err != nil || len(open) != 1 || open[0].ID != kept.ID {
		t.Errorf("%+v %v", open, err)
	}
	list, err := l.Store.FindEvents(t.Context(), all[0].ID, store.EventFilter{Action: "invitation.revoke"}, 0, 10)
	if err != nil || len(list) != 1 || list[0].Target != made.ID || list[0].Actor != operator {
		t.Errorf("%+v %v", list, err)
	}
}
