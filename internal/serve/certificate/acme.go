package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3/acme"
	"go.uber.org/zap"
)

// Options configures a Manager.
type Options struct {
	Store   Store
	Masters [][]byte // secret keys, the current one first

	Directory string         // URL of the certificate authority's ACME directory
	Email     string         // for the authority's notices; may be empty
	Roots     *x509.CertPool // trusted when connecting to the authority's API; nil = the system's

	// Ports on which this process responds to challenges. HTTPPort is 0 if it does not listen on plain HTTP.
	TLSPort, HTTPPort int

	// Serves reports whether this server serves a host name. Certificates are ordered only for such names.
	Serves func(ctx context.Context, host string) (bool, error)

	Now    func() time.Time
	Rand   io.Reader
	Logger *slog.Logger
}

// Manager orders a host's certificate on the first connection, and renews it.
type Manager struct {
	opt     Options
	storage *storage
	cache   *certmagic.Cache
	config  *certmagic.Config
	issuer  *certmagic.ACMEIssuer
}

// maxCached is the number of certificates in memory, about 10 kB each. Others are read from the database.
const maxCached = 10_000

// obtainLife is the time limit of an order, including the authority's validation of this server.
const obtainLife = 2 * time.Minute

// New returns a manager; Close stops it.
func New(opt Options) *Manager {
	m := &Manager{opt: opt, storage: newStorage(opt.Store, opt.Masters, opt.Rand)}
	logger := zap.New(logCore{opt.Logger})
	m.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return m.config, nil },
		Capacity:         maxCached, Logger: logger,
	})
	m.config = certmagic.New(m.cache, certmagic.Config{
		Storage: m.storage, Logger: logger, OnEvent: m.onEvent,
		OnDemand: &certmagic.OnDemandConfig{DecisionFunc: m.decide},
	})
	m.issuer = certmagic.NewACMEIssuer(m.config, certmagic.ACMEIssuer{
		// The setting that turns certificates on is documented as agreeing to the authority's terms.
		CA: opt.Directory, TestCA: opt.Directory, Email: opt.Email, Agreed: true, TrustedRoots: opt.Roots,
		AltTLSALPNPort: opt.TLSPort, AltHTTPPort: opt.HTTPPort, DisableHTTPChallenge: opt.HTTPPort == 0,
		CertObtainTimeout: obtainLife, Logger: logger,
	})
	m.config.Issuers = []certmagic.Issuer{oneTry{m.issuer}}
	return m
}

// oneTry is an issuer whose failed orders are not retried by the library while a visitor waits: onEvent decides when
// to retry.
type oneTry struct{ *certmagic.ACMEIssuer }

// Issue orders a certificate.
func (i oneTry) Issue(ctx context.Context, request *x509.CertificateRequest) (*certmagic.IssuedCertificate, error) {
	issued, err := i.ACMEIssuer.Issue(ctx, request)
	if err != nil {
		err = certmagic.ErrNoRetry{Err: err}
	}
	return issued, err
}

// Close stops renewals. Certificates stay stored.
func (m *Manager) Close() { m.cache.Stop() }

// TLS returns the configuration for the listener.
func (m *Manager) TLS() *tls.Config {
	c := m.config.TLSConfig()
	c.MinVersion = tls.VersionTLS12
	c.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		// An order benefits later visitors too, so it continues if this one disconnects.
		return m.config.GetCertificateWithContext(context.WithoutCancel(hello.Context()), hello)
	}
	c.NextProtos = append([]string{"h2", "http/1.1"}, c.NextProtos...) // the last one is for challenges
	return c
}

// Challenges responds to the authority's challenges over plain HTTP, and passes all other requests to next.
func (m *Manager) Challenges(next http.Handler) http.Handler {
	return m.issuer.HTTPChallengeHandler(next)
}

// Prepare orders a host's certificate in the background if there is none yet, so that the first visitor does not have
// to wait.
func (m *Manager) Prepare(ctx context.Context, host string) {
	go func() {
		if err := m.config.ObtainCertAsync(ctx, host); err != nil && ctx.Err() == nil {
			m.opt.Logger.Warn("could not obtain certificate", "host", host, "error", err)
		}
	}()
}

// decide rejects hosts that are not served here, because a handshake can contain any name. Names below localhost
// point to the visitor's own machine, where no authority can validate them.
func (m *Manager) decide(ctx context.Context, host string) error {
	if strings.HasSuffix(host, ".localhost") {
		return fmt.Errorf("no certificate can be issued for %s", host)
	}
	ok, err := m.opt.Serves(ctx, host)
	if err == nil && !ok {
		err = fmt.Errorf("no site is served at %s", host)
	}
	return err
}

// failure records the failed orders for a host's certificate since the last successful one.
type failure struct {
	Count  int       `json:"count"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// Pauses after failed orders for a host. Authorities block accounts with too many failures (the largest one, after five
// an hour), and without a pause, each visitor of a host without a certificate would cause another order.
const (
	firstPause = 15 * time.Minute
	lastPause  = 12 * time.Hour
)

// next returns the earliest time of the next order for the host's certificate.
func (f failure) next() time.Time {
	pause := firstPause
	for i := 1; i < f.Count && pause < lastPause; i++ {
		pause *= 2
	}
	return f.At.Add(min(pause, lastPause))
}

func failureKey(host string) string { return "lectern/failures/" + certmagic.StorageKeys.Safe(host) }

// onEvent stores failures, so that they count for all servers. If it returns an error, the library aborts the
// operation.
func (m *Manager) onEvent(ctx context.Context, event string, data map[string]any) error {
	host, _ := data["identifier"].(string)
	switch event {
	case "cert_obtaining":
		if f, ok := m.lastFailure(ctx, host); ok && m.opt.Now().Before(f.next()) {
			return certmagic.ErrNoRetry{Err: fmt.Errorf("the last order failed, next attempt at %s",
				f.next().UTC().Format(time.RFC3339))}
		}
		return m.storage.Store(ctx, orderKey(host), []byte(m.opt.Now().UTC().Format(time.RFC3339)))
	case "cert_obtained":
		m.opt.Logger.Info("obtained certificate", "host", host, "renewal", data["renewal"])
		return errors.Join(m.storage.Delete(ctx, failureKey(host)), m.storage.Delete(ctx, orderKey(host)))
	case "cert_failed":
		f, _ := m.lastFailure(ctx, host)
		err, _ := data["error"].(error)
		f = failure{Count: f.Count + 1, At: m.opt.Now(), Reason: reason(err)}
		m.opt.Logger.Warn("could not obtain certificate", "host", host, "error", err, "next", f.next())
		raw, err := json.Marshal(f)
		if err != nil {
			return err
		}
		ctx = context.WithoutCancel(ctx)
		return errors.Join(m.storage.Store(ctx, failureKey(host), raw), m.storage.Delete(ctx, orderKey(host)))
	}
	return nil
}

// reason returns the authority's own explanation if there is one.
func reason(err error) string {
	var problem acme.Problem
	if errors.As(err, &problem) && problem.Detail != "" {
		return problem.Detail
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

func (m *Manager) lastFailure(ctx context.Context, host string) (f failure, ok bool) {
	raw, err := m.storage.Load(ctx, failureKey(host))
	if err != nil || json.Unmarshal(raw, &f) != nil {
		return failure{}, false
	}
	return f, true
}
