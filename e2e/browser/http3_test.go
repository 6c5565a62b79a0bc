package browser

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// certificateFiles writes a certificate for 127.0.0.1 and its key. pin is the public key's digest, which makes the
// browser trust the certificate.
func certificateFiles(t *testing.T) (certificate, key, pin string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(public)
	return certificate, key, base64.StdEncoding.EncodeToString(sum[:])
}

// Chromium loads a page over HTTP/3 from a server that terminates TLS itself: the document, its files and the response
// to a form. A flag forces this, because Chromium otherwise uses HTTP/3 only with certificates of public authorities.
func TestChromiumLoadsPagesOverHTTP3(t *testing.T) {
	t.Parallel()
	certificate, key, pin := certificateFiles(t)
	f := startFreshServer(t, nil, "--tls-mode", "files", "--tls-certificate-files", certificate, "--tls-key-files", key,
		"--tls-redirect-listen", "off", "--first-site", "off")
	p := ownBrowser(t, chromedp.Flag("ignore-certificate-errors-spki-list", pin),
		chromedp.Flag("origin-to-force-quic-on", "127.0.0.1:"+f.port)).tab(t)
	const protocols = `[...new Set(performance.getEntries().map(e => e.nextHopProtocol).filter(Boolean))].join()`
	p.navigate(f.url + "/dashboard/sign-in")
	p.expectEqual("the protocols of the page", eval[string](p, protocols), "h3")
	p.fill("[name=email]", "nobody@example.com")
	p.fill("[name=password]", "a password that nobody has")
	p.clickAndLoad("main form button.main")
	p.expectEqual("the protocols of the form's response", eval[string](p, protocols), "h3")
	if text := p.text("main"); !strings.Contains(text, "password") || p.path() != "/dashboard/sign-in" {
		t.Errorf("the form was answered with %s", text)
	}
}
