package e2e

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// B7: verifying with the public key detects any altered byte of a signed export.
func TestSignedBundleIsVerifiedWithPublicKey(t *testing.T) {
	t.Parallel()
	dir, src := t.TempDir(), site(t, 3)
	private, public, strange := filepath.Join(dir, "key.pem"), filepath.Join(dir, "key.pub"),
		filepath.Join(dir, "strange.pub")
	newKeyPair(t, private, public)
	newKeyPair(t, filepath.Join(dir, "other.pem"), strange)
	for _, format := range []string{"tar.gz", "zip"} {
		bundle := filepath.Join(dir, "site."+format)
		command(t, nil, "export", src, "--out", bundle, "--sign", private, "--no-cache")
		command(t, nil, "bundle", "verify", bundle, "--public-key", public, "--strict")
		mustNotVerify(t, "the key of somebody else", bundle, "--public-key", strange)
		whole, err := os.ReadFile(bundle)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{len(whole) / 7, len(whole) / 3, len(whole) / 2, len(whole) * 4 / 5} {
			tampered := bytes.Clone(whole)
			tampered[at] ^= 1
			name := filepath.Join(dir, "tampered."+format)
			write(t, name, string(tampered))
			mustNotVerify(t, fmt.Sprintf("byte %d of %s", at, format), name, "--public-key", public)
			mustNotVerify(t, fmt.Sprintf("byte %d of %s, without a key", at, format), name)
		}
	}
}

// newKeyPair writes a signing key and its public key in the usual file formats.
func newKeyPair(t *testing.T, private, public string) {
	t.Helper()
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	open, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	write(t, private, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	write(t, public, string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: open})))
}

// mustNotVerify runs bundle verify, which must fail because of the bundle, not because of a wrong command.
func mustNotVerify(t *testing.T, what, bundle string, flags ...string) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"bundle", "verify", bundle}, flags...)...)
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%s: %v\n%s", what, err, out)
	}
}
