package dashboard_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/jobs/notify"
	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

const forgotPath = "/dashboard/forgot-password"

func withMail(p *parts) { p.API.Mail, p.SignIn.Mail, p.Dashboard.Mail = true, true, true }

// sendMail sends the oldest queued email.
func (r *rig) sendMail(server *smtpserver.Server) {
	r.t.Helper()
	k, ok, err := r.store.TakeTask(r.t.Context(), "w", lease, false, task.Mail)
	if err != nil || !ok {
		r.t.Fatalf("no mail is queued: %v", err)
	}
	s := &notify.Sender{Store: r.store, PublicURL: "https://lectern.example.com", Masters: [][]byte{master}, Rand: rand.Reader,
		Now: r.clock.Now, Lease: lease, Server: smtp.New(smtp.Settings{Host: smtpserver.Host, Port: server.Port,
			TLS: smtp.StartTLS, Roots: server.Roots, From: "lectern@example.com", Timeout: time.Minute})}
	h := task.Hold{TaskID: k.ID, Fence: k.Fence}
	if err := s.Run(r.t.Context(), h); err != nil {
		must(r.t, s.Fail(r.t.Context(), h, task.Failure{Sentence: "The mail server refused the email: 550 no such user"}))
	}
}

// A person replaces a forgotten password through a link in an email. The link uses the server's own address, whatever
// host the request was sent to.
func TestForgottenPasswordIsReplacedByMail(t *testing.T) {
	r := newRig(t, withMail)
	r.withPassword("owner")
	server := smtpserver.Start(t, smtpserver.Options{})
	if _, page := r.get("", "/dashboard/sign-in"); !strings.Contains(page, `href="`+forgotPath+`"`) ||
		strings.Contains(page, "lectern org invite --password") {
		t.Error("the sign-in page does not lead to it")
	}
	got := r.send("", http.MethodPost, forgotPath, url.Values{"email": {"Owner@example.com"}},
		func(q *http.Request) { q.Header.Set("X-Forwarded-Host", "evil.example") })
	if got.status != http.StatusOK || !strings.Contains(got.body, "an email with a link is on its way") {
		t.Fatalf("%d %s", got.status, got.body)
	}
	r.sendMail(server)
	raw := strings.ReplaceAll(strings.ReplaceAll(server.Wait(t).Raw, "=\r\n", ""), "=3D", "=")
	link := regexp.MustCompile(`https://lectern\.example\.com(/dashboard/new-password\?token=[A-Za-z0-9]{43})`).
		FindStringSubmatch(raw)
	if link == nil || strings.Contains(raw, "evil") || strings.Contains(raw, "127.0.0.1") {
		t.Fatalf("the email is %s", raw)
	}
	w := r.walker()
	w.open(link[1])
	w.is(http.StatusOK, "Choose a new password", "owner@example.com")
	w.send("/dashboard/new-password", "password", otherPassword)
	w.leads("/dashboard/?did=password-changed")
	if status, _ := r.get("owner", "/dashboard/account"); status != http.StatusSeeOther {
		t.Errorf("the earlier session still works: %d", status)
	}
	w = r.walker()
	w.open(link[1])
	w.is(http.StatusNotFound, "This link is not valid")
}

// The response is the same, byte for byte, whether or not the account exists.
func TestForgottenPasswordRevealsNoAccount(t *testing.T) {
	r := newRig(t, withMail)
	r.withPassword("owner")
	var bodies []string
	for _, email := range []string{"owner@example.com", "nobody@example.com", "viewer@example.com"} {
		got := r.send("", http.MethodPost, forgotPath, url.Values{"email": {email}})
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", email, got.status)
		}
		bodies = append(bodies, strings.ReplaceAll(got.body, email, "ADDRESS"))
	}
	if bodies[0] != bodies[1] || bodies[0] != bodies[2] {
		t.Errorf("the answers differ: %q", bodies)
	}
	if got := r.send("", http.MethodPost, forgotPath, url.Values{"email": {"none"}}); got.status != http.StatusBadRequest {
		t.Errorf("no address: %d", got.status)
	}
}

func TestPagesOfferNoMailWithoutAMailServer(t *testing.T) {
	r := newRig(t)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if got := r.send("", method, forgotPath, url.Values{"email": {"owner@example.com"}}); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", method, got.status)
		}
	}
	if _, page := r.get("admin", members); !strings.Contains(page, "the server does not send e-mail") {
		t.Error("the members page does not say that no mail is sent")
	}
}

func TestMembersPageShowsFailedMails(t *testing.T) {
	r := newRig(t, withMail)
	server := smtpserver.Start(t, smtpserver.Options{Refuse: func(step, address string) error {
		if strings.HasPrefix(address, "bad") {
			return smtpserver.Reply(550, "no such user")
		}
		return nil
	}})
	_, page := r.get("admin", members)
	if !strings.Contains(page, "The server sends them a link by e-mail") || strings.Contains(page, "does not send e-mail") {
		t.Error("the form does not say that email is sent")
	}
	for _, email := range []string{"good@example.com", "bad@example.com"} {
		status, page := r.post("admin", members+"/invite",
			url.Values{"email": {email}, "role": {"editor"}, "expiresInDays": {"3"}})
		if status != http.StatusOK || !strings.Contains(page, "The link is being sent to "+email) {
			t.Fatalf("%d %s", status, page)
		}
		linkOf(t, r, page, account.JoinPath)
		r.sendMail(server)
	}
	if _, page = r.get("admin", members); strings.Count(page, "The email could not be sent") != 1 ||
		!strings.Contains(page, "The email could not be sent: The mail server refused the email: 550 no such user") {
		t.Errorf("the page is %s", page)
	}
	if m := server.Wait(t); m.To != "good@example.com" {
		t.Errorf("an email to %s", m.To)
	}
	list, err := r.store.ListMails(t.Context(), r.a.org.ID)
	states := map[string]mail.State{}
	for _, m := range list { // both have the same time, so either can come first
		states[m.To] = m.State
	}
	if err != nil || len(list) != 2 || states["bad@example.com"] != mail.Failed || states["good@example.com"] != mail.Sent {
		t.Errorf("%+v (error %v)", list, err)
	}
}
