package adminapi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
)

// certificateFile writes a host's certificate, which expires at the given time, and its key.
func certificateFile(t *testing.T, host string, end time.Time) certificate.Pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotAfter: end,
		Subject: pkix.Name{Organization: []string{"Acme"}, CommonName: "CA 1"}}
	raw, err := x509.CreateCertificate(rand.Reader, made, made, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := certificate.Pair{Certificate: filepath.Join(dir, "tls.crt"), Key: filepath.Join(dir, "tls.key")}
	for name, block := range map[string]*pem.Block{p.Certificate: {Type: "CERTIFICATE", Bytes: raw},
		p.Key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// The state of a domain's certificate and DNS name is shown only to its own organization.
func TestDomainShowsCertificateAndRecords(t *testing.T) {
	t.Parallel()
	var valid, expired string
	get := func(w *world, key, domain string) client.DomainCertificate {
		t.Helper()
		return read[client.DomainCertificate](t,
			w.do(t, ask{"GET", "/v1/domains/" + domain + "/certificate", key, "", nil}).want(t, 200))
	}
	plain, a := newWorldOf(t, account.PlanEnterprise, nil)
	b := plain.newTenant(t, "b", account.PlanEnterprise)
	valid = a.project.Domains[0]
	if got := get(plain, a.key, valid); got.State != "none" || got.Origin != "proxy" || got.DNS.Target != "unknown" ||
		got.Issuer != nil || got.NotAfter != nil || got.LastError != nil || len(got.DNS.Records) != 0 {
		t.Errorf("behind a proxy: %+v", got)
	}
	plain.do(t, ask{"GET", "/v1/domains/" + valid + "/certificate", b.key, "", nil}).want(t, 404)
	plain.do(t, ask{"GET", "/v1/domains/none.example/certificate", a.key, "", nil}).want(t, 404)

	expired = b.project.Domains[0]
	w := newWorld(t, func(o *adminapi.Options) {
		files, err := certificate.NewFiles([]certificate.Pair{certificateFile(t, valid, o.Now().Add(time.Hour)),
			certificateFile(t, expired, o.Now().Add(-time.Hour))}, o.Now, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		o.Certificates, o.PublicURL = files, "https://lectern.example:8443"
	})
	a, b = w.newTenant(t, "a", account.PlanEnterprise), w.newTenant(t, "b", account.PlanEnterprise)
	got := get(w, a.key, valid)
	if got.State != "valid" || got.Origin != "files" || !slices.Equal(got.Names, []string{valid}) || got.Issuer == nil ||
		*got.Issuer != "Acme CA 1" || got.NotAfter == nil || got.LastError != nil {
		t.Errorf("%+v", got)
	}
	if r := got.DNS.Records; len(r) != 1 || r[0] != (client.AddressRecord{Type: "CNAME", Name: valid, Value: "lectern.example"}) {
		t.Errorf("records %+v", r)
	}
	if got := get(w, b.key, expired); got.State != "failed" || got.LastError == nil || got.NotAfter == nil {
		t.Errorf("an expired certificate: %+v", got)
	}
}
