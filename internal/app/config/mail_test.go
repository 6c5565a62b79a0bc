package config

import "testing"

func TestMailSettingsMustBeConsistent(t *testing.T) {
	for name, c := range map[string]struct {
		key    string // "" = it is accepted
		change func(*Server)
	}{
		"all":                  {"", func(*Server) {}},
		"a sender with a name": {"", func(s *Server) { s.MailFrom = "Docs <docs@example.com>" }},
		"an address as host":   {"", func(s *Server) { s.MailHost = "192.0.2.1" }},
		"no mail":              {"", func(s *Server) { s.MailHost, s.MailFrom, s.PublicURL = "", "", "" }},
		"no public address":    {"public-url", func(s *Server) { s.PublicURL = "" }},
		"no sender":            {"mail.from", func(s *Server) { s.MailFrom = "" }},
		"a wrong sender":       {"mail.from", func(s *Server) { s.MailFrom = "docs" }},
		"a wrong reply":        {"mail.reply-to", func(s *Server) { s.MailReplyTo = "a@b@c" }},
		"a wrong host":         {"mail.host", func(s *Server) { s.MailHost = "smtp://example.com" }},
		"a wrong port":         {"mail.port", func(s *Server) { s.MailPort = 70000 }},
		"a wrong mode":         {"mail.tls", func(s *Server) { s.MailTLS = "ssl" }},
		"no time":              {"mail.timeout", func(s *Server) { s.MailTimeout = 0 }},
		"a sender alone":       {"mail.host", func(s *Server) { s.MailHost = "" }},
	} {
		s := Defaults()
		s.MailHost, s.MailFrom, s.PublicURL = "smtp.example.com", "docs@example.com", "https://lectern.example.com"
		c.change(&s)
		err := s.Validate()
		if c.key == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.key != "" {
			wantFault(t, err, "bad_setting", c.key, "")
		}
	}
}

func TestMailUserNeedsAPassword(t *testing.T) {
	s := Defaults()
	s.MailHost, s.MailFrom, s.PublicURL, s.MailUser = "smtp.example.com", "docs@example.com", "https://lectern.example.com", "u"
	wantFault(t, s.Complete(nil), "bad_setting", "mail.password", "")
	if err := s.Complete(Env{"LECTERN_MAIL_PASSWORD": "p"}); err != nil || s.MailPassword != "p" {
		t.Errorf("%q (error %v)", s.MailPassword, err)
	}
	s.MailUser = ""
	wantFault(t, s.Complete(Env{"LECTERN_MAIL_PASSWORD": "p"}), "bad_setting", "mail.user", "")
}
