package deliver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// W1: chat messages are signed like messages for programs, and use current names.
func TestChatMessagesDescribeEvents(t *testing.T) {
	for format, begins := range map[endpoint.Format]string{endpoint.Slack: `{"text":"`, endpoint.Teams: `{"type":"message",`} {
		r, in := newRig(t), newReceiver(t)
		var p project.Project
		r.tx(func(tx *store.Tx) (err error) {
			p, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: r.org.ID, Name: "Handbook",
				Source: project.Source{Path: "/x"}, Domains: []string{"docs.localhost"}})
			return err
		})
		e, secret := r.stored(endpoint.Endpoint{OrganizationID: r.org.ID, URL: in.URL, Format: format})
		r.record(r.org, "deployment.fail", "dep_"+strings.Repeat("a", 26), map[string]string{"project": p.ID, "branch": "main"})
		r.work()
		g := in.taken()[0]
		if !strings.HasPrefix(g.body, begins) || !strings.Contains(g.body, "of Handbook on branch main") ||
			!strings.Contains(g.body, public+"/dashboard/deployments/dep_a") || !json.Valid([]byte(g.body)) {
			t.Errorf("%s: %s", format, g.body)
		}
		if g.header.Get("Webhook-Signature") != signature(t, secret, g) || g.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v", format, g.header)
		}
		if d := r.deliveries(e)[0]; d.State != endpoint.Delivered {
			t.Errorf("%s: %+v", format, d)
		}
	}
}

// W2: Slack's response for a removed webhook turns the endpoint off; the same text from another receiver, and other
// errors from Slack, do not.
func TestRemovedSlackWebhookIsTurnedOff(t *testing.T) {
	for _, c := range []struct {
		format endpoint.Format
		status int
		says   string
		off    bool
	}{{endpoint.Slack, 404, "no_service", true}, {endpoint.Slack, 403, "team_disabled\n", true}, {endpoint.Slack, 410, "", true},
		{endpoint.Slack, 404, "<html>not found", false}, {endpoint.Slack, 200, "no_service", false},
		{endpoint.Slack, 400, "invalid_payload", false}, {endpoint.Standard, 404, "no_service", false}} {
		r, in := newRig(t), newReceiver(t)
		in.set(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.says)
		})
		e, _ := r.stored(endpoint.Endpoint{OrganizationID: r.org.ID, URL: in.URL, Format: c.format})
		r.record(r.org, "key.create", "key_b", nil)
		r.work()
		if found := r.find(e); found.Enabled == c.off || c.off && found.OffReason != endpoint.Gone {
			t.Errorf("%+v: %+v", c, found)
		}
	}
}

// mailRig returns a rig with a mail server and members, and an endpoint that emails key events to them.
func mailRig(t *testing.T, members ...string) (*rig, *smtpserver.Server, endpoint.Endpoint) {
	t.Helper()
	r, server := newRig(t), smtpserver.Start(t, smtpserver.Options{User: "u", Password: "p"})
	r.sender.Mail = smtp.New(smtp.Settings{Host: smtpserver.Host, Port: server.Port, User: "u", Password: "p",
		TLS: smtp.StartTLS, Roots: server.Roots, From: "lectern@example.com", Timeout: time.Minute})
	for _, one := range members {
		r.tx(func(tx *store.Tx) error {
			_, err := tx.AddMember(t.Context(), r.org.ID, one, account.RoleEditor)
			return err
		})
	}
	e, _ := r.stored(endpoint.Endpoint{OrganizationID: r.org.ID, Format: endpoint.Mail, Recipients: members,
		Events: []string{"key.*"}})
	return r, server, e
}

// Each recipient has a separate delivery, so that a rejected address does not delay the others. Line breaks in names
// do not inject headers.
func TestMembersReceiveEventsByMail(t *testing.T) {
	r, server, e := mailRig(t, "a@example.com", "b@example.com")
	server.SetRefuse(func(step, address string) error {
		if step == "rcpt" && address == "b@example.com" {
			return smtpserver.Reply(550, "no such user")
		}
		return nil
	})
	r.record(r.org, "key.create", "key_b", map[string]string{"label": "x\r\nBcc: evil@example.com"})
	r.work()
	r.work()
	got := server.Wait(t)
	m, err := mail.ReadMessage(strings.NewReader(got.Raw))
	r.ok(err)
	if got.To != "a@example.com" || m.Header.Get("Bcc") != "" ||
		!strings.Contains(m.Header.Get("Subject"), "created the API key x Bcc: evil@example.com") || server.Waiting() != 0 {
		t.Errorf("to %s: %v", got.To, m.Header)
	}
	for _, d := range r.deliveries(e) {
		want := map[string]endpoint.State{"a@example.com": endpoint.Delivered, "b@example.com": endpoint.Failed}[d.Recipient]
		if d.State != want || d.Attempts != 1 || d.State == endpoint.Failed && !strings.Contains(d.Error, "no such user") {
			t.Errorf("%+v", d)
		}
		if d.State == endpoint.Delivered && !strings.Contains(m.Header.Get("Message-ID"), d.ID) {
			t.Errorf("%s has the id %s", d.ID, m.Header.Get("Message-ID"))
		}
	}
}

// Former members get no mail, not even for events queued before they left.
func TestFormerMemberGetsNoMail(t *testing.T) {
	r, server, e := mailRig(t, "a@example.com")
	r.record(r.org, "key.create", "key_b", nil)
	m, err := r.store.FindMemberByEmail(t.Context(), r.org.ID, "a@example.com")
	r.ok(err)
	r.tx(func(tx *store.Tx) error { return tx.RemoveMember(t.Context(), m) })
	r.work()
	if d := r.deliveries(e)[0]; d.State != endpoint.Failed || !strings.Contains(d.Error, "no longer belongs to a member") || server.Waiting() != 0 {
		t.Errorf("%+v", d)
	}
}

// Just like for any receiver, deliveries are retried while the mail server is unavailable or the worker has no mail
// server configured.
func TestMailIsRetriedUntilServerIsAvailable(t *testing.T) {
	r, server, e := mailRig(t, "a@example.com")
	known := r.sender.Mail
	r.sender.Mail = nil
	r.record(r.org, "key.create", "key_b", nil)
	r.work()
	d := r.deliveries(e)[0]
	if d.State != endpoint.Queued || d.NextAt == nil || d.Error != "No mail server is configured." {
		t.Fatalf("%+v", d)
	}
	server.SetRefuse(func(step, _ string) error {
		if step == "rcpt" {
			return smtpserver.Reply(451, "come back later")
		}
		return nil
	})
	r.sender.Mail = known
	r.clock.Advance(d.NextAt.Sub(r.clock.Now()))
	r.work()
	if d = r.deliveries(e)[0]; d.State != endpoint.Queued || d.Attempts != 2 || !strings.Contains(d.Error, "come back later") {
		t.Fatalf("%+v", d)
	}
	server.SetRefuse(nil)
	r.clock.Advance(d.NextAt.Sub(r.clock.Now()))
	r.work()
	if d = r.deliveries(e)[0]; d.State != endpoint.Delivered || server.Waiting() != 1 {
		t.Errorf("%+v", d)
	}
}

// A mailbox that rejects mail, for however long, does not turn the endpoint off: other recipients may be added later.
func TestRejectedMailDoesNotDisableEndpoint(t *testing.T) {
	r, server, e := mailRig(t, "b@example.com")
	server.SetRefuse(func(step, _ string) error {
		if step == "rcpt" {
			return smtpserver.Reply(550, "no such user")
		}
		return nil
	})
	for range 2 {
		r.record(r.org, "key.create", "key_b", nil)
		r.work()
		r.clock.Advance(endpoint.FailingLimit + time.Hour)
	}
	if found, all := r.find(e), r.deliveries(e); !found.Enabled || found.FailingSince != nil || len(all) != 2 ||
		all[0].State != endpoint.Failed {
		t.Errorf("%+v, %+v", found, all)
	}
}

// A recipient removed from an endpoint gets no mail, not even for events queued before.
func TestRemovedRecipientGetsNoMail(t *testing.T) {
	r, server, e := mailRig(t, "a@example.com", "b@example.com")
	r.record(r.org, "key.create", "key_b", nil)
	e = r.find(e)
	e.Recipients = []string{"a@example.com"}
	r.tx(func(tx *store.Tx) error {
		_, err := tx.UpdateEndpoint(t.Context(), e)
		return err
	})
	r.work()
	r.work()
	if server.Waiting() != 1 || server.Wait(t).To != "a@example.com" {
		t.Errorf("%d mails", server.Waiting())
	}
	for _, d := range r.deliveries(e) {
		if d.Recipient == "b@example.com" && (d.State != endpoint.Failed || !strings.Contains(d.Error, "no longer lists this address")) {
			t.Errorf("%+v", d)
		}
	}
}
