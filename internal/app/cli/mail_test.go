package cli

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

// mailTest runs the command against a mail server.
func mailTest(t *testing.T, s *smtpserver.Server, password string, more ...string) runResult {
	t.Helper()
	return withMail(t, s, password, append([]string{"mail", "test", "--to", "reader@example.com"}, more...)...)
}

// withMail runs a command with the settings of a mail server; flags of the command take precedence.
func withMail(t *testing.T, s *smtpserver.Server, password string, command ...string) runResult {
	t.Helper()
	args := append([]string{"LECTERN_MAIL_PASSWORD=" + password}, command...)
	for flag, value := range map[string]string{"--data": t.TempDir(), "--public-url": "https://lectern.example.com",
		"--mail-host": smtpserver.Host, "--mail-port": strconv.Itoa(s.Port), "--mail-user": "lectern",
		"--mail-from": "lectern@example.com", "--mail-ca-file": s.CAFile} {
		if !slices.Contains(command, flag) {
			args = append(args, flag, value)
		}
	}
	return invoke(t, args...)
}

func TestMailTestSendsAMail(t *testing.T) {
	s := smtpserver.Start(t, smtpserver.Options{User: "lectern", Password: "a secret"})
	a := mailTest(t, s, "a secret").want(t, codeOK)
	if !strings.Contains(a.stdout, "accepted an email to reader@example.com") {
		t.Errorf("it says %s", a.stdout)
	}
	if m := s.Wait(t); m.To != "reader@example.com" || !strings.Contains(m.Raw, "Subject: Test mail from Lectern") {
		t.Errorf("the email is %+v", m)
	}
}

func TestMailTestReportsFailures(t *testing.T) {
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

func TestDoctorChecksTheMailServer(t *testing.T) {
	s := smtpserver.Start(t, smtpserver.Options{User: "lectern", Password: "a secret"})
	run := []string{"doctor", "--listen", "127.0.0.1:0", "--metrics-listen", "off", "--scripts", "off"}
	check := func(code int, password string, say string, more ...string) {
		t.Helper()
		a := withMail(t, s, password, append(run, more...)...)
		if a.code != code || !strings.Contains(a.stdout, say) || strings.Contains(a.stdout, password) {
			t.Errorf("exit code %d, want %d and %q:\n%s", a.code, code, say, a.stdout)
		}
	}
	check(codeOK, "a secret", "ok    mail           The mail server localhost accepts the user name and password.")
	check(codeFailed, "wrong secret", "fail  mail           No mail can be sent (auth): the mail server refused the user name or password: 535")
	check(codeFailed, "a secret", "does not use TLS on this port", "--mail-tls", "implicit")
	check(codeFailed, "a secret", "mail.ca-file", "--mail-ca-file", t.TempDir()+"/none.pem")
	if s.Waiting() != 0 {
		t.Error("an email was sent")
	}
}
