package smtp_test

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/smtp"
	"github.com/lectern-docs/lectern/internal/testkit/smtpserver"
)

const to = "reader.of.mail@example.com"

func settings(s *smtpserver.Server) smtp.Settings {
	return smtp.Settings{Host: smtpserver.Host, Port: s.Port, TLS: smtp.StartTLS, Roots: s.Roots,
		From: "Docs <lectern@example.com>", Timeout: time.Minute}
}

func message() smtp.Message {
	return smtp.Message{ID: "ml_1", To: to, Subject: "Hello", Text: "plain", HTML: "<p>html</p>", Date: time.Unix(1, 0)}
}

// failed sends a message that must be refused, and returns the error.
func failed(t *testing.T, s smtp.Settings) *smtp.Error {
	t.Helper()
	err := smtp.New(s).Send(t.Context(), message())
	var e *smtp.Error
	if !errors.As(err, &e) {
		t.Fatalf("the email was not refused: %v", err)
	}
	for _, text := range []string{e.Error(), e.Public(), e.Hint(), e.Reply} {
		if strings.Contains(text, "reader.of.mail") {
			t.Errorf("an error contains the address: %s", text)
		}
	}
	return e
}

func parse(t *testing.T, m smtpserver.Mail) *mail.Message {
	t.Helper()
	p, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMessageArrivesAsTextAndHTML(t *testing.T) {
	for mode, o := range map[string]smtpserver.Options{smtp.StartTLS: {User: "u", Password: "p"},
		smtp.Implicit: {Implicit: true, User: "u", Password: "p"}, smtp.None: {Plain: true}} {
		t.Run(mode, func(t *testing.T) {
			server := smtpserver.Start(t, o)
			s := settings(server)
			s.TLS, s.User, s.Password, s.ReplyTo = mode, o.User, o.Password, "help@example.com"
			if err := smtp.New(s).Send(t.Context(), message()); err != nil {
				t.Fatal(err)
			}
			m := server.Wait(t)
			p := parse(t, m)
			h := p.Header
			if m.From != "lectern@example.com" || m.To != to || h.Get("Message-ID") != "<ml_1@example.com>" ||
				h.Get("Reply-To") != "<help@example.com>" || h.Get("From") != `"Docs" <lectern@example.com>` ||
				h.Get("Auto-Submitted") != "auto-generated" || h.Get("Subject") != "Hello" {
				t.Errorf("the email is from %s to %s with the header %v", m.From, m.To, h)
			}
			body, err := io.ReadAll(p.Body)
			if err != nil || !strings.Contains(string(body), "plain") || !strings.Contains(string(body), "<p>html</p>") ||
				!strings.HasPrefix(h.Get("Content-Type"), "multipart/alternative") {
				t.Errorf("the email is %s (%v)", body, err)
			}
		})
	}
}

// Line breaks in names and addresses never create a header.
func TestHeadersCannotBeInjected(t *testing.T) {
	server := smtpserver.Start(t, smtpserver.Options{})
	c := smtp.New(settings(server))
	for name, m := range map[string]smtp.Message{
		"subject": {ID: "ml_1", To: to, Subject: "Hello\r\nBcc: other@example.com"},
		"id":      {ID: "ml_1>\r\nBcc: other@example.com", To: to, Subject: "x"},
		"address": {ID: "ml_1", To: to + "\r\nBcc: other@example.com", Subject: "x"},
		"several": {ID: "ml_1", To: to + ", other@example.com", Subject: "x"},
	} {
		var e *smtp.Error
		if err := c.Send(t.Context(), m); !errors.As(err, &e) || !e.Permanent || e.Stage != smtp.Content {
			t.Errorf("%s: %v", name, err)
		}
	}
	if server.Waiting() != 0 || server.Sessions() != 0 {
		t.Error("an email was sent")
	}
	odd := message()
	odd.Subject = strings.Repeat("\u2068שלום\u2069 & <b> \"=?utf-8?q?x?=\" ", 20)
	if err := c.Send(t.Context(), odd); err != nil {
		t.Fatal(err)
	}
	raw := server.Wait(t)
	got, err := new(mime.WordDecoder).DecodeHeader(parse(t, raw).Header.Get("Subject"))
	if err != nil || got != odd.Subject {
		t.Errorf("the subject arrived as %q (%v)", got, err)
	}
	for line := range strings.Lines(raw.Raw) {
		if len(line) > 1000 {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
}

func TestErrorsNameTheFailedStage(t *testing.T) {
	refusing := func(step string, code int) func(string, string) error {
		return func(at, address string) error {
			if at == step {
				return smtpserver.Reply(code, "no <"+address+"> here")
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		o         smtpserver.Options
		change    func(*smtp.Settings)
		stage     smtp.Stage
		words     string
		permanent bool
	}{
		"name": {change: func(s *smtp.Settings) { s.Host = "mail.invalid" }, stage: smtp.Resolve,
			words: "mail.invalid of the mail server could not be resolved"},
		"refused": {change: func(s *smtp.Settings) { s.Port = closedPort(t) }, stage: smtp.Connect, words: "nothing listens at"},
		"silent": {change: func(s *smtp.Settings) { s.Port, s.Timeout = smtpserver.Silent(t), 200*time.Millisecond },
			stage: smtp.Connect, words: "did not answer within 200ms"},
		"silent with TLS": {change: func(s *smtp.Settings) {
			s.Port, s.Timeout, s.TLS = smtpserver.Silent(t), 200*time.Millisecond, smtp.Implicit
		}, stage: smtp.Connect, words: "did not answer within 200ms"},
		"dropping":            {change: func(s *smtp.Settings) { s.Port = smtpserver.Dropping(t) }, stage: smtp.Connect, words: "closed the connection"},
		"other name":          {o: smtpserver.Options{CertName: "other.example.com"}, stage: smtp.Encrypt, words: "not for the name localhost"},
		"unknown authority":   {change: func(s *smtp.Settings) { s.Roots = nil }, stage: smtp.Encrypt, words: "unknown authority"},
		"no STARTTLS":         {o: smtpserver.Options{Plain: true}, stage: smtp.Encrypt, words: "does not offer STARTTLS"},
		"no implicit TLS":     {change: func(s *smtp.Settings) { s.TLS = smtp.Implicit }, stage: smtp.Encrypt, words: "does not use TLS"},
		"password":            {o: smtpserver.Options{User: "u", Password: "p"}, change: user("u", "wrong"), stage: smtp.SignIn, words: "refused the user name or password: 535"},
		"no authentication":   {change: user("u", "p"), stage: smtp.SignIn, words: "no sign-in method"},
		"sender":              {o: smtpserver.Options{Refuse: refusing("mail", 550)}, stage: smtp.Sender, words: "refused the sender: 550 5.1.1 no <(address)> here"},
		"recipient":           {o: smtpserver.Options{Refuse: refusing("rcpt", 550)}, stage: smtp.Recipient, words: "refused the recipient: 550 5.1.1 no <(address)> here", permanent: true},
		"recipient for now":   {o: smtpserver.Options{Refuse: refusing("rcpt", 451)}, stage: smtp.Recipient, words: "451 4.1.1"},
		"message":             {o: smtpserver.Options{Refuse: refusing("data", 554)}, stage: smtp.Data, words: "refused the message: 554 5.1.1", permanent: true},
		"message for now":     {o: smtpserver.Options{Refuse: refusing("data", 452)}, stage: smtp.Data, words: "452 4.1.1"},
		"without a signature": {change: func(s *smtp.Settings) { s.From = "no address" }, stage: smtp.Content, permanent: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := smtpserver.Start(t, c.o)
			s := settings(server)
			if c.change != nil {
				c.change(&s)
			}
			e := failed(t, s)
			if e.Stage != c.stage || e.Permanent != c.permanent || !strings.Contains(e.Error(), c.words) || e.Public() == "" {
				t.Errorf("stage %s, permanent %v: %v", e.Stage, e.Permanent, e)
			}
			// A check fails like sending, up to the point where it stops.
			var checked *smtp.Error
			switch err := smtp.New(s).Check(t.Context()); c.stage {
			case smtp.Content, smtp.Sender, smtp.Recipient, smtp.Data:
				if err != nil {
					t.Errorf("the check fails: %v", err)
				}
			default:
				if !errors.As(err, &checked) || checked.Stage != c.stage || !strings.Contains(err.Error(), c.words) {
					t.Errorf("the check returns %v", err)
				}
			}
			if server.Waiting() != 0 {
				t.Error("an email was sent")
			}
		})
	}
}

func TestCheckAuthenticatesWithoutSending(t *testing.T) {
	for mode, o := range map[string]smtpserver.Options{smtp.StartTLS: {User: "u", Password: "p"},
		smtp.Implicit: {Implicit: true, User: "u", Password: "p"}, smtp.None: {Plain: true}} {
		server := smtpserver.Start(t, o)
		s := settings(server)
		s.TLS, s.User, s.Password = mode, o.User, o.Password
		if err := smtp.New(s).Check(t.Context()); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if server.Sessions() == 0 || server.Waiting() != 0 {
			t.Errorf("%s: %d sessions, %d emails", mode, server.Sessions(), server.Waiting())
		}
	}
}

func user(name, password string) func(*smtp.Settings) {
	return func(s *smtp.Settings) { s.User, s.Password = name, password }
}

func closedPort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// A password is never sent to another machine without TLS. The server is on this machine, under a name that the library
// does not recognize as local.
func TestPasswordNeedsTLS(t *testing.T) {
	server := smtpserver.Start(t, smtpserver.Options{Plain: true, User: "u", Password: "p"})
	s := settings(server)
	s.TLS, s.Host, s.User, s.Password = smtp.None, "LOCALHOST", "u", "p"
	if e := failed(t, s); e.Stage != smtp.SignIn || !strings.Contains(e.Error(), "without TLS") {
		t.Errorf("stage %s: %v", e.Stage, e)
	}
}

// A server that is stopping does not wait for an unresponsive mail server.
func TestSendEndsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := smtp.Settings{Host: "127.0.0.1", Port: smtpserver.Silent(t), TLS: smtp.StartTLS, From: "a@example.com", Timeout: time.Hour}
	ended := make(chan error, 1)
	go func() { ended <- smtp.New(s).Send(ctx, message()) }()
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the email was sent")
		}
	case <-time.After(time.Minute):
		t.Fatal("Send has not returned")
	}
}
