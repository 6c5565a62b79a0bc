package smtp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"syscall"

	gomail "github.com/wneessen/go-mail"
	gosmtp "github.com/wneessen/go-mail/smtp"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Stage is the step of sending that failed.
type Stage string

// The stages, in order.
const (
	Content   Stage = "content" // the message cannot be encoded
	Resolve   Stage = "dns"
	Connect   Stage = "connect"
	Encrypt   Stage = "tls"
	SignIn    Stage = "auth"
	Sender    Stage = "sender"
	Recipient Stage = "recipient"
	Data      Stage = "data"
)

// Error describes why a message was not sent.
type Error struct {
	Stage     Stage
	Permanent bool   // the server refused this particular message, so a retry is pointless
	Reply     string // reply of the mail server, without addresses; "" = none
	detail    string // description in words
	hint      string
	cause     error
	server    Settings
}

// Error describes the failure for operators.
func (e *Error) Error() string {
	text := e.detail
	if text == "" {
		text = "the email could not be sent"
	}
	if e.Reply != "" {
		text += ": " + e.Reply
	} else if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Hint returns what an operator can do about it; "" = unknown.
func (e *Error) Hint() string { return e.hint }

// Public describes the failure for people other than the server's operator.
func (e *Error) Public() string {
	switch e.Stage {
	case Recipient, Data:
		if e.Reply != "" {
			return "The mail server refused the email: " + e.Reply
		}
		return "The mail server closed the connection."
	case Content:
		return "The email could not be written to this address."
	}
	return "The server could not use its mail server. Its log has the details."
}

// explain converts an error from the library. Only a refusal of the recipient or the message is permanent: everything
// else is a problem of the server or its settings, which may be fixed.
func (c *Client) explain(err error, to string) error {
	e := &Error{cause: redacted(err, to), server: c.s}
	var sent *gomail.SendError
	if errors.As(err, &sent) {
		return e.refused(sent, to)
	}
	var reply *textproto.Error
	if errors.As(err, &reply) {
		e.Reply = redact(oneLine(reply.Code, reply.Msg), to)
	}
	for _, explain := range []func(error) bool{e.name, e.certificate, e.authentication, e.connection} {
		if explain(err) {
			return e
		}
	}
	e.Stage, e.detail = Connect, "the mail server "+c.s.address()+" does not work as expected"
	return e
}

// refused explains an error response from the server.
func (e *Error) refused(sent *gomail.SendError, to string) error {
	switch sent.Reason {
	case gomail.ErrSMTPMailFrom:
		e.Stage, e.detail = Sender, "the mail server refused the sender"
		e.hint = "Check mail.from, and that mail.user may send with that address."
	case gomail.ErrSMTPRcptTo:
		e.Stage, e.detail = Recipient, "the mail server refused the recipient"
	default:
		e.Stage, e.detail = Data, "the mail server refused the message"
	}
	text := redact(sent.Error(), to)
	code := sent.ErrorCode()
	if code == 0 {
		e.detail, e.hint = "the mail server closed the connection or did not answer in time", ""
		e.cause = errors.New(text)
		return e
	}
	_, e.Reply, _ = strings.Cut(text, ": ")
	e.Reply, _, _ = strings.Cut(e.Reply, ", affected ")
	// the library formats a reply as its code and a quoted text
	if _, quoted, ok := strings.Cut(e.Reply, " "); ok {
		if said, err := strconv.Unquote(quoted); err == nil {
			e.Reply = oneLine(code, said)
		}
	}
	e.Permanent = code >= 500 && e.Stage != Sender
	return e
}

func (e *Error) name(err error) bool {
	var dns *net.DNSError
	if !errors.As(err, &dns) {
		return false
	}
	e.Stage, e.detail = Resolve, fmt.Sprintf("the name %s of the mail server could not be resolved", e.server.Host)
	e.hint = "Check mail.host, and the DNS server of this machine."
	return true
}

func (e *Error) certificate(err error) bool {
	var (
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	e.Stage = Encrypt
	switch {
	case errors.As(err, &host):
		e.detail = fmt.Sprintf("the certificate of the mail server is not for the name %s", e.server.Host)
		e.hint = "Set mail.host to a name that is in the certificate."
	case errors.As(err, &unknown):
		e.detail = "the certificate of the mail server is from an unknown authority"
		e.hint = "If the authority is your own, name its certificate with mail.ca-file."
	case errors.As(err, &invalid):
		e.detail = "the certificate of the mail server is not valid"
		e.hint = "It may have expired. The operator of the mail server must renew it."
	case errors.As(err, &record):
		e.detail = "the mail server does not use TLS on this port"
		e.hint = "With port 587, mail.tls is usually starttls; with port 465, implicit."
	case errors.As(err, &alert):
		e.detail = "the mail server refused the TLS connection"
	case strings.Contains(err.Error(), "does not support STARTTLS"):
		e.detail = "the mail server does not offer STARTTLS on this port"
		e.hint = "With port 465, mail.tls is usually implicit. Use none only for a server on this machine or in a trusted network."
	default:
		return false
	}
	return true
}

func (e *Error) authentication(err error) bool {
	var reply *textproto.Error
	e.Stage = SignIn
	switch {
	case errors.Is(err, gosmtp.ErrUnencrypted):
		e.detail = "the password is not sent over a connection without TLS"
		e.hint = "Set mail.tls to starttls or implicit."
	case strings.Contains(err.Error(), "SMTP AUTH failed") && errors.As(err, &reply):
		e.detail = "the mail server refused the user name or password"
		e.hint = "Check mail.user and the password. Some providers require a separate password for programs."
	case errors.Is(err, gomail.ErrNoSupportedAuthDiscovered), strings.Contains(err.Error(), "does not support SMTP AUTH"):
		e.detail = "the mail server offers no sign-in method that this program supports"
		e.hint = "If it needs no password, remove mail.user. Otherwise check mail.port and mail.tls."
	default:
		return false
	}
	return true
}

func (e *Error) connection(err error) bool {
	e.Stage = Connect
	var network net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		e.detail = fmt.Sprintf("nothing listens at %s", e.server.address())
		e.hint = "Check mail.host and mail.port, and that the mail server is running."
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &network) && network.Timeout():
		e.detail = fmt.Sprintf("the mail server %s did not answer within %s", e.server.address(), e.server.Timeout)
		e.hint = "A firewall may drop the packets. With port 465, mail.tls must be implicit; with port 587, starttls."
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		e.detail = fmt.Sprintf("there is no route to %s", e.server.address())
		e.hint = "Check mail.host and the network of this machine."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		e.detail = fmt.Sprintf("the mail server %s closed the connection", e.server.address())
		e.hint = "With port 465, mail.tls must be implicit; with port 587, starttls."
	default:
		return false
	}
	return true
}

// oneLine formats a server's reply, which may have several lines, as one line.
func oneLine(code int, said string) string {
	return strconv.Itoa(code) + " " + strings.Join(strings.Fields(said), " ")
}

// anAddress matches text in a server's reply that may be a person's address.
var anAddress = lazyregexp.New(`[^\s<>()\[\]",;:@]+@[^\s<>()\[\]",;:@]+`)

// redact removes addresses from a text, including to, which may have an unusual form; "" = none.
func redact(text, to string) string {
	if to != "" {
		text = strings.ReplaceAll(text, to, "(address)")
	}
	return anAddress.ReplaceAllString(text, "(address)")
}

func redacted(err error, to string) error { return redactedError{err, to} }

// redactedError is an error whose text contains no address.
type redactedError struct {
	error
	to string
}

func (e redactedError) Error() string { return redact(e.error.Error(), e.to) }

func (e redactedError) Unwrap() error { return e.error }
