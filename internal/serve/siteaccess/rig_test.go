package siteaccess_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const (
	goodPassword = "seven green bicycles"
	canary       = "canary-7c1"
)

var master = bytes.Repeat([]byte("m"), 32)

// cheap is the hashing cost in tests, which sign in often.
var cheap = passhash.Cost{Memory: 64, Passes: 1}

var files = map[string]string{
	"docs.json": `{"name":"Acme <Docs>","theme":"mint","colors":{"primary":"#112233"},"logo":"/logo.svg",
		"navigation":{"pages":["index","guides/canary-7c1","log"]},
		"redirects":[{"source":"/old","destination":"/guides/canary-7c1"}]}`,
	"index.mdx":             "---\ntitle: Home canary-7c1\n---\ncanary-7c1\n",
	"guides/canary-7c1.mdx": "---\ntitle: Start\n---\n## canary-7c1 heading\n\ncanary-7c1\n",
	"log.mdx":               "---\ntitle: Log\nrss: true\n---\n\n<Update label=\"canary-7c1\">New.</Update>\n",
	"logo.svg":              `<svg xmlns="http://www.w3.org/2000/svg"><title>canary-7c1</title></svg>`,
}

// rig is a server with published sites, reached over TLS.
type rig struct {
	*worktest.Env
	t        *testing.T
	database string
	address  string
	readers  *siteaccess.Service
	log      *worktest.Log
	limits   account.SessionLimits

	mu     sync.Mutex
	reader access.Reader // reader of the last request that reached an endpoint
	waits  []time.Duration
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{Env: worktest.Open(t, dir), database: filepath.Join(dir, "test.db"), t: t, log: &worktest.Log{},
		limits: account.SessionLimits{Idle: time.Hour, Absolute: 8 * time.Hour}}
	r.address = r.serve(r.Store)
	return r
}

// serve starts another server with a store and returns its address.
func (r *rig) serve(st *store.Store) string {
	logger := slog.New(slog.NewTextHandler(r.log, nil))
	r.readers = siteaccess.New(siteaccess.Options{Store: st, Counts: st, Sites: st, Now: r.Now, Rand: rand.Reader, Log: logger,
		Masters: [][]byte{master}, Limits: r.limits, Passwords: cheap,
		Keys: auth.New(auth.Options{Keys: st, Masters: [][]byte{master}, Now: r.Now}),
		Wait: func(_ context.Context, d time.Duration) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.waits = append(r.waits, d)
			return nil
		},
		Dashboard: func() string { return "https://lectern.example" }, PreviewDomain: "preview.example",
		SiteURL: func(host string) string { return "https://" + host }})
	host := sitehost.New(sitehost.Options{Sites: st, Blob: r.Blob, CacheBytes: 1 << 22, Logger: logger, Now: r.moving(),
		PreviewDomain: "preview.example", Access: r.readers,
		Endpoints: map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New(), capability.AskPath: r,
			capability.ProxyPath: r, capability.CountPath: r},
		Agents: mcp.New(mcp.Options{Version: "1", Now: r.Now, Logger: logger})})
	server := httptest.NewTLSServer(host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h }))
	r.t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// moving returns a clock that advances with each call, so that the host caches nothing between requests.
func (r *rig) moving() func() time.Time {
	var mu sync.Mutex
	ahead := time.Duration(0)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		ahead += time.Second
		return r.Now().Add(ahead)
	}
}

// ServeSite is an endpoint that must not be reached without a session.
func (r *rig) ServeSite(w http.ResponseWriter, req *http.Request, _ siteapi.Site) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reader = siteapi.ReaderOf(req)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	_, _ = io.WriteString(w, canary+" "+req.Header.Get("Authorization"))
}

func (r *rig) site(domain string, kind deploy.Kind) (project.Project, deploy.Deployment) {
	r.t.Helper()
	p := r.Project(r.t, domain, project.Source{Path: worktest.Write(r.t, files)})
	return p, r.publish(p, kind)
}

func (r *rig) publish(p project.Project, kind deploy.Kind) deploy.Deployment {
	r.t.Helper()
	branch := ""
	if kind == deploy.Preview {
		branch = "next"
	}
	d := r.QueueDeployment(r.t, p, kind, branch)
	pub := &publish.Publisher{Store: r.Store, Blob: r.Blob, Source: r.Source, Scratch: r.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: r.Now,
		Offers: capability.Offers{Search: true}}
	r.ok(pub.Run(r.t.Context(), r.Take(r.t)))
	return d
}

func (r *rig) ok(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) tx(do func(*store.Tx) error) { r.t.Helper(); r.ok(r.Store.Tx(r.t.Context(), do)) }

// protect sets who may read a project's site; the password, if any, is goodPassword.
func (r *rig) protect(p project.Project, mode access.Mode) (a access.Settings) {
	r.t.Helper()
	a = access.Settings{ProjectID: p.ID, Mode: mode}
	if mode == access.Password {
		a.PasswordHash = cheap.Hash(rand.Reader, goodPassword)
	}
	r.tx(func(tx *store.Tx) (err error) {
		a, err = tx.SetReaderAccess(r.t.Context(), a)
		return err
	})
	return a
}

// browser stores cookies and does not follow redirects by itself.
type browser struct {
	r      *rig
	client *http.Client
	jar    *cookiejar.Jar
}

func (r *rig) browser() *browser { return r.browserAt(r.address) }

func (r *rig) browserAt(address string) *browser {
	jar, err := cookiejar.New(nil)
	r.ok(err)
	return &browser{r: r, jar: jar, client: &http.Client{Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, network, address)
			}}}}
}

// answer is a response whose body was read.
type answer struct {
	*http.Response
	text string
}

func (b *browser) do(method, address, body string, headers ...string) answer {
	b.r.t.Helper()
	q, err := http.NewRequestWithContext(b.r.t.Context(), method, address, strings.NewReader(body))
	b.r.ok(err)
	if method == http.MethodPost {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.client.Do(q)
	b.r.ok(err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	b.r.ok(err)
	return answer{res, string(raw)}
}

// page requests a page as a person's browser does.
func (b *browser) page(address string) answer {
	return b.do(http.MethodGet, address, "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8", "Sec-Fetch-Dest",
		"document")
}

// signIn submits the form on the sign-in page.
func (b *browser) signIn(host, password, next string) answer {
	return b.do(http.MethodPost, "https://"+host+"/login", url.Values{"password": {password}, "next": {next}}.Encode(),
		"Sec-Fetch-Site", "same-origin")
}

// session returns the browser's cookie for a host.
func (b *browser) session(host string) string {
	for _, c := range b.jar.Cookies(&url.URL{Scheme: "https", Host: host, Path: "/"}) {
		if c.Name == "__Host-lectern-reader" {
			return c.Value
		}
	}
	return ""
}

func (b *browser) setSession(host, value string) {
	b.jar.SetCookies(&url.URL{Scheme: "https", Host: host}, []*http.Cookie{{Name: "__Host-lectern-reader", Value: value,
		Path: "/", Secure: true}})
}

// reads reports whether the browser gets the site's first page.
func (b *browser) reads(host string) bool {
	b.r.t.Helper()
	a := b.page("https://" + host + "/")
	if a.StatusCode == http.StatusOK && strings.Contains(a.text, canary) {
		return true
	}
	if a.StatusCode != http.StatusSeeOther || strings.Contains(a.text, canary) {
		b.r.t.Fatalf("%s: %d %s", host, a.StatusCode, a.text)
	}
	return false
}

func lookOf(context.Context) siteapi.Look { return siteapi.Look{} }

// cookies returns all cookies that the browser has for a host.
func (b *browser) cookies(host string) []*http.Cookie {
	return b.jar.Cookies(&url.URL{Scheme: "https", Host: host, Path: "/"})
}

func (b *browser) setCookies(host string, list []*http.Cookie) {
	for _, c := range list {
		c.Path, c.Secure = "/", true
	}
	b.jar.SetCookies(&url.URL{Scheme: "https", Host: host}, list)
}
