package outbound

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func startProxy(t *testing.T, allow ...string) *Proxy {
	t.Helper()
	p, err := newGuard(t, allow...).Proxy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// through returns an HTTP client that uses the proxy at address.
func through(t *testing.T, address string, base *http.Transport) *http.Client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	base.Proxy = http.ProxyURL(u)
	base.DisableKeepAlives = true
	return &http.Client{Transport: base}
}

func TestProxyForwardsHTTPAndHTTPS(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the proxy's password reached the destination")
		}
		_, _ = io.WriteString(w, "hello "+r.URL.Path)
	})
	plain, encrypted := httptest.NewServer(hello), httptest.NewTLSServer(hello)
	t.Cleanup(plain.Close)
	t.Cleanup(encrypted.Close)
	s := startProxy(t, "127.0.0.1").Open()
	for _, server := range []*httptest.Server{plain, encrypted} {
		base := server.Client().Transport.(*http.Transport).Clone()
		body, err := get(t, through(t, s.URL(), base), server.URL+"/a")
		if err != nil || body != "hello /a" {
			t.Errorf("%s: %q, %v", server.URL, body, err)
		}
	}
	if s.Err() != nil {
		t.Errorf("Err = %v after success", s.Err())
	}
}

// F1: a program's connections through the proxy are checked like our own.
func TestProxyRefusesPrivateAddressesAndKeepsReason(t *testing.T) {
	p := startProxy(t)
	for _, target := range []string{"http://127.0.0.1:9/", "https://127.0.0.1:9/", "http://169.254.169.254/",
		"https://[::ffff:10.0.0.1]/"} {
		s := p.Open()
		resp, err := through(t, s.URL(), &http.Transport{}).Get(target)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s: status %d", target, resp.StatusCode)
			}
		}
		if !fault.HasCode(s.Err(), "address_not_allowed") {
			t.Errorf("%s: session error %v", target, s.Err())
		}
		s.Close()
	}
	if other := p.Open(); other.Err() != nil {
		t.Errorf("a new session starts with %v", other.Err())
	}
}

func TestProxyRequiresPasswordOfOpenSession(t *testing.T) {
	p := startProxy(t, "127.0.0.1")
	live, closed := p.Open(), p.Open()
	closed.Close()
	for name, address := range map[string]string{
		"none": "http://" + live.Addr(), "wrong": proxyURL(live.Addr(), "guess").
			String(), "empty": proxyURL(live.Addr(), "").String(), "closed": closed.URL(),
	} {
		resp, err := through(t, address, &http.Transport{}).Get("http://127.0.0.1:9/")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusProxyAuthRequired {
			t.Errorf("%s: status %d", name, resp.StatusCode)
		}
	}
	if live.URL() == p.Open().URL() {
		t.Error("two sessions share a password")
	}
}

func TestProxyRefusesOrdinaryRequests(t *testing.T) {
	s := startProxy(t, "127.0.0.1").Open()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Addr()+"/", nil)
	req.SetBasicAuth(proxyUser, s.Password())
	req.Header.Set("Proxy-Authorization", req.Header.Get("Authorization"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Fatalf("status %d", resp.StatusCode)
	}
}

func TestDialStdioConnectsStreamsToTarget(t *testing.T) {
	echo := listen(t, "127.0.0.1:0")
	go func() {
		c, err := echo.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.Copy(c, c)
	}()
	host, port, _ := net.SplitHostPort(echo.Addr().String())
	s := startProxy(t, "127.0.0.1").Open()
	message := strings.Repeat("a line\n", 10_000)
	var out bytes.Buffer
	if err := DialStdio(t.Context(), s.Addr(), s.Password(), host, port, strings.NewReader(message), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != message {
		t.Fatalf("%d of %d bytes came back", out.Len(), len(message))
	}
	if err := DialStdio(t.Context(), s.Addr(), s.Password(), "127.0.0.2", port, strings.NewReader(""),
		&out); err == nil {
		t.Fatal("an inner address was reached")
	}
}

func TestClosingSessionClosesItsTunnels(t *testing.T) {
	silent := listen(t, "127.0.0.1:0")
	accepted := make(chan net.Conn, 1)
	go func() {
		if c, err := silent.Accept(); err == nil {
			accepted <- c
		}
	}()
	host, port, _ := net.SplitHostPort(silent.Addr().String())
	s := startProxy(t, "127.0.0.1").Open()
	stdin, keepOpen := io.Pipe()
	defer keepOpen.Close()
	done := make(chan error, 1)
	go func() { done <- DialStdio(context.Background(), s.Addr(), s.Password(), host, port, stdin, io.Discard) }()
	c := <-accepted
	defer c.Close()
	s.Close()
	<-done
}
