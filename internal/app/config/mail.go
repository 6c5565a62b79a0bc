package config

import (
	"net/mail"
	"time"
)

const (
	minMailTimeout = time.Second
	maxMailTimeout = 2 * time.Minute
)

// HasMail reports whether the server sends mail.
func (s *Server) HasMail() bool { return s.MailHost != "" }

func (s *Server) checkMail() error {
	if !s.HasMail() {
		return s.checkNoMail()
	}
	if !hostName.MatchString(s.MailHost) {
		if _, err := parseNetwork(s.MailHost); err != nil {
			return find("mail.host").bad("%q is neither a host name nor an IP address.", s.MailHost)
		}
	}
	if s.PublicURL == "" {
		return find("public-url").bad("must be set because mail.host is set: links in emails begin with it.")
	}
	if s.MailFrom == "" {
		return find("mail.from").bad("must be set because mail.host is set.")
	}
	for _, a := range [][2]string{{"mail.from", s.MailFrom}, {"mail.reply-to", s.MailReplyTo}} {
		if a[1] == "" {
			continue
		}
		if _, err := mail.ParseAddress(a[1]); err != nil {
			return find(a[0]).bad("%q is not an e-mail address.", a[1])
		}
	}
	for _, rule := range []struct {
		holds bool
		key   string
		want  string
	}{
		{s.MailPort > 0 && s.MailPort < 1<<16, "mail.port", "must be between 1 and 65535"},
		{s.MailTimeout >= minMailTimeout && s.MailTimeout <= maxMailTimeout, "mail.timeout", "must be between 1s and 2m"},
	} {
		if !rule.holds {
			return find(rule.key).bad("%s.", rule.want)
		}
	}
	return nil
}

// checkMailPassword validates the mail settings once secrets are known.
func (s *Server) checkMailPassword() error {
	switch {
	case s.MailUser != "" && s.MailPassword == "":
		return find("mail.password").bad("must be set because mail.user is set.")
	case s.MailUser == "" && s.MailPassword != "":
		return find("mail.user").bad("must be set because mail.password is set.")
	}
	return nil
}

// checkNoMail rejects settings that have no effect without mail.host, because they show that someone expects mail to
// be sent.
func (s *Server) checkNoMail() error {
	for _, one := range [][2]string{{"mail.from", s.MailFrom}, {"mail.reply-to", s.MailReplyTo}, {"mail.user", s.MailUser}} {
		if one[1] != "" {
			return find("mail.host").bad("must be set because %s is set.", one[0])
		}
	}
	return nil
}
