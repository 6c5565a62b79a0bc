package publish_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/jobs/worker"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// D4: a lost or damaged manifest or pack of the live site does not prevent the next update from being published
// completely.
func TestUpdateRepairsALiveSiteThatLostItsFiles(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, b *worktest.Env, live deploy.Deployment, m deploy.Manifest){
		"lost manifest": func(t *testing.T, b *worktest.Env, live deploy.Deployment, _ deploy.Manifest) {
			check(t, b.Blob.Delete(t.Context(), live.ManifestKey))
		},
		"cut manifest": func(t *testing.T, b *worktest.Env, live deploy.Deployment, _ deploy.Manifest) {
			_, err := b.Blob.Put(t.Context(), live.ManifestKey, strings.NewReader(`{"packs":["x"`))
			check(t, err)
		},
		"lost pack": func(t *testing.T, b *worktest.Env, _ deploy.Deployment, m deploy.Manifest) {
			check(t, b.Blob.Delete(t.Context(), m.Packs[0]))
		},
		"cut pack": func(t *testing.T, b *worktest.Env, _ deploy.Deployment, m deploy.Manifest) {
			_, err := b.Blob.Put(t.Context(), m.Packs[0], strings.NewReader("x"))
			check(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := worktest.New(t)
			p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
			live := deployNow(t, b, p, deploy.Production)
			m, err := publish.LoadManifest(t.Context(), b.Blob, live.ManifestKey)
			check(t, err)
			damage(t, b, live, m)
			var log bytes.Buffer
			again := b.QueueDeployment(t, p, deploy.Production, "")
			of := publisher(b)
			of.Logger = slog.New(slog.NewTextHandler(&log, nil))
			check(t, of.Run(t.Context(), b.Take(t)))
			d, err := b.Store.FindDeploymentByID(t.Context(), again.ID)
			check(t, err)
			if d.Status != deploy.Success {
				t.Fatalf("%+v", d)
			}
			for path, text := range map[string]string{"index.html": "Welcome.", "guides/start.html": "Begin here."} {
				if html := page(t, b, d, path); !strings.Contains(html, text) {
					t.Errorf("%s is not whole", path)
				}
			}
			said := slices.ContainsFunc(d.Logs,
				func(l deploy.LogLine) bool { return strings.Contains(l.Message, "stored again") })
			if logged := strings.Contains(log.String(), "manifest"); !said ||
				logged != strings.Contains(name, "manifest") {
				t.Errorf("owner %v, operator %v: %s", said, logged, log.String())
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// awayBlob is a blob store that does not respond while away is set.
type awayBlob struct {
	blob.Store
	away atomic.Bool
}

func (a *awayBlob) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if a.away.Load() {
		return 0, fault.New(fault.Unavailable, "blob_unavailable", "The object storage does not respond.").
			WithCause(fmt.Errorf("%w: connection refused", fault.ErrUnavailable))
	}
	return a.Store.Put(ctx, key, r)
}

func deployer(b *worktest.Env, p *publish.Publisher) *worker.Pool {
	return &worker.Pool{Tasks: b.Store, Handlers: map[task.Kind]worker.Handler{task.Deploy: p}, Owner: "test",
		Lease: worktest.Lease, Heartbeat: time.Second,
		Outage: 12 * time.Hour, Slots: 1, Now: b.Now, Logger: slog.New(slog.DiscardHandler),
		Observer: func(ctx context.Context, _, _ string) (context.Context, func(string, error)) {
			return ctx, func(string, error) {}
		}}
}

// J2: an object storage outage of more than five attempts only delays an update. The owner sees what it waits for.
func TestUpdateWaitsForStorage(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	d := b.QueueDeployment(t, p, deploy.Production, "")
	of := publisher(b)
	away := &awayBlob{Store: b.Blob}
	of.Blob = away
	away.away.Store(true)
	pool := deployer(b, of)
	for range task.MaxAttempts + 3 {
		check(t, pool.Work(t.Context(), task.Ordinary))
		now, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
		check(t, err)
		if now.Status != deploy.InProgress || len(now.Logs) == 0 || !strings.Contains(now.Logs[len(now.Logs)-1].Message,
			"Waiting for storage: The object storage does not respond.") {
			t.Fatalf("%+v", now)
		}
		b.Advance(task.LongestPause)
	}
	away.away.Store(false)
	check(t, pool.Work(t.Context(), task.Ordinary))
	if live, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || live.DeploymentID != d.ID {
		t.Fatalf("live: %+v %v", live, err)
	}
}

// J7: an update that itself fills the disk fails after five attempts, and polling does not retry its commit.
func TestUpdateThatFillsTheDiskFails(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	d := b.QueueDeployment(t, p, deploy.Production, "")
	runs := 0
	of := publisher(b)
	of.Blob = hooked{b.Blob, func(key string) error {
		if strings.Contains(key, "/manifests/") {
			runs++
			return syscall.ENOSPC
		}
		return nil
	}}
	pool := deployer(b, of)
	pool.Room = func() error { return nil } // there is room again once the attempt's files are removed
	for range task.MaxAttempts + 2 {
		check(t, pool.Work(t.Context(), task.Ordinary))
		b.Advance(task.LongestPause)
		_, err := b.Store.RequeueLapsed(t.Context())
		check(t, err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	check(t, err)
	if d.Status != deploy.Failure || d.Transient || d.Error != "The job needs more disk space than the server has." ||
		runs != task.MaxAttempts {
		t.Fatalf("%d runs: %+v", runs, d)
	}
	if said := d.Logs[len(d.Logs)-1].Message; strings.Contains(said, "Waiting for storage") {
		t.Errorf("its owner reads %q", said)
	}
}

// A commit whose update failed because of the server is retried, with growing pauses; one that failed because of its
// content is not.
func TestPollingRetriesFailuresNotCausedByTheAuthor(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Repository: snapshot.BuiltIn})
	of := publisher(b)
	away := &awayBlob{Store: b.Blob}
	of.Blob = away
	away.away.Store(true)
	pool := deployer(b, of)
	pool.Outage = 0 // no waiting: each outage fails an update
	poller := &publish.Poller{Store: b.Store, Source: b.Source, Every: 5 * time.Minute, Now: b.Now,
		Logger: slog.New(slog.DiscardHandler)}
	queued := func(later time.Duration) bool {
		t.Helper()
		b.Advance(later)
		check(t, poller.Poll(t.Context()))
		waiting, _, err := b.Store.CountTasks(t.Context())
		check(t, err)
		return waiting == 1
	}
	if !queued(0) {
		t.Fatal("the first commit was not published")
	}
	// 5, 10 and 20 minutes are due
	for i, wait := range []time.Duration{6 * time.Minute, 12 * time.Minute, 24 * time.Minute} {
		check(t, pool.Work(t.Context(), task.Ordinary))
		last, err := b.Store.FindLastDeployment(t.Context(), p.ID)
		check(t, err)
		if last.Status != deploy.Failure || !last.Transient || last.Commit == "" {
			t.Fatalf("%+v", last)
		}
		if i > 0 && queued(6*time.Minute) {
			t.Fatalf("failure %d: it was tried again too early", i+1)
		}
		if !queued(wait) {
			t.Fatalf("failure %d: it was not tried again", i+1)
		}
	}
	away.away.Store(false)
	check(t, pool.Work(t.Context(), task.Ordinary))
	if live, err := b.Store.FindLive(t.Context(), "docs.example.com"); err != nil || live.DeploymentID == "" {
		t.Fatalf("live: %+v %v", live, err)
	}
	b.Source.BuiltIn = fstest.MapFS{"index.mdx": {Data: []byte("---\ntitle: [\n---\n")}}
	if !queued(6 * time.Minute) {
		t.Fatal("a new commit was not published")
	}
	check(t, pool.Work(t.Context(), task.Ordinary))
	if last, err := b.Store.FindLastDeployment(t.Context(), p.ID); err != nil || last.Status != deploy.Failure ||
		last.Transient {
		t.Fatalf("%+v %v", last, err)
	}
	if queued(24 * time.Hour) {
		t.Error("a commit that does not build was tried again")
	}
}

// J8: an update that does not complete, for whatever reason, leaves nothing in the blob store: neither complete nor
// partial files.
func TestFailedUpdateLeavesNothingStored(t *testing.T) {
	broken := map[string]string{"docs.json": site["docs.json"], "index.mdx": "---\ntitle: [\n---\n",
		"guides/start.mdx": "---\ntitle: {\n---\n"}
	for name, c := range map[string]struct {
		files map[string]string
		stop  func(cancel context.CancelFunc, key string) error // called before each blob is stored
	}{
		"does not build": {files: broken},
		"canceled while its pages are stored": {files: site, stop: func(cancel context.CancelFunc, key string) error {
			if strings.Contains(key, "/packs/") {
				cancel()
			}
			return nil
		}},
		"manifest cannot be stored": {files: site, stop: func(_ context.CancelFunc, key string) error {
			if strings.Contains(key, "/manifests/") {
				return syscall.ENOSPC
			}
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := worktest.New(t)
			p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, c.files)})
			b.QueueDeployment(t, p, deploy.Production, "")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			of := publisher(b)
			if c.stop != nil {
				of.Blob = hooked{b.Blob, func(key string) error { return c.stop(cancel, key) }}
			}
			err := of.Run(ctx, b.Take(t))
			if (err == nil) != (c.stop == nil) {
				t.Errorf("error %v", err)
			}
			if left := b.Keys(t, ""); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
			if left, err := filepath.Glob(filepath.Join(b.ScratchDir, "process-*", "*-*")); len(left) > 0 ||
				err != nil {
				t.Errorf("left in the work folder: %q %v", left, err)
			}
		})
	}
}

// hooked calls a function before it stores a blob.
type hooked struct {
	blob.Store
	before func(key string) error
}

func (h hooked) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := h.before(key); err != nil {
		return 0, err
	}
	return h.Store.Put(ctx, key, r)
}
