// Package worktest sets up the environment for tests of background jobs: a real database, blob store and source in
// temporary folders.
//
// Inputs: a test. Outputs: an environment whose parts are real; the test controls only the clock and the queue's
// wake-up. Only tests import it.
package worktest

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

// Lease is long enough that no lease expires during a test unless the test advances the clock.
const Lease = time.Minute

// Env is an environment with one organization.
type Env struct {
	Store        *store.Store
	Blob         blob.Store
	Source       *snapshot.Fetcher
	Scratch      *scratch.Space
	ScratchDir   string
	Organization account.Organization
	Now          func() time.Time

	ahead atomic.Int64 // nanoseconds by which Now is ahead of the machine's clock
}

// Advance moves the environment's clock forward, so that tests need not wait for days.
func (b *Env) Advance(d time.Duration) { b.ahead.Add(int64(d)) }

// New creates an environment that is closed at the end of the test.
func New(t testing.TB) *Env {
	t.Helper()
	return Open(t, t.TempDir())
}

// Open creates an environment in a folder that may contain the state of an earlier one, for example of a process
// that was killed.
func Open(t testing.TB, dir string) *Env {
	t.Helper()
	b := &Env{ScratchDir: filepath.Join(dir, "work")}
	b.Now = func() time.Time { return time.Now().Add(time.Duration(b.ahead.Load())) }
	ctx := context.Background()
	var err error
	check := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	database := filepath.Join(dir, "test.db")
	_, missing := os.Stat(database)
	if missing != nil {
		storetest.SQLite(t, database)
	}
	b.Store, err = store.Open(ctx,
		store.Options{URL: database, Now: b.Now, IDs: id.Source{Rand: rand.Reader},
			Wake: func(context.Context, any, task.Lane) error { return nil }})
	check()
	t.Cleanup(func() { _ = b.Store.Close() })
	if missing == nil { // a new file has all tables
		_, err = b.Store.Migrate(ctx)
		check()
	}
	signer, err := blob.NewSigner([]byte("0123456789abcdef0123456789abcdef"), nil, b.Now)
	check()
	d, err := disk.Open(filepath.Join(dir, "blobs"), signer, func() string { return "http://localhost" })
	check()
	t.Cleanup(func() { _ = d.Close() })
	b.Blob = d
	b.Scratch, err = scratch.Open(b.ScratchDir)
	check()
	t.Cleanup(func() { _ = b.Scratch.Close() })
	guard, err := outbound.NewGuard(nil)
	check()
	proxy, err := guard.Proxy(ctx)
	check()
	t.Cleanup(func() { _ = proxy.Close() })
	git, err := git.Open(filepath.Join(dir, "git"), git.Options{Proxy: proxy, Own: filepath.Join(dir, "proposals")})
	check()
	b.Source = &snapshot.Fetcher{Git: git, Local: localdir.Anywhere, Blob: d, Own: filepath.Join(dir, "proposals"),
		BuiltIn: fstest.MapFS{"index.mdx": {Data: []byte("# Built in\n")}}}
	err = b.Store.Tx(ctx, func(t *store.Tx) error {
		all, err := t.ListOrganizations(ctx)
		if err != nil || len(all) > 0 {
			b.Organization = append(all, b.Organization)[0]
			return err
		}
		b.Organization, err = t.CreateOrganization(ctx, "Test", account.PlanEnterprise)
		return err
	})
	check()
	return b
}

// Write writes files into a new folder.
func Write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	Rewrite(t, dir, files)
	return dir
}

// Rewrite writes files into a folder and replaces existing files with the same name.
func Rewrite(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Project creates a project.
func (b *Env) Project(t testing.TB, domain string, source project.Source) project.Project {
	t.Helper()
	var p project.Project
	err := b.Store.Tx(context.Background(), func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(context.Background(),
			project.Project{OrganizationID: b.Organization.ID, Name: domain, Domains: []string{domain}, Source: source})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// QueueDeployment queues a deployment of the project.
func (b *Env) QueueDeployment(t testing.TB, p project.Project, kind deploy.Kind, branch string) deploy.Deployment {
	t.Helper()
	var d deploy.Deployment
	err := b.Store.Tx(context.Background(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(context.Background(), p, kind, branch, "api")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Take takes the next task from the queue, the way a worker does.
func (b *Env) Take(t testing.TB) task.Hold {
	t.Helper()
	got, ok, err := b.Store.TakeTask(context.Background(), "test", Lease, false)
	if err != nil || !ok {
		t.Fatalf("no task to take: %v", err)
	}
	return task.Hold{TaskID: got.ID, Fence: got.Fence}
}

// Keys lists the keys in the blob store with a prefix.
func (b *Env) Keys(t testing.TB, prefix string) []string {
	t.Helper()
	var keys []string
	if err := b.Blob.List(context.Background(), prefix,
		func(i blob.Info) error { keys = append(keys, i.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	return keys
}
