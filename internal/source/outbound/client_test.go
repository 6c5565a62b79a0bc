package outbound

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func get(t *testing.T, c *http.Client, url string, header ...string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// F4: bodies with a declared length, endless bodies and compressed bodies end at the limit.
func TestBodiesAreCappedAtLimit(t *testing.T) {
	const limit = 1 << 16
	c := newGuard(t, "127.0.0.1").Client(Limits{Bytes: limit})
	chunk := strings.Repeat("x", 4096)
	bodies := map[string]http.HandlerFunc{
		"announced": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000000")
			_, _ = io.WriteString(w, chunk)
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		},
		"gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 1000 {
				_, _ = io.WriteString(z, chunk)
			}
			_ = z.Close()
		},
	}
	for name, h := range bodies {
		body, err := get(t, c, serve(t, h))
		if !fault.HasCode(err, "response_too_large") || len(body) > limit {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
	}
	exact := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("y", limit))
	})
	if body, err := get(t, c, exact); err != nil || len(body) != limit {
		t.Errorf("a body of exactly the limit: %d bytes, %v", len(body), err)
	}
}

// F4: a server that stalls after the headers does not hold the caller beyond the limit.
func TestSlowResponseEndsAtTimeLimit(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	start := time.Now()
	_, err := get(t, newGuard(t, "127.0.0.1").Client(Limits{Time: 100 * time.Millisecond}), url)
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() || time.Since(start) > 5*time.Second {
		t.Fatalf("after %v: %v", time.Since(start), err)
	}
}

func TestHugeHeadersAreRefused(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Big", strings.Repeat("h", 1<<20))
	})
	if _, err := get(t, newGuard(t, "127.0.0.1").Client(Limits{}), url); err == nil {
		t.Fatal("a header of 1 MiB was accepted")
	}
}

// F3: a redirect to a private address, to another scheme, or without end is refused.
func TestRedirectsAreCheckedHopByHop(t *testing.T) {
	trap := listen(t, "127.0.0.2:0")
	hit := make(chan struct{}, 1)
	go func() {
		if c, err := trap.Accept(); err == nil {
			c.Close()
			hit <- struct{}{}
		}
	}()
	c := newGuard(t, "127.0.0.1").Client(Limits{Redirects: 3})
	for to, code := range map[string]string{
		"http://" + trap.Addr().String() + "/": "address_not_allowed",
		"http://169.254.169.254/latest":        "address_not_allowed",
		"file:///etc/passwd":                   "address_not_allowed",
		"gopher://127.0.0.1/":                  "address_not_allowed",
		"/again":                               "too_many_redirects",
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		if _, err := get(t, c, url); !fault.HasCode(err, code) {
			t.Errorf("%s: %v, want %s", to, err, code)
		}
	}
	select {
	case <-hit:
		t.Fatal("a connection to the inner address was made")
	default:
	}
}

func TestNegativeRedirectLimitReturnsRedirectResponse(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) })
	resp, err := newGuard(t, "127.0.0.1").Client(Limits{Redirects: -1}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusFound {
		t.Fatalf("status %d", resp.StatusCode)
	}
}

// F3: credentials do not cross to another origin, not even to another port, and not on the way back.
func TestCredentialsDoNotCrossOrigins(t *testing.T) {
	type seen struct{ auth, cookie, key, accept, referer string }
	var got []seen
	note := func(r *http.Request) {
		h := r.Header
		got = append(got, seen{h.Get("Authorization"), h.Get("Cookie"), h.Get("X-Api-Key"), h.Get("Accept"),
			h.Get("Referer")})
	}
	var home string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		note(r)
		http.Redirect(w, r, home+"/back", http.StatusFound)
	})
	home = serve(t, func(w http.ResponseWriter, r *http.Request) {
		note(r)
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, "/same", http.StatusFound)
		case "/same":
			http.Redirect(w, r, other, http.StatusFound)
		}
	})
	c := newGuard(t, "127.0.0.1").Client(Limits{})
	if _, err := get(t, c, home+"/", "Authorization", "Bearer s", "Cookie", "c=1", "X-Api-Key", "k", "Accept",
		"text/x"); err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 {
		t.Fatalf("%d requests", len(got))
	}
	for i, s := range got {
		if i < 2 && (s.auth == "" || s.cookie == "" || s.key == "") {
			t.Errorf("hop %d on the same origin lost its credentials: %+v", i, s)
		}
		if i >= 2 && (s.auth+s.cookie+s.key+s.referer != "" || s.accept != "text/x") {
			t.Errorf("hop %d: %+v", i, s)
		}
	}
}

func TestCancellingContextEndsDial(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newGuard(t, "127.0.0.1").DialContext(ctx, "tcp", "127.0.0.1:9"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
