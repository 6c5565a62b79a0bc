package smtp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// The TLS modes.
const (
	StartTLS = "starttls" // the connection is encrypted before anything is sent
	Implicit = "implicit" // the connection is encrypted from the start
	None     = "none"
)

// Settings has the address and credentials of a mail server.
type Settings struct {
	Host     string
	Port     int
	User     string // "" = no authentication
	Password string
	TLS      string
	Roots    *x509.CertPool // trusted CAs for its certificate; nil = the system's
	From     string         // an address, with or without a name
	ReplyTo  string         // "" = none
	Hello    string         // host name that this server announces; "" = localhost
	Timeout  time.Duration  // for connecting, and for each response
}

// Message is an email to one person.
type Message struct {
	ID      string // the same for each attempt, so that email programs recognize duplicates
	To      string
	Subject string
	Text    string
	HTML    string
	Date    time.Time
}

// Client sends messages. It is safe for concurrent use.
type Client struct{ s Settings }

// New returns a client that opens a connection for each message.
func New(s Settings) *Client {
	if s.Hello == "" {
		s.Hello = "localhost"
	}
	return &Client{s: s}
}

// Send sends a message to the mail server. The error is an *Error.
func (c *Client) Send(ctx context.Context, m Message) error {
	msg, err := c.message(m)
	if err != nil {
		return &Error{Stage: Content, Permanent: true, cause: redacted(err, m.To)}
	}
	client, err := c.client(ctx)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err == nil || msg.IsDelivered() { // later errors only concern closing the connection
		return nil
	}
	return c.explain(err, m.To)
}

// Check connects, encrypts and authenticates like Send, without sending anything. The error is an *Error.
func (c *Client) Check(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // closes the connection, which the library leaves open after some failures
	client, err := c.client(ctx)
	if err != nil {
		return err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return c.explain(err, "")
	}
	_ = conn.Quit() // the result is already known
	return nil
}

func (c *Client) client(ctx context.Context) (*gomail.Client, error) {
	client, err := gomail.NewClient(c.s.Host, c.options(ctx)...)
	if err != nil {
		return nil, &Error{Stage: Connect, cause: redacted(err, ""), server: c.s}
	}
	return client, nil
}

func (c *Client) options(ctx context.Context) []gomail.Option {
	opts := []gomail.Option{gomail.WithPort(c.s.Port), gomail.WithTimeout(c.s.Timeout), gomail.WithHELO(c.s.Hello),
		gomail.WithTLSConfig(c.tls()), gomail.WithDialContextFunc(c.dialer(ctx)), gomail.WithoutNoop()}
	switch c.s.TLS {
	case Implicit:
		opts = append(opts, gomail.WithSSL())
	case None:
		opts = append(opts, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if c.s.User != "" {
		// PLAIN and LOGIN refuse to send a password without TLS, except to this machine.
		opts = append(opts, gomail.WithUsername(c.s.User), gomail.WithPassword(c.s.Password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthPlain,
				gomail.SMTPAuthLogin, gomail.SMTPAuthCramMD5))
	}
	return opts
}

func (c *Client) tls() *tls.Config {
	return &tls.Config{ServerName: c.s.Host, RootCAs: c.s.Roots, MinVersion: tls.VersionTLS12}
}

// dialer returns a dial function whose connections are closed when send ends, the context of the whole message. The
// library itself only observes the context while connecting.
func (c *Client) dialer(send context.Context) gomail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(send, func() { _ = conn.Close() })
		if c.s.TLS != Implicit {
			return conn, nil
		}
		secure := tls.Client(conn, c.tls())
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return secure, nil
	}
}

// message builds the email. The library encodes headers; line breaks are rejected here as a precaution.
func (c *Client) message(m Message) (*gomail.Msg, error) {
	if strings.ContainsAny(m.Subject+m.ID+m.To, "\r\n") {
		return nil, errors.New("a header contains a line break")
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	from, err := mail.ParseAddress(c.s.From)
	if err != nil {
		return nil, fmt.Errorf("sender: %w", err)
	}
	msg.FromMailAddress(from)
	if c.s.ReplyTo != "" {
		if err := msg.ReplyTo(c.s.ReplyTo); err != nil {
			return nil, fmt.Errorf("reply address: %w", err)
		}
	}
	to, err := mail.ParseAddress(m.To)
	if err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	msg.ToMailAddress(&mail.Address{Address: to.Address})
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID + "@" + domainOf(from.Address))
	msg.SetDateWithValue(m.Date)
	// This asks programs not to send automatic replies.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}

func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// address returns the server's address for messages.
func (s Settings) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }
