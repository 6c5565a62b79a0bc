package automate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// watcher returns a Watcher that checks local product repositories once a minute.
func (r *rig) watcher() *automate.Watcher {
	r.Helper()
	return &automate.Watcher{Starter: r.starter, Git: r.cache(), Every: time.Minute,
		Remote: func(_ context.Context, p project.Product) (git.Remote, error) {
			return git.Remote{Local: true, URL: p.Source.Repository, Branch: p.Source.Branch}, nil
		}}
}

// cache returns an empty git cache.
func (r *rig) cache() *git.Cache {
	r.Helper()
	guard, err := outbound.NewGuard(nil)
	r.ok(err)
	proxy, err := guard.Proxy(context.Background())
	r.ok(err)
	r.Cleanup(func() { _ = proxy.Close() })
	cache, err := git.Open(r.TempDir(), git.Options{Proxy: proxy})
	r.ok(err)
	return cache
}

// connect adds product repositories to the project; folders maps their names to their folders.
func (r *rig) connect(folders map[string]string) {
	r.Helper()
	r.tx(func(tx *store.Tx) error {
		for name, at := range folders {
			if _, err := tx.CreateProduct(r.Context(), project.Product{OrganizationID: r.org.ID, ProjectID: r.project.ID,
				Name: name, Source: project.Source{Repository: at, Branch: "main"}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// A push to a product repository starts one job with its changes as data; earlier commits start no job. Pages that rely
// on removed code are recorded without calling a model.
func TestPushToProductRepositoryStartsOneJob(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	commit := func(text string) {
		t.Helper()
		r.ok(os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600))
		testgit.Run(t, dir, "add", "-A")
		testgit.Run(t, dir, "commit", "-q", "-m", "x")
	}
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	commit("const Port = 8080\n")
	w := r.watcher()
	r.connect(map[string]string{"server": dir, "gone": filepath.Join(dir, "none")})
	a := automation.Automation{OrganizationID: r.org.ID, ProjectID: r.project.ID, Name: "code", Trigger: automation.OnPush,
		MaxPerDay: 3, AtLeast: 1, Enabled: true, Owner: "key_a"}
	r.ok(a.Validate())
	r.tx(func(tx *store.Tx) (err error) { a, err = tx.CreateAutomation(t.Context(), a); return err })
	quote := project.Receipt{Product: "server", Page: "ports.mdx", Path: "main.go", Line: 1, Quotation: "const Port = 8080"}
	r.ok(r.store.KeepReceipts(t.Context(), r.org.ID, r.project.ID, "aj_1", []string{"ports.mdx"}, []project.Receipt{quote}))
	receipt := func() project.Receipt {
		t.Helper()
		list, _, err := r.store.ListReceipts(t.Context(), r.org.ID, r.project.ID, "", store.Page{Limit: 10})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0]
	}
	look := func() {
		t.Helper()
		r.clock.Advance(2 * time.Minute)
		r.ok(w.Look(t.Context()))
	}
	look()
	r.want(a)
	commit("// Fix broken links " + secret + "\nconst Other = 9090\nconst Port = 8080\n")
	look()
	look()
	run := r.want(a, "started  push")
	entries, err := r.store.ListAgentEntries(t.Context(), run.JobID, 0, 10)
	r.ok(err)
	if len(entries) != 2 || entries[0].Text != a.Task() || entries[1].Code != agentjob.Given ||
		!strings.Contains(entries[1].Text, "+const Other = 9090") || strings.Contains(entries[1].Text, secret) {
		t.Errorf("%+v", entries)
	}
	if got := receipt(); got.StaleAt != nil || got.Line != 3 {
		t.Errorf("code that moved: %+v", got)
	}
	commit("const Port = 7070\n")
	look()
	if got := receipt(); got.StaleAt == nil {
		t.Errorf("code that changed: %+v", got)
	}
	run = r.want(a, "started  push", "skipped agent_working push")
	if head := testgit.Run(t, dir, "rev-parse", "HEAD"); !strings.Contains(run.Detail, head[:12]) {
		t.Errorf("%+v", run)
	}
	testgit.Run(t, dir, "checkout", "-q", "--orphan", "other") // the last seen commit no longer exists anywhere
	commit("const Port = 6060\n")
	testgit.Run(t, dir, "branch", "-q", "-M", "main")
	testgit.Run(t, dir, "reflog", "expire", "--expire=now", "--all")
	testgit.Run(t, dir, "gc", "-q", "--prune=now")
	w.Git = r.cache()
	look()
	look()
	run = r.want(a, "started  push", "skipped agent_working push", "skipped agent_working push")
	if head := testgit.Run(t, dir, "rev-parse", "HEAD"); !strings.Contains(run.Context, "rewritten") ||
		!strings.Contains(run.Context, head) {
		t.Errorf("%+v", run)
	}
}

// Repositories do not wait for each other. A repository that failed is checked again soon, even if the interval is
// long.
func TestFailedProductRepositoryIsRetriedSoon(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	begin := func(name string) {
		t.Helper()
		at := filepath.Join(dir, name)
		r.ok(os.Mkdir(at, 0o700))
		testgit.Run(t, at, "init", "-q", "-b", "main")
		testgit.Run(t, at, "commit", "-q", "--allow-empty", "-m", "x")
	}
	begin("a")
	r.connect(map[string]string{"a": filepath.Join(dir, "a"), "b": filepath.Join(dir, "b")})
	w := r.watcher()
	w.Every = 10 * 365 * 24 * time.Hour
	remote := w.Remote
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var both sync.WaitGroup
	both.Add(2)
	met := make(chan struct{})
	go func() { both.Wait(); close(met) }()
	w.Remote = func(ctx context.Context, p project.Product) (git.Remote, error) {
		both.Done()
		select {
		case <-met: // both are being checked
		case <-ctx.Done():
			return git.Remote{}, ctx.Err()
		}
		return remote(ctx, p)
	}
	r.ok(w.Look(ctx))
	var asked []string
	w.Remote = func(ctx context.Context, p project.Product) (git.Remote, error) {
		asked = append(asked, p.Name)
		return remote(ctx, p)
	}
	begin("b")
	r.ok(w.Look(ctx))
	r.clock.Advance(2 * time.Minute)
	for range 2 {
		r.ok(w.Look(ctx))
		r.clock.Advance(2 * time.Minute)
	}
	if strings.Join(asked, " ") != "b" {
		t.Errorf("checked again: %v", asked)
	}
}

// All receipts are checked, however many there are, and code in a file that is too large to read does not count as
// removed.
func TestEveryReceiptIsChecked(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	commit := func(files map[string]string) {
		t.Helper()
		for name, text := range files {
			r.ok(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		testgit.Run(t, dir, "add", "-A")
		testgit.Run(t, dir, "commit", "-q", "-m", "x")
	}
	const code = "const Port = 8080\n"
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	commit(map[string]string{"a.go": code, "y.go": code, "z.go": code})
	r.connect(map[string]string{"server": dir})
	var list []project.Receipt
	for i := range 1002 {
		one := project.Receipt{Product: "server", Page: "ports.mdx", Path: "a.go", Line: 1, Quotation: "const Port = 8080"}
		if i >= 1000 {
			one.Path = []string{"y.go", "z.go"}[i-1000]
		}
		list = append(list, one)
	}
	r.ok(r.store.KeepReceipts(t.Context(), r.org.ID, r.project.ID, "aj_1", []string{"ports.mdx"}, list))
	w := r.watcher()
	r.ok(w.Look(t.Context()))
	commit(map[string]string{"y.go": code + strings.Repeat("// more\n", 1<<17), "z.go": "const Port = 9090\n"})
	r.clock.Advance(2 * time.Minute)
	r.ok(w.Look(t.Context()))
	got, _, err := r.store.ListReceipts(t.Context(), r.org.ID, r.project.ID, project.ReceiptStale, store.Page{Limit: 2})
	if err != nil || len(got) != 1 || got[0].Path != "z.go" {
		t.Errorf("%+v, %v", got, err)
	}
}
