package access_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestUnknownModesAreProtected(t *testing.T) {
	for mode, want := range map[access.Mode]bool{"": false, access.Public: false, access.Password: true,
		access.Organization: true, access.OIDC: true, access.JWT: true, "of a newer release": true} {
		if mode.Protected() != want || (access.Settings{Mode: mode}).Protected() != want {
			t.Errorf("%q protects: %v", mode, !want)
		}
	}
	for _, m := range access.Modes() {
		if got, err := access.ParseMode(string(m)); err != nil || got != m {
			t.Errorf("%s: %s %v", m, got, err)
		}
	}
	if _, err := access.ParseMode(""); !fault.HasCode(err, "invalid_field") {
		t.Error(err)
	}
}

func encode(t *testing.T, kind string, key any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// A key determines the algorithm of its tokens; weak keys, private keys and other objects are refused.
func TestPublicKeyDeterminesAlgorithm(t *testing.T) {
	ed, edPrivate, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p256, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	strong, _ := rsa.GenerateKey(rand.Reader, 2048)
	for text, want := range map[string]string{encode(t, "PUBLIC KEY", ed): "EdDSA",
		encode(t, "PUBLIC KEY", p256.Public()): "ES256", encode(t, "PUBLIC KEY", strong.Public()): "RS256"} {
		if _, got, err := (access.PublicKey{PEM: text}).Parse(); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
	private, err := x509.MarshalPKCS8PrivateKey(edPrivate)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"P-384": encode(t, "PUBLIC KEY", p384.Public()), "empty": "",
		"a private key":       string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		"another label":       encode(t, "CERTIFICATE", ed),
		"two":                 encode(t, "PUBLIC KEY", ed) + encode(t, "PUBLIC KEY", ed),
		"long":                encode(t, "PUBLIC KEY", ed) + strings.Repeat("\n", 5000),
		"a private key below": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: private}))} {
		if _, algorithm, err := (access.PublicKey{PEM: text}).Parse(); err == nil {
			t.Errorf("%s: %s", name, algorithm)
		}
		if _, err := access.CleanHandoff(access.Handoff{LoginURL: "https://app.example",
			Keys: []access.PublicKey{{PEM: text}}}); !fault.HasCode(err, "invalid_field") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// K9: client secrets are encrypted for their project, and can still be decrypted after the master key was rotated.
func TestClientSecretsAreSealedForTheirProject(t *testing.T) {
	now, before := []byte("now"), []byte("before")
	list := []access.Provider{{Name: "a", ClientSecret: "s3cret"}, {Name: "b"}}
	sealed := access.SealSecrets(before, rand.Reader, "prj_1", list)
	if sealed == "" || strings.Contains(sealed, "s3cret") || access.SealSecrets(now, rand.Reader, "prj_1", list[1:]) != "" {
		t.Errorf("%q", sealed)
	}
	s := access.Settings{ProjectID: "prj_1", Sealed: sealed, Providers: []access.Provider{{Name: "b"}, {Name: "a"}}}
	stale, err := s.OpenSecrets([][]byte{now, before})
	if err != nil || !stale || s.Providers[0].ClientSecret != "" || s.Providers[1].ClientSecret != "s3cret" {
		t.Errorf("%+v %v %v", s, stale, err)
	}
	for name, other := range map[string]access.Settings{"another project": {ProjectID: "prj_2", Sealed: sealed},
		"an altered value": {ProjectID: "prj_1", Sealed: sealed + "A"}} {
		if _, err := other.OpenSecrets([][]byte{before}); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
}
