// Package smtpserver runs a real mail server inside a test.
package smtpserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Host is the host name in the server's certificate.
const Host = "localhost"

// Options configures the server.
type Options struct {
	Plain    bool   // do not offer TLS
	Implicit bool   // connections start with TLS
	CertName string // name in the certificate; "" = Host
	User     string // "" = no authentication
	Password string

	// Refuse is called before each step: mail, rcpt, data. An error refuses the step and is sent as the reply. A nil
	// Refuse refuses nothing.
	Refuse func(step, address string) error
}

// Mail is an email that the server accepted.
type Mail struct{ From, To, Raw string }

// Server is a running mail server.
type Server struct {
	Port   int
	Roots  *x509.CertPool
	CAFile string // the same certificates in PEM

	arrived  chan Mail
	mu       sync.Mutex
	refuse   func(step, address string) error // guarded by mu
	sessions int                              // guarded by mu
}

// Start starts a server that runs until the end of the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{arrived: make(chan Mail, 1000), refuse: o.Refuse}
	name := o.CertName
	if name == "" {
		name = Host
	}
	pair := s.certify(t, name)
	b := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		s.mu.Lock()
		s.sessions++
		s.mu.Unlock()
		if o.User != "" {
			return &signedIn{session{server: s}, o}, nil
		}
		return &session{server: s}, nil
	}))
	b.Domain, b.ErrorLog, b.EnableSMTPUTF8 = Host, quiet{}, true
	secure := &tls.Config{Certificates: []tls.Certificate{pair}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Port = l.Addr().(*net.TCPAddr).Port
	switch {
	case o.Plain:
		b.AllowInsecureAuth = true
	case o.Implicit:
		l = tls.NewListener(l, secure)
	default:
		b.TLSConfig = secure
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = b.Serve(l) }()
	t.Cleanup(func() {
		_ = b.Close()
		_ = l.Close() // the server does not close it if it has not started serving
		<-ended
	})
	return s
}

// SetRefuse replaces the function that refuses steps.
func (s *Server) SetRefuse(f func(step, address string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = f
}

// Sessions returns the number of sessions, which start with a client's greeting.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions
}

// Wait waits for the next email and returns it.
func (s *Server) Wait(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.arrived:
		return m
	case <-time.After(time.Minute):
		t.Fatal("no email arrived")
		panic("unreachable")
	}
}

// Waiting returns the number of emails that Wait has not returned yet.
func (s *Server) Waiting() int { return len(s.arrived) }

// Reply returns an error that the server sends as a reply with the given code.
func Reply(code int, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: text}
}

// Silent accepts connections but never sends anything. It returns its port.
func Silent(t testing.TB) int { return listen(t, func(net.Conn) {}) }

// Dropping accepts connections and closes them immediately. It returns its port.
func Dropping(t testing.TB) int { return listen(t, func(c net.Conn) { _ = c.Close() }) }

func listen(t testing.TB, accept func(net.Conn)) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			_ = c.Close()
		}
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			accept(c)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// session accepts one email after another.
type session struct {
	server   *Server
	from, to string
}

func (s *session) refuses(step, address string) error {
	s.server.mu.Lock()
	f := s.server.refuse
	s.server.mu.Unlock()
	if f == nil {
		return nil
	}
	return f(step, address)
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return s.refuses("mail", from)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return s.refuses("rcpt", to)
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.refuses("data", s.to); err != nil {
		return err
	}
	s.server.arrived <- Mail{From: s.from, To: s.to, Raw: string(raw)}
	return nil
}

func (s *session) Reset()        { s.from, s.to = "", "" }
func (s *session) Logout() error { return nil }

// signedIn is a session that requires a password.
type signedIn struct {
	session
	o Options
}

func (s *signedIn) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *signedIn) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.o.User || password != s.o.Password {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

// certify creates a certificate authority and a server certificate.
func (s *Server) certify(t testing.TB, name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	s.Roots = x509.NewCertPool()
	s.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	if !s.Roots.AppendCertsFromPEM(chain) {
		t.Fatal(errors.New("the certificate cannot be read"))
	}
	if err := os.WriteFile(s.CAFile, chain, 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
