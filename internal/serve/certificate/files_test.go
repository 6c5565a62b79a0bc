package certificate

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair writes a host's self-signed certificate and its key, and returns the certificate's serial number.
func writePair(t *testing.T, p Pair, host string) *big.Int {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: serial, NotAfter: time.Now().Add(time.Hour), DNSNames: []string{host}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{p.Certificate: {Type: "CERTIFICATE", Bytes: der},
		p.Key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return serial
}

// serialFor returns the serial number of the certificate for connections to a host.
func serialFor(t *testing.T, f *Files, host string) *big.Int {
	t.Helper()
	c, err := f.TLS().GetCertificate(&tls.ClientHelloInfo{ServerName: host,
		SupportedVersions: []uint16{tls.VersionTLS13}, SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256}})
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return leaf.SerialNumber
}

func TestFilesAreChosenByHostAndReloaded(t *testing.T) {
	dir := t.TempDir()
	pair := func(name string) Pair {
		return Pair{filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")}
	}
	a, b := pair("a"), pair("b")
	first, second := writePair(t, a, "a.example.com"), writePair(t, b, "b.example.com")
	now := time.Now()
	var log bytes.Buffer
	f, err := NewFiles([]Pair{a, b}, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	want := func(host string, serial *big.Int) {
		t.Helper()
		if got := serialFor(t, f, host); got.Cmp(serial) != 0 {
			t.Errorf("%s: certificate %v, want %v", host, got, serial)
		}
	}
	want("a.example.com", first)
	want("b.example.com", second)
	want("unknown.example.com", first)

	// Only one of the two files is replaced: the earlier certificate stays.
	if err := os.WriteFile(b.Key, []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(checkEvery)
	want("b.example.com", second)
	if !strings.Contains(log.String(), "using the previous one") {
		t.Errorf("log: %s", log.String())
	}
	third := writePair(t, b, "b.example.com")
	want("b.example.com", second) // not checked yet
	now = now.Add(checkEvery)
	want("b.example.com", third)
	if err := os.Remove(a.Certificate); err != nil {
		t.Fatal(err)
	}
	now = now.Add(checkEvery)
	want("a.example.com", first)
}

func TestUnreadableFileIsNamedInError(t *testing.T) {
	missing := Pair{filepath.Join(t.TempDir(), "none.crt"), "none.key"}
	if _, err := NewFiles([]Pair{missing}, time.Now, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "none.crt") {
		t.Errorf("%v", err)
	}
}
