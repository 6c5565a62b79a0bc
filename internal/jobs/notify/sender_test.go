package notify_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	domain "github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/notify"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const public = "https://lectern.example.com"

var master = bytes.Repeat([]byte("m"), 32)

// rig is a worker that sends emails from a real database through a real mail server.
type rig struct {
	*testing.T
	store  *store.Store
	clock  *worktest.Clock
	log    *worktest.Log
	server *smtpserver.Server
	sender *notify.Sender
	pool   *worker.Pool
	org    account.Organization
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)), log: &worktest.Log{}}
	var err error
	r.store, err = store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")),
		Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	r.ok(err)
	t.Cleanup(func() { _ = r.store.Close() })
	r.server = smtpserver.Start(t, smtpserver.Options{User: "u", Password: "p"})
	r.sender = &notify.Sender{Store: r.store, PublicURL: public, Masters: [][]byte{master}, Rand: rand.Reader,
		Now: r.clock.Now, Lease: time.Minute}
	r.use(r.server.Port)
	r.pool = &worker.Pool{Tasks: r.store, Owner: "w", Lease: time.Minute, Heartbeat: time.Second, Mails: 1, Now: r.clock.Now,
		Logger: slog.New(slog.NewTextHandler(r.log, nil)), Handlers: map[task.Kind]worker.Handler{task.Mail: r.sender},
		Outages: map[task.Kind]task.Outage{task.Mail: {Limit: domain.GiveUp, Longest: task.LongestMailPause}},
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	r.tx(func(tx *store.Tx) (err error) {
		r.org, err = tx.CreateOrganization(t.Context(), "Acme", account.PlanFree)
		return err
	})
	return r
}

// use makes the rig send to the mail server at a port.
func (r *rig) use(port int) {
	r.sender.Server = smtp.New(smtp.Settings{Host: smtpserver.Host, Port: port, User: "u", Password: "p", TLS: smtp.StartTLS,
		Roots: r.server.Roots, From: "lectern@example.com", Timeout: time.Minute})
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) tx(do func(*store.Tx) error) { r.Helper(); r.ok(r.store.Tx(r.Context(), do)) }

// work sends the next mail.
func (r *rig) work() { r.Helper(); r.ok(r.pool.Work(r.Context(), task.Mails)) }

// invite queues an invitation email, and returns it and the secret of its link.
func (r *rig) invite(email, by string) (domain.Mail, string) {
	r.Helper()
	token := account.NewToken(rand.Reader)
	var m domain.Mail
	r.tx(func(tx *store.Tx) error {
		i, err := tx.CreateInvitation(r.Context(), account.Invitation{OrganizationID: r.org.ID, Kind: account.InviteJoin,
			Email: email, Role: account.RoleEditor, Hash: account.TokenHash(token), CreatedBy: by,
			ExpiresAt: r.clock.Now().Add(10 * 24 * time.Hour)})
		if err != nil {
			return err
		}
		m, err = tx.QueueMail(r.Context(), domain.Mail{OrganizationID: r.org.ID, Kind: domain.Invitation, To: email,
			InvitationID: i.ID, Sealed: domain.SealToken(master, rand.Reader, i.ID, token)})
		return err
	})
	return m, token
}

func (r *rig) person(email, hash string, role account.Role) (m account.Member) {
	r.Helper()
	r.tx(func(tx *store.Tx) (err error) {
		if _, err = tx.CreatePerson(r.Context(), account.Person{Email: email, PasswordHash: hash}); err != nil {
			return err
		}
		m, err = tx.AddMember(r.Context(), r.org.ID, email, role)
		return err
	})
	return m
}

func (r *rig) find(m domain.Mail) domain.Mail {
	r.Helper()
	found, err := r.store.FindMail(r.Context(), m.ID)
	r.ok(err)
	return found
}

// read returns the headers, the subject and both forms of an email.
func (r *rig) read(m smtpserver.Mail) (h mail.Header, subject, text, html string) {
	r.Helper()
	p, err := mail.ReadMessage(strings.NewReader(m.Raw))
	r.ok(err)
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
	r.ok(err)
	parts := multipart.NewReader(p.Body, params["boundary"])
	var forms []string
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		r.ok(err)
		if part.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			r.Fatalf("a part is %v", part.Header)
		}
		raw, err := io.ReadAll(quotedprintable.NewReader(part))
		r.ok(err)
		forms = append(forms, strings.ReplaceAll(string(raw), "\r\n", "\n"))
	}
	subject, err = new(mime.WordDecoder).DecodeHeader(p.Header.Get("Subject"))
	r.ok(err)
	if len(forms) != 2 {
		r.Fatalf("the email has %d forms", len(forms))
	}
	return p.Header, subject, forms[0], forms[1]
}

func TestInvitationIsSent(t *testing.T) {
	r := newRig(t)
	by := r.person("owner@example.com", "x", account.RoleOwner)
	m, token := r.invite("new@example.com", by.ID)
	r.work()
	got := r.server.Wait(t)
	h, subject, text, html := r.read(got)
	link := public + "/dashboard/join?token=" + token
	if got.To != "new@example.com" || subject != "Invitation to Acme" || h.Get("Message-ID") != "<"+m.ID+"@example.com>" {
		t.Errorf("the email to %s is about %q: %v", got.To, subject, h)
	}
	for name, form := range map[string]string{"text": text, "html": html} {
		if !strings.Contains(form, link) || !strings.Contains(form, "owner@example.com invited you") {
			t.Errorf("the %s is %s", name, form)
		}
	}
	if found := r.find(m); found.State != domain.Sent || found.Sealed != "" {
		t.Errorf("the email is %+v", found)
	}
	for _, secret := range []string{token, "new@example.com", "owner@example.com"} {
		if strings.Contains(r.log.String(), secret) {
			t.Errorf("the log contains %s", secret)
		}
	}
}

// Whatever an organization's name, the email has one subject on one line, and no additional headers or links.
func TestHostileNamesCannotInjectHeadersOrLinks(t *testing.T) {
	for _, name := range []string{"A\r\nBcc: x@example.com\r\n\r\nbody", "\u202Emoc.elpmaxe\u202C \u2066x", strings.Repeat("long ", 200),
		`<a href="https://evil.example">click</a>`, "visit https://evil.example/now and www.evil.example", "שלום עולם", "\x00\xff"} {
		r := newRig(t)
		r.tx(func(tx *store.Tx) (err error) {
			r.org, err = tx.CreateOrganization(t.Context(), strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), ""), account.PlanFree)
			return err
		})
		r.invite("new@example.com", "key_x")
		r.work()
		got := r.server.Wait(t)
		h, subject, text, html := r.read(got)
		if len(h["Bcc"]) != 0 || got.To != "new@example.com" || len([]rune(subject)) > 90 || strings.ContainsAny(subject, "\r\n\u202e") {
			t.Errorf("%q: subject %q, header %v", name, subject, h)
		}
		if urls := regexp.MustCompile(`(https?://|www\.)[^\s"<]+`).FindAllString(text+html, -1); len(urls) == 0 ||
			strings.Contains(strings.Join(urls, " "), "evil") {
			t.Errorf("%q: links %v", name, urls)
		}
		if strings.Contains(html, `<a href="https://evil`) {
			t.Errorf("%q: %s", name, html)
		}
	}
}

// An email that could not be sent is retried, even after restarts, until the mail server works again; it fails after
// some days.
func TestMailIsRetriedUntilServerRecovers(t *testing.T) {
	r := newRig(t)
	m, token := r.invite("new@example.com", "key_x")
	r.use(smtpserver.Dropping(t))
	for range 30 {
		r.work()
		if found := r.find(m); found.State != domain.Queued || found.Error == "" || found.Sealed == "" {
			t.Fatalf("while the server is down: %+v", found)
		}
		r.clock.Advance(task.LongestMailPause)
	}
	r.use(r.server.Port)
	r.work()
	if _, _, text, _ := r.read(r.server.Wait(t)); !strings.Contains(text, token) || r.find(m).State != domain.Sent {
		t.Errorf("the email is %s", text)
	}
	lost, _ := r.invite("other@example.com", "key_x")
	r.server.SetRefuse(func(step, _ string) error {
		if step == "rcpt" {
			return smtpserver.Reply(451, "later, <other@example.com>")
		}
		return nil
	})
	r.work()
	r.clock.Advance(domain.GiveUp + time.Hour)
	r.work()
	if found := r.find(lost); found.State != domain.Failed || found.Error != "The mail server refused the email: 451 4.1.1 later, <(address)>" {
		t.Errorf("after days: %+v", found)
	}
	events, err := r.store.ListEvents(t.Context(), r.org.ID, 0, 100)
	r.ok(err)
	if last := events[len(events)-1]; last.Action != "mail.fail" || last.Target != lost.ID {
		t.Errorf("the last event is %+v", last)
	}
	if strings.Contains(r.log.String(), "@example.com") {
		t.Errorf("the log contains an address: %s", r.log)
	}
}

func TestRejectedMailFailsAtOnce(t *testing.T) {
	r := newRig(t)
	m, _ := r.invite("new@example.com", "key_x")
	r.server.SetRefuse(func(step, address string) error {
		if step == "rcpt" {
			return smtpserver.Reply(550, "no such user "+address)
		}
		return nil
	})
	r.work()
	if found := r.find(m); found.State != domain.Failed || found.Error != "The mail server refused the email: 550 5.1.1 no such user (address)" {
		t.Errorf("%+v", found)
	}
}

// If a worker dies after the mail server accepted an email but before that was recorded, the email is sent again with
// the same id.
func TestResentMailKeepsItsID(t *testing.T) {
	r := newRig(t)
	r.person("a@example.com", "x", account.RoleEditor)
	r.tx(func(tx *store.Tx) error { return tx.QueueReset(t.Context(), "a@example.com") })
	taken, ok, err := r.store.TakeTask(t.Context(), "dead", time.Minute, false, task.Mail)
	if err != nil || !ok {
		t.Fatal(err)
	}
	r.sender.Server = diesAfter{r.sender.Server}
	if err := r.sender.Run(t.Context(), task.Hold{TaskID: taken.ID, Fence: taken.Fence}); err == nil {
		t.Fatal("the send did not fail")
	}
	first := r.server.Wait(t)
	r.use(r.server.Port)
	r.clock.Advance(2 * time.Minute)
	if requeued, err := r.store.RequeueLapsed(t.Context()); err != nil || len(requeued) != 1 {
		t.Fatal(requeued, err)
	}
	r.work()
	second := r.server.Wait(t)
	h1, _, text1, _ := r.read(first)
	h2, _, text2, _ := r.read(second)
	if h1.Get("Message-ID") != h2.Get("Message-ID") || text1 != text2 || h1.Get("Date") != h2.Get("Date") {
		t.Errorf("the emails differ:\n%s\n%s", text1, text2)
	}
}

// diesAfter returns an error after the email was sent.
type diesAfter struct{ notify.Server }

func (d diesAfter) Send(ctx context.Context, m smtp.Message) error {
	if err := d.Server.Send(ctx, m); err != nil {
		return err
	}
	return io.ErrClosedPipe
}

func TestRevokedInvitationIsNotSent(t *testing.T) {
	r := newRig(t)
	m, _ := r.invite("new@example.com", "key_x")
	r.tx(func(tx *store.Tx) error {
		_, err := tx.RevokeInvitation(t.Context(), r.org.ID, m.InvitationID)
		return err
	})
	r.work()
	if found := r.find(m); found.State != domain.Dropped || r.server.Waiting() != 0 {
		t.Errorf("%+v", found)
	}
}

// Only members with a password get a link; nothing is stored about other addresses.
func TestResetIsSentToMembersWithAPassword(t *testing.T) {
	r := newRig(t)
	r.person("a@example.com", "x", account.RoleEditor)
	r.person("sso@example.com", "", account.RoleEditor)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.CreatePerson(t.Context(), account.Person{Email: "stranger@example.com", PasswordHash: "x"})
		return err
	})
	for _, email := range []string{"nobody@example.com", "sso@example.com", "stranger@example.com", "a@example.com"} {
		r.tx(func(tx *store.Tx) error { return tx.QueueReset(t.Context(), email) })
		r.work()
	}
	got := r.server.Wait(t)
	_, subject, text, _ := r.read(got)
	token := regexp.MustCompile(regexp.QuoteMeta(public+account.NewPasswordPath) + `\?token=(\S+)`).FindStringSubmatch(text)
	if got.To != "a@example.com" || subject != "Choose a new password" || token == nil || r.server.Waiting() != 0 {
		t.Fatalf("the email to %s: %s", got.To, text)
	}
	i, err := r.store.FindInvitation(t.Context(), account.TokenHash(token[1]))
	if err != nil || i.Email != "a@example.com" || i.Kind != account.InvitePassword || i.CreatedBy != account.ByThemself ||
		!i.ExpiresAt.Equal(r.clock.Now().Add(domain.ResetLife)) {
		t.Errorf("the link is %+v (error %v)", i, err)
	}
	list, err := r.store.ListMails(t.Context(), r.org.ID)
	if err != nil || len(list) != 1 {
		t.Errorf("kept %+v (error %v)", list, err)
	}
}

// A link that could not be sent before it expired is not sent later.
func TestExpiredResetIsNotSent(t *testing.T) {
	r := newRig(t)
	r.person("a@example.com", "x", account.RoleEditor)
	r.tx(func(tx *store.Tx) error { return tx.QueueReset(t.Context(), "a@example.com") })
	r.use(smtpserver.Dropping(t))
	r.work()
	r.use(r.server.Port)
	r.clock.Advance(domain.ResetLife)
	r.work()
	list, err := r.store.ListMails(t.Context(), r.org.ID)
	if err != nil || len(list) != 1 || list[0].State != domain.Failed || r.server.Waiting() != 0 {
		t.Errorf("%+v (error %v)", list, err)
	}
}
