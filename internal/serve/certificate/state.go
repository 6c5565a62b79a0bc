package certificate

import (
	"context"
	"crypto/x509"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/caddyserver/certmagic"
)

// Status is the state of a host's certificate.
type Status string

// The statuses of certificates.
const (
	None    Status = "none"    // no certificate, and no failed order since the last success
	Pending Status = "pending" // an order is in progress
	Valid   Status = "valid"   // even while renewal fails
	Failed  Status = "failed"  // no valid certificate, and the last order failed
)

// Origin is the source of certificates.
type Origin string

// The origins of certificates.
const (
	FromACME  Origin = "acme"
	FromFiles Origin = "files"
	FromProxy Origin = "proxy" // this server does not terminate HTTPS
)

// State describes a host's certificate.
type State struct {
	Origin   Origin
	Status   Status
	Names    []string   // names of the current certificate, even if it has expired
	Issuer   string     // "" without a certificate
	NotAfter *time.Time // nil without a certificate
	// after a failed order: the authority's reason, and the earliest time of the next attempt
	Reason string
	Next   *time.Time
}

// orderKey returns the name of the file that records the start of an unfinished order.
func orderKey(host string) string { return "lectern/orders/" + certmagic.StorageKeys.Safe(host) }

// State returns the state of a host's certificate, from the data stored by all servers.
func (m *Manager) State(ctx context.Context, host string) (State, error) {
	s := State{Origin: FromACME, Status: None}
	if f, ok := m.lastFailure(ctx, host); ok {
		next := f.next()
		s.Status, s.Reason, s.Next = Failed, f.Reason, &next
	}
	if m.ordered(ctx, host) {
		s.Status = Pending
	}
	raw, err := m.storage.Load(ctx, certmagic.StorageKeys.SiteCert(m.issuer.IssuerKey(), host))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	leaf, err := leafOf(raw)
	if err != nil {
		return s, err
	}
	s.describe(leaf)
	if m.opt.Now().Before(leaf.NotAfter) {
		s.Status = Valid
	}
	return s, nil
}

// ordered reports whether an order is in progress. A crashed process's order counts until its time limit.
func (m *Manager) ordered(ctx context.Context, host string) bool {
	raw, err := m.storage.Load(ctx, orderKey(host))
	if err != nil {
		return false
	}
	at, err := time.Parse(time.RFC3339, string(raw))
	return err == nil && m.opt.Now().Before(at.Add(obtainLife))
}

// State returns the state of the certificate used for connections to a host.
func (f *Files) State(_ context.Context, host string) (State, error) {
	s := State{Origin: FromFiles, Status: None, Reason: "No certificate file covers this host."}
	for _, c := range f.fresh() {
		if c.Leaf == nil || c.Leaf.VerifyHostname(host) != nil {
			continue
		}
		s.describe(c.Leaf)
		s.Status, s.Reason = Valid, ""
		if !f.now().Before(c.Leaf.NotAfter) {
			s.Status, s.Reason = Failed, "The certificate in the file has expired."
		}
		break
	}
	return s, nil
}

func (s *State) describe(leaf *x509.Certificate) {
	s.Names, s.NotAfter = leaf.DNSNames, &leaf.NotAfter
	s.Issuer = strings.TrimSpace(strings.Join(leaf.Issuer.Organization, ", ") + " " + leaf.Issuer.CommonName)
}
