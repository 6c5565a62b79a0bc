package pebble

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

const (
	// version equals the one in tools/testservers/go.mod; a test compares them.
	version   = "v2.10.1"
	startLife = 30 * time.Second
)

// Options configures how the authority reaches the hosts that it certifies.
type Options struct {
	DNS               string // address of the DNS server to use
	HTTPPort, TLSPort int    // ports on which challenges are answered, instead of 80 and 443
}

// Server is a running certificate authority.
type Server struct {
	Directory string // address of its ACME directory
	RootFile  string // PEM: the certificate of its API

	process    *testserver.Process
	management string
	client     *http.Client
}

// Start starts an authority that stops at the end of the test.
func Start(t testing.TB, opt Options) *Server {
	t.Helper()
	program, err := testserver.Installed(filepath.Join("bin", "pebble-"+version))
	if err != nil {
		t.Fatal(err)
	}
	s, err := testserver.Start(t.Context(), "ACME server", startLife, func(ctx context.Context, port int) (*Server, error) {
		return start(ctx, program, port, opt)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.process.Stop)
	return s
}

// Output returns the end of the authority's output, which contains, for example, the reason why a challenge failed.
func (s *Server) Output() string { return s.process.Output() }

// Roots returns the root certificate of the chains that the authority issues.
func (s *Server) Roots(t testing.TB) *x509.CertPool {
	t.Helper()
	response, err := s.client.Get(s.management + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(raw) {
		t.Fatalf("root certificate: %v\n%s", err, raw)
	}
	return pool
}

func start(ctx context.Context, program string, port int, opt Options) (*Server, error) {
	folder, err := os.MkdirTemp("", "lectern-pebble-")
	if err != nil {
		return nil, err
	}
	management, err := testserver.FreePort()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	at := func(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
	s := &Server{Directory: "https://" + at(port) + "/dir", RootFile: filepath.Join(folder, "api.pem"),
		management: "https://" + at(management)}
	key := filepath.Join(folder, "api.key")
	root, err := writeCertificate(s.RootFile, key)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	raw, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": at(port), "managementListenAddress": at(management),
		"certificate": s.RootFile, "privateKey": key, "httpPort": opt.HTTPPort, "tlsPort": opt.TLSPort,
		"retryAfter": map[string]int{"authz": 1, "order": 1}, "keyAlgorithm": "ecdsa",
		"profiles": map[string]any{"default": map[string]any{"description": "d", "validityPeriod": 7776000}},
	}})
	config := filepath.Join(folder, "config.json")
	if err == nil {
		err = os.WriteFile(config, raw, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.process, err = testserver.Run(testserver.Command{Folder: folder, Signal: "KILL",
		Args: []string{"env", "PEBBLE_VA_NOSLEEP=1", program, "-config", config, "-dnsserver", opt.DNS}})
	if err != nil {
		return nil, err
	}
	if err := s.await(ctx); err != nil {
		s.process.Stop()
		return nil, err
	}
	return s, nil
}

// await waits until the directory is available.
func (s *Server) await(ctx context.Context) error {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Directory, nil)
		if err != nil {
			return err
		}
		if response, err := s.client.Do(request); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w\n%s", ctx.Err(), s.process.Output())
		case <-s.process.Done():
			return fmt.Errorf("it ended:\n%s", s.process.Output())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// writeCertificate writes a certificate for 127.0.0.1 and its key, both as PEM.
func writeCertificate(certificate, key string) (*x509.Certificate, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return nil, err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(
		os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600),
	); err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}
