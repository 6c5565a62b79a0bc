package browser

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// board is a dashboard and its API with a real store and a signed-in owner.
type board struct {
	*worktest.Env
	t     *testing.T
	url   string
	token string // of the owner's session
}

func startBoard(t *testing.T) *board {
	t.Helper()
	b := &board{Env: worktest.New(t), t: t, token: account.NewToken(rand.Reader)}
	log, masters, ids := slog.New(slog.DiscardHandler), [][]byte{[]byte(strings.Repeat("m", 32))},
		id.Source{Rand: rand.Reader}
	b.tx(func(tx *store.Tx) error {
		person, err := tx.CreatePerson(t.Context(), account.Person{Email: owner.email})
		if err != nil {
			return err
		}
		if _, err = tx.AddMember(t.Context(), b.Organization.ID, person.Email, account.RoleOwner); err != nil {
			return err
		}
		_, err = tx.CreateSession(t.Context(), account.Session{Hash: account.TokenHash(b.token), PersonID: person.ID,
			OrganizationID: b.Organization.ID, Method: "password"})
		return err
	})
	site := func(d string) string { return "https://" + d }
	handler := adminapi.New(adminapi.Options{Store: b.Store, Blob: b.Blob, Log: log, Now: b.Now, IDs: ids,
		Rand:    rand.Reader,
		Masters: masters, LinkLife: time.Hour, SiteURL: site, Description: api.JSON, Ready: b.Store.Ping})
	service := signin.New(signin.Options{Store: b.Store, Now: b.Now, Rand: rand.Reader, Log: log, Masters: masters,
		Limits: account.SessionLimits{Idle: time.Hour, Absolute: time.Hour}})
	server := httptest.NewServer(dashboard.New(dashboard.Options{Version: "test", API: handler, SignIn: service,
		Log: log, Now: b.Now,
		SiteURL: site, LivePoll: time.Millisecond}))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// open shows a page of the board to the owner.
func (b *board) open(p *page, path string) {
	b.t.Helper()
	at, err := url.Parse(b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, network.SetCookie, network.SetCookieParams{Name: "lectern_session",
		Value: b.token, Domain: at.Hostname(), Path: "/"}); err != nil {
		b.t.Fatal(err)
	}
	p.navigate(b.url + path)
	p.expectEqual("the page", p.path(), path)
}

func (b *board) tx(do func(*store.Tx) error) {
	b.t.Helper()
	if err := b.Store.Tx(b.t.Context(), do); err != nil {
		b.t.Fatal(err)
	}
}

// queue starts an export of a project as the API would.
func (b *board) queue(p project.Project) (j export.Job) {
	b.t.Helper()
	b.tx(func(tx *store.Tx) (err error) {
		j, err = tx.CreateExport(b.t.Context(),
			export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0], Version: "v1"})
		return err
	})
	return j
}

// runNextTask runs the next task as a server's worker does.
func (b *board) runNextTask() {
	e := &exportjob.Exporter{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Interval: time.Millisecond,
		Now: b.Now}
	p := &worker.Pool{Tasks: b.Store, Handlers: map[task.Kind]worker.Handler{task.Export: e}, Owner: "test",
		Lease: worktest.Lease, Heartbeat: 100 * time.Millisecond, Slots: 1, Now: b.Now,
		Logger: slog.New(slog.DiscardHandler),
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	if err := p.Work(b.t.Context(), task.Ordinary); err != nil {
		b.t.Error(err)
	}
}

// J5, J6, J8: an export's page follows the job from waiting to done without a reload, with figures that never decrease.
// A failed job shows the position of the error. A waiting one can be cancelled, and the list is updated.
func TestExportPagesFollowJobsLive(t *testing.T) {
	t.Parallel()
	b := startBoard(t)
	good := map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nHome.\n"}
	for i := range 200 {
		good["p"+strings.Repeat("x", i)+".mdx"] = startPage("Words.")
	}
	site := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, good)})
	const state = `document.querySelector('#progress .state').dataset.state`
	p, list := tab(t), tab(t)
	first := b.queue(site)
	b.open(list, "/dashboard/exports")
	b.open(p, "/dashboard/exports/"+first.ID)
	p.markDocument()
	p.waitFor(state + ` === 'queued'`)
	eval[bool](p,
		`(window.seen = [], new MutationObserver(() => { const bar = document.querySelector('#progress progress'); if (bar) window.seen.push(bar.value) })
		.observe(document.getElementById('progress'), {subtree: true, childList: true, characterData: true, attributes: true}), true)`)
	b.runNextTask()
	p.waitFor(state + ` === 'completed' && document.querySelector('#progress').textContent.includes('201')`)
	if fell := eval[bool](p,
		`window.seen.some((v, i) => i > 0 && v < window.seen[i-1]) || window.seen.at(-1) !== 100`); fell {
		t.Errorf("progress was %v", eval[[]float64](p, `window.seen`))
	}
	p.waitFor(`document.querySelector('form[action$="/bundle"] button') !== null`)
	p.expectSameDocument(true)

	bad := b.Project(t, "bad.example.com", project.Source{Path: worktest.Write(t,
		map[string]string{"docs.json": good["docs.json"], "index.mdx": "---\ntitle: [\n---\n"})})
	broken := b.queue(bad)
	b.open(p, "/dashboard/exports/"+broken.ID)
	p.markDocument()
	p.waitFor(state + ` === 'queued'`)
	b.runNextTask()
	p.waitFor(state + ` === 'failed' && document.querySelector('#findings').textContent.includes('index.mdx:2:8')`)
	p.expectSameDocument(true)

	waits := b.queue(site)
	b.open(p, "/dashboard/exports/"+waits.ID)
	p.waitFor(state + ` === 'queued'`)
	p.click("#cancel summary")
	p.clickAndLoad("#cancel button")
	p.waitFor(state + ` === 'failed' && document.querySelector('#progress').textContent.includes('` + owner.email + `')`)
	p.checkConsole()
	list.waitFor(
		`[...document.querySelectorAll('#exports tbody .state')].map((e) => e.dataset.state).join() === 'failed,failed,completed'`)
	list.checkConsole()
}
