package samlidp

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

var printed = regexp.MustCompile(`listening at (\S+) now`)

// Server is an identity provider with three users: writer, in the groups writers and readers; reader, in readers;
// nobody, without groups. Writer and reader have addresses in acme.example.
type Server struct {
	URL      string
	Metadata string // URL of its metadata
}

// Start starts a provider that runs until the end of the test. It accepts only the given addresses of service
// providers.
func Start(t testing.TB, acs ...string) Server {
	t.Helper()
	folder := findJudges(t)
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	node := filepath.Join(folder, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(node); err != nil {
		t.Fatalf("the judges are not installed, run `make validators`: %v", err)
	}
	key, certificate := keyFiles(t)
	p := lectern.Spawn(t, node, nil, append([]string{filepath.Join(folder, "saml.mjs"), key, certificate}, acs...)...)
	p.Await("the address of the SAML provider", func() bool { return printed.MatchString(p.Output()) })
	url := printed.FindStringSubmatch(p.Output())[1]
	return Server{URL: url, Metadata: url + "/metadata"}
}

// findJudges finds the module's folder judges, starting from the folder of the test.
func findJudges(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return filepath.Join(dir, "judges")
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("no go.mod above the test's folder: %v", err)
	return ""
}

// keyFiles writes a new key and its certificate to files.
func keyFiles(t testing.TB) (key, certificate string) {
	t.Helper()
	made, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test provider"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, made.Public(), made)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, bytes []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("private.pem", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(made)), write("certificate.pem", "CERTIFICATE", raw)
}
