package cli

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// mailTest runs the command against a mail server at a port.
func mailTest(t *testing.T, s *smtpserver.Server, password string, more ...string) runResult {
	t.Helper()
	args := []string{"LECTERN_MAIL_PASSWORD=" + password, "mail", "test", "--to", "reader@example.com", "--data", t.TempDir(),
		"--public-url", "https://lectern.example.com", "--mail-host", smtpserver.Host, "--mail-port", strconv.Itoa(s.Port),
		"--mail-user", "lectern", "--mail-from", "lectern@example.com", "--mail-ca-file", s.CAFile}
	return invoke(t, append(args, more...)...)
}

func TestMailTestSendsAMail(t *testing.T) {
	s := smtpserver.Start(t, smtpserver.Options{User: "lectern", Password: "a secret"})
	a := mailTest(t, s, "a secret").want(t, codeOK)
	if !strings.Contains(a.stdout, "accepted a mail to reader@example.com") {
		t.Errorf("it says %s", a.stdout)
	}
	if m := s.Wait(t); m.To != "reader@example.com" || !strings.Contains(m.Raw, "Subject: Test mail from Lectern") {
		t.Errorf("the mail is %+v", m)
	}
}

func TestMailTestSaysWhatFails(t *testing.T) {
	s := smtpserver.Start(t, smtpserver.Options{User: "lectern", Password: "a secret"})
	mailTest(t, s, "wrong secret").want(t, codeFailed, "(auth)", "refused the user name or password: 535", "hint: Check mail.user")
	mailTest(t, s, "a secret", "--mail-host", "mail.invalid").want(t, codeFailed, "(dns)", "mail.invalid")
	mailTest(t, s, "a secret", "--mail-tls", "implicit").want(t, codeFailed, "(tls)", "does not use TLS on this port")
	other := smtpserver.Start(t, smtpserver.Options{CertName: "other.example.com"})
	mailTest(t, other, "a secret").want(t, codeFailed, "(tls)", "not for the name localhost")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	mailTest(t, s, "a secret", "--mail-port", strconv.Itoa(l.Addr().(*net.TCPAddr).Port)).
		want(t, codeFailed, "(connect)", "nothing listens at")
	s.SetRefuse(func(step, address string) error {
		if step == "rcpt" {
			return smtpserver.Reply(550, "no such user here")
		}
		return nil
	})
	mailTest(t, s, "a secret").want(t, codeFailed, "(recipient)", "550 5.1.1 no such user here")
	invoke(t, "mail", "test", "--to", "reader@example.com").want(t, codeUsage, "mail.host is not set")
	invoke(t, "mail", "test", "--to", "nobody").want(t, codeUsage, "must be an e-mail address")
}
