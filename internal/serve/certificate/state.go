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

// Status is how far a host's certificate has come.
type Status string

// The states of certificates.
const (
	None    Status = "none"    // no certificate, and no order since the last one that succeeded
	Pending Status = "pending" // the authority has an order
	Valid   Status = "valid"   // also while a renewal fails
	Failed  Status = "failed"  // there is no valid one, and the last order failed
)

// Origin is where certificates come from.
type Origin string

// The origins of certificates.
const (
	FromACME  Origin = "acme"
	FromFiles Origin = "files"
	FromProxy Origin = "proxy" // this server does no HTTPS
)

// State is what is known of a host's certificate.
type State struct {
	Origin   Origin
	Status   Status
	Names    []string   // of the certificate there is, also if it has expired
	Issuer   string     // "" without one
	NotAfter *time.Time // nil without one
	// the last order, if it failed: why, in the authority's words, and when the next is tried at the earliest
	Reason string
	Next   *time.Time
}

// orderKey names the file that says when an order was made that has not ended.
func orderKey(host string) string { return "lectern/orders/" + certmagic.StorageKeys.Safe(host) }

// State returns the state of a host's certificate, from what all servers have stored.
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

// ordered reports whether an order is under way. That of a process that died counts until it would have ended.
func (m *Manager) ordered(ctx context.Context, host string) bool {
	raw, err := m.storage.Load(ctx, orderKey(host))
	if err != nil {
		return false
	}
	at, err := time.Parse(time.RFC3339, string(raw))
	return err == nil && m.opt.Now().Before(at.Add(obtainLife))
}

// State returns the state of the certificate that connections to a host get.
func (f *Files) State(_ context.Context, host string) (State, error) {
	s := State{Origin: FromFiles, Status: None, Reason: "No certificate file is for this host."}
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
