package e2e

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// An email that waits for the mail server is not lost when Lectern is killed. The log contains neither its link nor its
// recipient, and its links point to the public address.
func TestQueuedEmailSurvivesServerKill(t *testing.T) {
	t.Parallel()
	mail := smtpserver.Start(t, smtpserver.Options{User: "lectern", Password: "a secret of mails",
		Refuse: func(step, _ string) error {
			if step == "rcpt" {
				return smtpserver.Reply(451, "come back later")
			}
			return nil
		}})
	data := t.TempDir()
	start := func() *process {
		return serve(t, data, []string{"LECTERN_MAIL_PASSWORD=a secret of mails"}, "--first-site", "off",
			"--public-url", "https://lectern.example.com", "--mail-host", smtpserver.Host, "--mail-port", strconv.Itoa(mail.Port),
			"--mail-user", "lectern", "--mail-from", "lectern@example.com", "--mail-ca-file", mail.CAFile)
	}
	p := start()
	key := command(t, nil, "keys", "create", "--data", data, "--scope", "read,write,admin")
	c := p.client(key)
	made, err := c.CreateInvitation(background(), client.CreateInvitation{Email: "reader.of.mail@example.com", Role: "editor"})
	if err != nil || made.Mail == nil || made.Mail.State != "queued" ||
		!strings.HasPrefix(made.URL, "https://lectern.example.com/dashboard/join?token=") {
		t.Fatalf("%+v (error %v)", made, err)
	}
	state := func() client.InvitationMail {
		list, err := c.ListInvitations(background())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list.Invitations { // the list includes the first owner's link, for which no email is sent
			if i.InvitationID == made.InvitationID && i.Mail != nil {
				return *i.Mail
			}
		}
		t.Fatalf("the invitation has no email: %+v", list)
		panic("unreachable")
	}
	p.Await("a first attempt, and its reason in the log", func() bool {
		s := state()
		return s.State == "queued" && s.Error != nil && strings.Contains(p.Output(), "come back later")
	})
	p.Kill()
	mail.SetRefuse(nil)
	second := start()
	c = second.client(key)
	m := mail.Wait(t)
	text := strings.ReplaceAll(strings.ReplaceAll(m.Raw, "=\r\n", ""), "=3D", "=")
	if !strings.Contains(text, made.URL) || m.To != "reader.of.mail@example.com" {
		t.Errorf("the email is %s", m.Raw)
	}
	second.Await("the end of the email", func() bool { return state().State == "sent" })
	if mail.Waiting() != 0 {
		t.Error("it was sent twice")
	}
	token := regexp.MustCompile(`token=(.+)$`).FindStringSubmatch(made.URL)[1]
	for _, secret := range []string{token, "reader.of.mail", "a secret of mails"} {
		if strings.Contains(p.Output()+second.Output(), secret) {
			t.Errorf("the log contains %s", secret)
		}
	}
}
