package daemon

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// B7: the operator chooses the signing key. A server that cannot read it does not start, and bundles signed with one
// key are not offered under another.
func TestBundlesAreSignedWithTheOperatorsKey(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	signing, _ := startCore(t, func(s *config.Server) { s.ExportSigningKey = name })
	plain, _ := startCore(t, func(*config.Server) {})
	if !signing.signer.Equal(key) || plain.signer != nil || signing.making() == plain.making() {
		t.Errorf("signed with %v and %v", signing.signer, plain.signer)
	}
	c := &core{Options: Options{Config: config.Server{ExportSigningKey: filepath.Join(t.TempDir(), "none")}}}
	if err := c.loadSigner(); !fault.HasCode(err, "invalid_setting") {
		t.Errorf("a missing key: %v", err)
	}
}
