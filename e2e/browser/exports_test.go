package browser

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/adminapi"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/exportjob"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/project"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/task"
	"github.com/lectern-docs/lectern/internal/worker"
	"github.com/lectern-docs/lectern/internal/worktest"
)

// board is a dashboard and the API behind it, on a real store.
type board struct {
	*worktest.Bench
	t      *testing.T
	url    string
	secret string // admin API key
}

func startBoard(t *testing.T) *board {
	t.Helper()
	b := &board{Bench: worktest.New(t), t: t, secret: account.NewSecret(rand.Reader)}
	master := []byte(strings.Repeat("m", 32))
	k, err := account.NewKey(b.Organization.ID, account.Request{Label: "browser"}, b.Now())
	if err != nil {
		t.Fatal(err)
	}
	k.Prefix, k.Hash = account.Visible(b.secret), account.NewHasher(master).Hash(b.secret)
	b.tx(func(tx *store.Tx) error { _, err := tx.CreateKey(t.Context(), k); return err })
	description, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	handler := adminapi.New(adminapi.Options{Store: b.Store, Blob: b.Blob, Log: slog.New(slog.DiscardHandler), Now: b.Now, IDs: id.Source{Rand: rand.Reader}, Rand: rand.Reader,
		Masters: [][]byte{master}, LinkLife: time.Hour, SiteURL: func(d string) string { return "https://" + d }, Description: description, Ready: b.Store.Ping})
	pages := dashboard.New(dashboard.Options{Version: "test"})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, dashboard.AssetPath) {
			pages.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
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
		j, err = tx.CreateExport(b.t.Context(), export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0], Version: "v1"})
		return err
	})
	return j
}

// work does the next task as a server's worker does.
func (b *board) work() {
	e := &exportjob.Exporter{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Interval: time.Millisecond, Now: b.Now}
	p := &worker.Pool{Tasks: b.Store, Handlers: map[task.Kind]worker.Handler{task.Export: e}, Owner: "test", Lease: worktest.Lease, Heartbeat: 100 * time.Millisecond, Slots: 1, Now: b.Now,
		Logger: slog.New(slog.DiscardHandler), Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
	if err := p.Work(b.t.Context(), task.Ordinary); err != nil {
		b.t.Error(err)
	}
}

// The page of exports shows a job from waiting to done without being loaded again, with figures that never fall; a failed one names its
// page; one that runs can be cancelled (J5, J6, J8).
func TestThePageOfExportsFollowsJobsLive(t *testing.T) {
	b := startBoard(t)
	good := map[string]string{"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`, "index.mdx": "---\ntitle: Home\n---\nHome.\n"}
	for i := range 200 {
		good["p"+strings.Repeat("x", i)+".mdx"] = startPage("Words.")
	}
	site := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, good)})
	first := b.queue(site)
	p := openURL(t, b.url+dashboard.AssetPath+"exports")
	enter := func(key string) {
		eval[bool](p, `(document.getElementById('key').value = '`+key+`', document.querySelector('#open button').click(), true)`)
	}
	enter("lectern_wrong")
	p.until(`!document.getElementById('trouble').hidden && document.getElementById('trouble').textContent.length > 10`)
	enter(b.secret)
	card := func(j export.Job) string { return `document.getElementById('` + j.ID + `')` }
	p.until(card(first) + `?.dataset.status === 'queued'`)
	eval[bool](p, `(window.seen = [], new MutationObserver(() => { const bar = `+card(first)+`.querySelector('progress'); window.seen.push(bar.value) })
		.observe(`+card(first)+`, {subtree: true, childList: true, characterData: true, attributes: true}), true)`)
	b.work()
	p.until(card(first) + `.dataset.status === 'completed'`)
	if fell := eval[bool](p, `window.seen.some((v, i) => i > 0 && v < window.seen[i-1]) || window.seen.at(-1) !== 100`); fell {
		t.Errorf("progress was %v", eval[[]float64](p, `window.seen`))
	}
	p.until(card(first) + `.querySelector('.doing').textContent.includes('201 pages')`)
	p.until(card(first) + `.querySelectorAll('button').length === 2`)

	bad := b.Project(t, "bad.example.com", project.Source{Path: worktest.Write(t, map[string]string{"docs.json": good["docs.json"], "index.mdx": "---\ntitle: [\n---\n"})})
	broken := b.queue(bad)
	enter(b.secret)
	p.until(card(broken) + `?.dataset.status === 'queued'`)
	b.work()
	p.until(card(broken) + `.dataset.status === 'failed' && ` + card(broken) + `.querySelector('.found').textContent.includes('index.mdx:2:8')`)

	waits := b.queue(site)
	enter(b.secret)
	p.until(card(waits) + `?.dataset.status === 'queued'`)
	eval[bool](p, `(`+card(waits)+`.querySelector('button').click(), true)`)
	p.until(card(waits) + `.dataset.status === 'failed' && ` + card(waits) + `.querySelector('.doing').textContent.includes('canceled by the key “browser”')`)
	p.quietBut("Failed to load resource: the server responded with a status of 401")
}
