package http3_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	quic "github.com/quic-go/quic-go/http3"

	"github.com/lectern-docs/lectern/internal/serve/http3"
)

// patience ends a test that hangs; nothing should take that long.
const patience = time.Minute

// start serves a handler over HTTP/3 and returns the server, its URL and a client.
func start(t *testing.T, readTimeout time.Duration, handler http.HandlerFunc) (s *http3.Server, base string, c *http.Client) {
	t.Helper()
	pair := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(pair.Close)
	var lc net.ListenConfig
	socket, err := lc.ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = http3.New(http3.Options{Socket: socket, TLS: &tls.Config{Certificates: pair.TLS.Certificates}, Handler: handler,
		Port: 443, ReadTimeout: readTimeout, IdleTimeout: patience, MaxHeaderBytes: 8 << 10, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler)})
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = s.Shutdown(ctx) // the test may have done this already
		if err := <-served; err != http.ErrServerClosed {
			t.Errorf("ended with %v", err)
		}
	})
	roots := x509.NewCertPool()
	roots.AddCert(pair.Certificate())
	transport := &quic.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
	t.Cleanup(func() { _ = transport.Close() })
	return s, "https://" + socket.LocalAddr().String(), &http.Client{Transport: transport, Timeout: patience}
}

func TestRequestsAndBodiesArrive(t *testing.T) {
	t.Parallel()
	_, base, c := start(t, patience, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.TLS == nil || r.ProtoMajor != 3 {
			t.Errorf("%s: %v", r.Proto, err)
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path+" "+strings.ToUpper(string(body)))
	})
	response, err := c.Post(base+"/a%20page", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || string(got) != "POST /a page HELLO" || response.ProtoMajor != 3 {
		t.Errorf("%s: %q, %v", response.Proto, got, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Long", strings.Repeat("x", 16<<10))
	if response, err := c.Do(request); err == nil {
		_ = response.Body.Close()
		if response.StatusCode < 400 {
			t.Errorf("header above the limit: %s", response.Status)
		}
	}
}

func TestHTTPSResponsesAnnouncePort(t *testing.T) {
	t.Parallel()
	s, _, _ := start(t, patience, func(http.ResponseWriter, *http.Request) {})
	w := httptest.NewRecorder()
	s.Announce(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if got := w.Header().Get("Alt-Svc"); w.Code != http.StatusTeapot || got != `h3=":443"; ma=86400` {
		t.Errorf("%d, Alt-Svc: %s", w.Code, got)
	}
}

// A body that does not arrive does not block a request forever.
func TestSlowBodyTimesOut(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	_, base, c := start(t, 50*time.Millisecond, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		failed <- err
	})
	body, w := io.Pipe()
	defer w.Close()
	go func() {
		if response, err := c.Post(base, "text/plain", body); err == nil {
			_ = response.Body.Close()
		}
	}()
	select {
	case err := <-failed:
		if err == nil {
			t.Error("the body ended")
		}
	case <-time.After(patience):
		t.Error("the request is still being read")
	}
}

// Shutdown waits for responses, not for clients that keep their connection open.
func TestShutdownWaitsForResponses(t *testing.T) {
	t.Parallel()
	begun, finish := make(chan struct{}), make(chan struct{})
	s, base, c := start(t, patience, func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-finish
		_, _ = io.WriteString(w, "the end")
	})
	got := make(chan string, 1)
	go func() {
		response, err := c.Get(base)
		if err != nil {
			got <- err.Error()
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		got <- string(text)
	}()
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- s.Shutdown(context.Background()) }()
	select {
	case err := <-stopped:
		t.Fatalf("Shutdown did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(finish)
	if text := <-got; text != "the end" {
		t.Errorf("the response was %q", text)
	}
	select {
	case err := <-stopped:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("Shutdown waits forever")
	}
}
