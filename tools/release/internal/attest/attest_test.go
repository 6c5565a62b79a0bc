package attest

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAmbiguousListsAreRefused(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	for text, ok := range map[string]bool{
		digest + "  a\n" + digest + "  b\n": true,
		digest + "  a":                      false,
		digest + "  a\n" + digest + "  a\n": false,
		digest + "  ../a\n":                 false,
		digest + "  a/b\n":                  false,
		digest + " *a\n":                    false,
		digest + "  a\r\n":                  false,
		strings.ToUpper(digest) + "  a\n":   false,
		digest[2:] + "  a\n":                false,
		digest + "  \n":                     false,
		"\n":                                false,
	} {
		s, err := ParseSums(text)
		if (err == nil) != ok || ok && s.String() != text {
			t.Errorf("%q gives %v and error %v", text, s, err)
		}
	}
}

func FuzzParseSums(f *testing.F) {
	f.Add(strings.Repeat("ab", 32) + "  a\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSums(text)
		if err != nil {
			return
		}
		again, err := ParseSums(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("a list does not round-trip: %v", err)
		}
	})
}

func FuzzParseStatement(f *testing.F) {
	f.Add(
		[]byte(
			`{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1","subject":[{"name":"a","digest":{"sha256":"b"}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseStatement(b)
		if err != nil {
			return
		}
		if _, err := s.Bytes(); err != nil {
			t.Fatal(err)
		}
		_, _ = s.About()
	})
}

func FuzzOpen(f *testing.F) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	sealed, err := Seal(private, []byte("{}"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add([]byte(`{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[{"sig":""}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := Open(public, b); err == nil && string(got) != "{}" {
			t.Fatalf("%q was accepted as signed", got)
		}
	})
}

// S2: an envelope with any change is refused.
func TestChangedEnvelopeIsRefused(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := Seal(private, []byte("statement"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Open(public, sealed); err != nil || string(got) != "statement" {
		t.Fatalf("opens to %q, error %v", got, err)
	}
	other, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, b64 := string(sealed), base64.StdEncoding.EncodeToString
	for name, c := range map[string]struct {
		key  ed25519.PublicKey
		text string
	}{
		"other key":     {other, text},
		"other payload": {public, strings.Replace(text, b64([]byte("statement")), b64([]byte("stotement")), 1)},
		"other type":    {public, strings.Replace(text, "in-toto", "in-tutu", 1)},
		"no signature":  {public, text[:strings.Index(text, `"signatures"`)] + `"signatures":[]}`},
		"no envelope":   {public, "x"},
	} {
		if got, err := Open(c.key, []byte(c.text)); err == nil {
			t.Errorf("%s: opens to %q", name, got)
		}
	}
}

// The commands are the same as in docs/guides/install.mdx.
func TestOpenSSLReadsKeysAndSignatures(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	openssl(t, "genpkey", "-algorithm", "ed25519", "-out", file("key.pem"))
	openssl(t, "pkey", "-in", file("key.pem"), "-pubout", "-out", file("pub.pem"))
	text, err := os.ReadFile(file("key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParsePrivate(text)
	if err != nil {
		t.Fatal(err)
	}
	public, err := os.ReadFile(file("pub.pem"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := ParsePublic(public)
	if err != nil || !parsed.Equal(key.Public()) {
		t.Fatalf("the public key does not match the private key: %v", err)
	}
	body := []byte("a list\n")
	signature := Sign(key, body)
	if err := Verify(parsed, body, signature); err != nil {
		t.Error(err)
	}
	if Verify(parsed, []byte("a lost\n"), signature) == nil {
		t.Error("a different list has the same signature")
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(signature)))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"SHA256SUMS": body, "SHA256SUMS.raw": raw} {
		if err := os.WriteFile(file(name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openssl(t, "pkeyutl", "-verify", "-pubin", "-inkey", file("pub.pem"), "-rawin", "-in", file("SHA256SUMS"),
		"-sigfile", file("SHA256SUMS.raw"))
}

func TestOtherKeysAreRefused(t *testing.T) {
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"nothing": "", "no PEM": "abc",
		"a public key": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))} {
		if _, err := ParsePrivate([]byte(text)); err == nil {
			t.Errorf("%s is accepted as a private key", name)
		}
	}
}

func openssl(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("openssl", args...).CombinedOutput(); err != nil {
		t.Fatalf("openssl %s: %v\n%s", args[0], err, out)
	}
}
