package e2e

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/pebble"
)

// A server configured with only its name and the certificate authority serves its dashboard, its API and a site over
// HTTPS, redirects plain HTTP, and still has its certificates after a restart.
func TestServerObtainsCertificates(t *testing.T) {
	t.Parallel()
	here := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	names := dns.Start(t, func(string) []netip.Addr { return here })
	secure, plain := freeAddress(t), freeAddress(t)
	authority := pebble.Start(t, pebble.Options{DNS: names.Addr(), TLSPort: portOf(t, secure), HTTPPort: portOf(t, plain)})
	data, dir := t.TempDir(), site(t, 1)
	base := "https://lectern.example.com:" + strconv.Itoa(portOf(t, secure))
	// all names resolve to the server
	web := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}, Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: authority.Roots(t)},
		TLSHandshakeTimeout: patience, DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			to := secure
			if strings.HasSuffix(address, ":80") {
				to = plain
			}
			return new(net.Dialer).DialContext(ctx, "tcp", to)
		}}}
	start := func() *process {
		p := spawn(t, nil, "serve", "--data", data, "--listen", secure, "--public-url", base, "--tls-mode", "acme",
			"--tls-redirect-listen", plain, "--tls-acme-url", authority.Directory, "--tls-acme-ca-file", authority.RootFile,
			"--first-site", "off", "--metrics-listen", "off", "--sources-local", "on")
		p.url, p.data, p.requests = base, data, web
		p.Await("its own certificate", func() bool {
			code, _ := p.fetch(base + "/readyz")
			return code == http.StatusOK
		})
		return p
	}
	p := start()
	key := keyShape.FindString(p.Output())
	api, err := client.New(base, key, client.WithHTTPClient(web))
	if err != nil {
		t.Fatal(err)
	}
	_, err = api.CreateProject(t.Context(), client.CreateProject{Name: "Docs", Domain: "docs.example.org",
		Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	address := "https://docs.example.org:" + strconv.Itoa(portOf(t, secure)) + "/"
	p.Await("the site", func() bool {
		code, body := p.fetch(address)
		return code == http.StatusOK && strings.Contains(body, "Welcome.")
	})
	response, err := web.Get("http://docs.example.org/page-00000?x=1")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently ||
		to != address+"page-00000?x=1" {
		t.Errorf("plain HTTP: %d to %q", response.StatusCode, to)
	}
	if response, err = web.Post("http://lectern.example.com/v1/projects", "application/json", nil); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("a request with a body over plain HTTP: %d", response.StatusCode)
	}
	if response, err = web.Get(address); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.ProtoMajor != 2 || response.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("HTTP/%d, headers %v", response.ProtoMajor, response.Header)
	}
	serial := response.TLS.PeerCertificates[0].SerialNumber
	if left := time.Until(response.TLS.PeerCertificates[0].NotAfter); left < 24*time.Hour {
		t.Errorf("the certificate expires in %s", left)
	}
	web.CloseIdleConnections()
	p.Stop()
	p = start()
	p.Await("the site again", func() bool { code, _ := p.fetch(address); return code == http.StatusOK })
	if response, err = web.Get(address); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if got := response.TLS.PeerCertificates[0].SerialNumber; got.Cmp(serial) != 0 {
		t.Errorf("certificate %v after a restart, %v before", got, serial)
	}
	if _, err := web.Get("https://stranger.example.org:" + strconv.Itoa(portOf(t, secure)) + "/"); err == nil {
		t.Error("a host without a site got a certificate")
	}
	web.CloseIdleConnections()
	p.Stop()
}

// fetch requests an address. A failed request has status 0.
func (p *process) fetch(url string) (int, string) {
	response, err := p.web().Get(url)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(body)
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return int(a.Port())
}
