package dashboard_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var master = bytes.Repeat([]byte("m"), 32)

const lease = time.Minute

// parts are the options of a rig; tests change them before it starts.
type parts struct {
	API       adminapi.Options
	SignIn    signin.Options
	Dashboard dashboard.Options
	wrap      func(api http.Handler) http.Handler // wraps the API that the dashboard uses; nil = the API itself
}

// rig is a dashboard on the real admin API, on a real database, blob folder and Git, with two organizations.
type rig struct {
	t      testing.TB
	store  *store.Store
	dbFile string
	blob   *disk.Store
	git    *git.Cache
	home   *local.Home // the embedded code host
	source *snapshot.Fetcher
	clock  *worktest.Clock
	log    *worktest.Log
	ids    id.Source
	signin *signin.Service
	api    http.Handler
	server *httptest.Server // serves both the dashboard and the API on 127.0.0.1
	stop   chan struct{}    // closed when the server stops
	a, b   *tenant
	flash  map[string]*http.Cookie // other cookies of each browser, besides the session
	people map[string]*somebody    // owner, admin, editor and viewer of a; foreign is the owner of b
}

// somebody is a person who is signed in.
type somebody struct {
	person account.Person
	member account.Member
	token  string // of the session; the value of the cookie
}

// newRig starts a dashboard; changes may modify its options.
func newRig(t testing.TB, changes ...func(*parts)) *rig {
	t.Helper()
	r := &rig{t: t, clock: newClock(), log: &worktest.Log{},
		ids:  id.Source{Rand: rand.Reader},
		stop: make(chan struct{}), people: map[string]*somebody{}, flash: map[string]*http.Cookie{}}
	start := seeded(t)
	r.open(start.database)
	p := r.parts()
	for _, change := range changes {
		change(&p)
	}
	r.signin, r.api = signin.New(p.SignIn), adminapi.New(p.API)
	p.Dashboard.SignIn, p.Dashboard.API = r.signin, r.api
	if p.wrap != nil {
		p.Dashboard.API = p.wrap(r.api)
	}
	board := dashboard.New(p.Dashboard)
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case dashboard.Mine(q.URL.Path):
			board.ServeHTTP(w, q)
		case strings.HasPrefix(q.URL.Path, "/blob/"):
			r.blob.ServeHTTP(w, q)
		default:
			r.api.ServeHTTP(w, q)
		}
	}))
	t.Cleanup(r.server.Close)
	r.a, r.b = r.adopt(start.a), r.adopt(start.b)
	for name, p := range start.people {
		r.people[name] = &p
	}
	return r
}

// open opens the parts of the rig that must be closed later, on a database with the given content.
func (r *rig) open(database []byte) {
	t, dir := r.t, r.t.TempDir()
	r.dbFile = filepath.Join(dir, "ledger.db")
	must(t, os.WriteFile(r.dbFile, database, 0o600))
	var err error
	r.store, err = store.Open(t.Context(), store.Options{URL: r.dbFile, Now: r.clock.Now, IDs: r.ids,
		Wake:    func(context.Context, any, task.Lane) error { return nil },
		Domains: project.DomainPolicy{Open: []string{"example"}}})
	must(t, err)
	t.Cleanup(func() { _ = r.store.Close() })
	signer, err := blob.NewSigner(master, nil, r.clock.Now)
	must(t, err)
	r.blob, err = disk.Open(filepath.Join(dir, "blobs"), signer, func() string { return r.server.URL })
	must(t, err)
	t.Cleanup(func() { _ = r.blob.Close() })
	guard, err := outbound.NewGuard(nil)
	must(t, err)
	proxy, err := guard.Proxy(t.Context())
	must(t, err)
	t.Cleanup(func() { _ = proxy.Close() })
	own := filepath.Join(dir, "proposals")
	r.git, err = git.Open(filepath.Join(dir, "git"), git.Options{Proxy: proxy, Own: own})
	must(t, err)
	r.source = &snapshot.Fetcher{Git: r.git, Local: localdir.Anywhere, Blob: r.blob, Own: own}
	r.home = &local.Home{Git: r.git, Dir: own, Source: r.source,
		Scratch:   func(string) (string, func() error, error) { return t.TempDir(), func() error { return nil }, nil },
		Proposals: merge.Ledger{Store: r.store, Now: r.clock.Now}, Link: func(projectID, id string) string {
			return "http://localhost" + proposal.Page(projectID, id)
		}, Now: r.clock.Now}
}

// newClock returns the clock of a rig.
func newClock() *worktest.Clock {
	return worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC))
}

// apiDescription is loaded only once: it is long, and no test changes it.
var apiDescription = sync.OnceValues(api.JSON)

func (r *rig) parts() parts {
	merger := &merge.Merger{Store: r.store, Home: r.home, Local: localdir.Anywhere, Now: r.clock.Now}
	log := slog.New(slog.NewTextHandler(r.log, nil))
	site := func(domain string) string { return "http://" + domain + ":8080" }
	models := []string{"builtin", "example-model"}
	return parts{
		API: adminapi.Options{
			Store: r.store, Blob: r.blob, Log: log, Now: r.clock.Now, IDs: r.ids, Rand: rand.Reader,
			Masters: [][]byte{master}, RateLimit: 1_000_000,
			LinkLife: time.Hour, PreviewDomain: "preview.localhost",
			LocalSource: func(context.Context, string, string) error { return nil }, SiteURL: site,
			PreviewURL: func(d string) string {
				return "http://" + deploy.HostLabel(d) + ".preview.localhost:8080"
			},
			ValidateRepository: func(url string) error { return git.ValidateURL(url, true) },
			ValidateBranch:     git.ValidateBranch,
			Deployment: feature.Decide(feature.Setup{Type: feature.ClientHosted, Search: "on", Analytics: "on",
				Assistant: "auto"}),
			Version: "0.0.0-test", Description: apiDescription, Ready: r.store.Ping,
			// not used by any page
			Libraries: func(context.Context, string, string, reader.View) (*sitereader.Library, error) {
				return nil, context.Canceled
			},
			AgentModels: models, Merger: merger, Reviewer: merger,
			Stopping: r.stop, StreamPoll: 2 * time.Millisecond, StreamBeat: 50 * time.Millisecond,
		},
		SignIn: signin.Options{Store: r.store, Now: r.clock.Now, Rand: rand.Reader, Log: log, Masters: [][]byte{master},
			Passwords: cheap, Limits: account.SessionLimits{Idle: 12 * time.Hour, Absolute: 7 * 24 * time.Hour}},
		Dashboard: dashboard.Options{Version: "0.0.0-test", DocsURL: "https://docs.lectern.example", Log: log,
			Now: r.clock.Now,
			Readers: siteaccess.New(siteaccess.Options{Store: r.store, Counts: r.store, Sites: r.store, Now: r.clock.Now,
				Rand: rand.Reader, Log: log,
				Masters: [][]byte{master}, SiteURL: site, PreviewDomain: "preview.localhost"}),
			Models: models, SiteURL: site, Stopping: r.stop, LivePoll: 2 * time.Millisecond},
	}
}

// newPerson stores a member who is signed in and has no password.
func (r *rig) newPerson(email, organizationID string, role account.Role) *somebody {
	r.t.Helper()
	s, ctx := &somebody{token: account.NewToken(rand.Reader)}, r.t.Context()
	must(r.t, r.store.Tx(ctx, func(tx *store.Tx) (err error) {
		if s.person, err = tx.CreatePerson(ctx, account.Person{Email: email}); err != nil {
			return err
		}
		if s.member, err = tx.AddMember(ctx, organizationID, email, role); err != nil {
			return err
		}
		_, err = tx.CreateSession(ctx, account.Session{Hash: account.TokenHash(s.token), PersonID: s.person.ID,
			OrganizationID: organizationID, Method: "password"})
		return err
	}))
	return s
}

// reply is a response.
type reply struct {
	status int
	header http.Header
	body   string
}

// get requests a page as one of the rig's people; "" is an anonymous visitor. For a redirect, body is its target.
func (r *rig) get(who, path string) (status int, body string) {
	r.t.Helper()
	got := r.send(who, http.MethodGet, path, nil)
	return got.status, got.shown()
}

// post submits a form as one of the rig's people would on a page, with the session's form token. For a redirect, body
// is its target.
func (r *rig) post(who, path string, form url.Values) (status int, body string) {
	r.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	if s := r.people[who]; s != nil && !form.Has("csrf") {
		form.Set("csrf", account.FormToken(s.token))
	}
	got := r.send(who, http.MethodPost, path, form)
	return got.status, got.shown()
}

func (p reply) shown() string {
	if to := p.header.Get("Location"); to != "" {
		return to
	}
	return p.body
}

// send sends a request as it is, with the cookie of a person; changes may modify it.
func (r *rig) send(who, method, path string, form url.Values, changes ...func(*http.Request)) reply {
	r.t.Helper()
	res := r.start(who, method, path, form, changes...)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	must(r.t, err)
	return reply{res.StatusCode, res.Header, string(raw)}
}

// start sends a request without reading the response's body, for streams.
func (r *rig) start(who, method, path string, form url.Values, changes ...func(*http.Request)) *http.Response {
	r.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+path, body)
	must(r.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if s := r.people[who]; s != nil {
		req.AddCookie(&http.Cookie{Name: "lectern_session", Value: s.token})
	} else if who != "" {
		r.t.Fatalf("there is no person %q", who)
	}
	if c := r.flash[who]; c != nil {
		req.AddCookie(c)
	}
	for _, change := range changes {
		change(req)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: r.server.Client().Transport}
	res, err := client.Do(req)
	must(r.t, err)
	for _, c := range res.Cookies() {
		if c.Name == "lectern_did" && c.MaxAge < 0 {
			delete(r.flash, who)
		} else if c.Name == "lectern_did" {
			r.flash[who] = c
		}
	}
	return res
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
