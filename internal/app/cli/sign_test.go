package cli

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// keyFile writes a private key in the format of common key tools.
func keyFile(t *testing.T, key any) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// B7: the signature of an export is verified with the matching public key.
func TestSignedExportIsVerified(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.NewChaCha8([32]byte{7}))
	if err != nil {
		t.Fatal(err)
	}
	key, out := keyFile(t, private), t.TempDir()
	for range 2 { // the second export replaces the first
		invoke(t, "export", smallSite(t), "--out", out, "--sign", key).want(t, 0)
		manifest, sig := read(t, filepath.Join(out, output.ManifestPath)),
			read(t, filepath.Join(out, output.SignaturePath))
		if err := output.VerifySignature([]byte(manifest), []byte(sig), public); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(key, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	invoke(t, "export", smallSite(t), "--out", out, "--sign", key).want(t, 2, "does not contain an Ed25519 private key")
	invoke(t, "export", smallSite(t), "--out", out, "--sign", key+"-not").want(t, 2, "cannot be opened")
}
