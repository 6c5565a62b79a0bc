package apiproxy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// files are the files of a published site.
type files map[string][]byte

func (f files) Has(name string) bool { _, ok := f[name]; return ok }

func (f files) Read(_ context.Context, name string) ([]byte, error) { return f[name], nil }

// rig is a site with a proxy, and the proxy's log.
type rig struct {
	t     *testing.T
	site  *httptest.Server
	files files

	mu       sync.Mutex
	now      time.Time
	outcomes map[string]int
	audited  []string
	deaf     bool // the audit log cannot be written
	log      bytes.Buffer
	preview  bool
}

// Write collects the proxy's log.
func (g *rig) Write(p []byte) (int, error) { g.mu.Lock(); defer g.mu.Unlock(); return g.log.Write(p) }

func (g *rig) logged() string { g.mu.Lock(); defer g.mu.Unlock(); return g.log.String() }

// open serves a site whose descriptions list these origins. 127.0.0.2 stands for a public address.
func open(t *testing.T, opt apiproxy.Options, origins ...string) *rig {
	t.Helper()
	g := &rig{t: t, files: files{}, now: time.Unix(1_800_000_000, 0), outcomes: map[string]int{}}
	g.publish(origins...)
	if opt.Guard == nil {
		guard, err := outbound.NewGuard([]string{"127.0.0.2"})
		if err != nil {
			t.Fatal(err)
		}
		opt.Guard = guard
	}
	opt.Now = func() time.Time { g.mu.Lock(); defer g.mu.Unlock(); return g.now }
	opt.Logger = slog.New(slog.NewTextHandler(g, nil))
	opt.Count = func(outcome string) { g.mu.Lock(); defer g.mu.Unlock(); g.outcomes[outcome]++ }
	opt.Audit = func(_ context.Context, s siteapi.Site, origin string) error {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.deaf {
			return errors.New("the database is away")
		}
		g.audited = append(g.audited, s.ProjectID+" "+origin)
		return nil
	}
	proxy := apiproxy.New(opt)
	g.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxy.ServeSite(w, r, siteapi.Site{ProjectID: "prj_a", Host: "docs.example.com", Preview: g.preview,
			Library: sitereader.New("", g.files)})
	}))
	g.site.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	t.Cleanup(g.site.Close)
	return g
}

func (g *rig) publish(origins ...string) {
	raw, err := json.Marshal(origins)
	if err != nil {
		g.t.Fatal(err)
	}
	g.files[capability.OriginsFile] = raw
}

func (g *rig) counted(outcome string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outcomes[outcome]
}

// call is a request sent by a page of the site.
type call struct {
	target, method string
	headers        [][2]string
	body           []byte
	outer          http.Header // headers of the browser's own request
}

// reply is the response that the page received.
type reply struct {
	*http.Response
	body    []byte
	broken  error // the connection ended before the response
	headers [][2]string
	code    string // code of a refusal
}

func (g *rig) send(c call) reply {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.site.URL+capability.ProxyPath,
		bytes.NewReader(c.body))
	if err != nil {
		g.t.Fatal(err)
	}
	if c.method == "" {
		c.method = http.MethodGet
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header["Lectern-Target"] = []string{c.target}
	r.Header.Set("Lectern-Method", c.method)
	if c.headers != nil {
		raw, _ := json.Marshal(c.headers)
		r.Header.Set("Lectern-Headers", base64.RawURLEncoding.EncodeToString(raw))
	}
	for name, values := range c.outer {
		r.Header[name] = values
	}
	return g.do(r)
}

func (g *rig) do(r *http.Request) reply {
	g.t.Helper()
	// Use a new connection, because one that the proxy has just closed must not carry the next request.
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	out := reply{Response: resp}
	out.body, out.broken = io.ReadAll(resp.Body)
	if raw, err := base64.RawURLEncoding.DecodeString(resp.Header.Get("Lectern-Headers")); err == nil && len(raw) > 0 {
		if err := json.Unmarshal(raw, &out.headers); err != nil {
			g.t.Fatalf("headers %q: %v", raw, err)
		}
	}
	if resp.Header.Get("Lectern-Status") == "" {
		var refusal struct{ Error, Code string }
		_ = json.Unmarshal(out.body, &refusal) // the response to a probe has no body
		out.code = refusal.Code
		if out.code != "" && refusal.Error == "" {
			g.t.Errorf("%s has no message", out.code)
		}
	}
	return out
}

// refused fails the test unless the reply is a refusal with that status and code.
func (g *rig) refused(what string, got reply, status int, code string) {
	g.t.Helper()
	if got.StatusCode != status || got.code != code || got.Header.Get("Lectern-Status") != "" {
		g.t.Errorf("%s: %d %s %.200s, want %d %s", what, got.StatusCode, got.code, got.body, status, code)
	}
}

func (r reply) header(name string) string {
	var values []string
	for _, p := range r.headers {
		if p[0] == name {
			values = append(values, p[1])
		}
	}
	return strings.Join(values, "|")
}

// api is an API at a loopback address that counts its connections.
type api struct {
	*httptest.Server
	mu   sync.Mutex
	seen int
}

func serveAt(t *testing.T, address string, h http.HandlerFunc) *api {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	a := &api{}
	a.Server = &httptest.Server{Listener: l,
		Config: &http.Server{Handler: h, ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				a.mu.Lock()
				a.seen++
				a.mu.Unlock()
			}
		}}}
	a.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	a.Start()
	t.Cleanup(a.Close)
	return a
}

func (a *api) connections() int { a.mu.Lock(); defer a.mu.Unlock(); return a.seen }

func (a *api) port() string {
	_, port, _ := net.SplitHostPort(a.Listener.Addr().String())
	return port
}
