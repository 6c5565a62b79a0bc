package sitehost_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// TestMain lets the test binary act as a worker that gets killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "publish" {
		os.Exit(worker(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// process stands in for a test in the worker's process; a failure exits the process.
type process struct{ testing.TB }

func (process) Helper()        {}
func (process) Cleanup(func()) {}
func (process) Fatal(args ...any) {
	fmt.Println(args...)
	os.Exit(1)
}
func (p process) Fatalf(format string, args ...any) { p.Fatal(fmt.Sprintf(format, args...)) }

// steps reports each step of a worker, and blocks at one of them until the process is killed.
type steps struct{ until string }

func (s steps) at(name string) {
	fmt.Println("at " + name)
	if name == s.until {
		select {} // killed here
	}
}

// stepped is a blob store that reports steps of each write: before the first byte, after some bytes, and when the
// blob is stored.
type stepped struct {
	blob.Store
	steps
}

func (s stepped) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	kind := "source"
	for _, name := range []string{"packs", "manifests"} {
		if strings.Contains(key, "/"+name+"/") {
			kind = name
		}
	}
	s.at(kind + " begin")
	n, err := s.Store.Put(ctx, key,
		io.MultiReader(io.LimitReader(r, 100), &halfway{Reader: r, at: func() { s.at(kind + " half-way") }}))
	s.at(kind + " stored")
	return n, err
}

type halfway struct {
	io.Reader
	at func()
}

func (h *halfway) Read(p []byte) (int, error) {
	if h.at != nil {
		h.at()
		h.at = nil
	}
	return h.Reader.Read(p)
}

// worker publishes the queued deployment in a test environment's folder, as a server's worker does.
func worker(dir, until string) int {
	s, t := steps{until}, process{}
	b := worktest.Open(t, dir)
	h := b.Take(t)
	s.at("taken")
	wrapped := stepped{b.Blob, s}
	b.Source.Blob = wrapped
	pub := &publish.Publisher{Store: b.Store, Blob: wrapped, Source: b.Source, Scratch: b.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(context.Background(), h); err != nil {
		fmt.Println(err)
		return 1
	}
	s.at("live")
	return 0
}

// openStage is like newStage, but uses an existing folder.
func openStage(t *testing.T, dir string) *stage {
	s := &stage{Env: worktest.Open(t, dir)}
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, CacheBytes: 1 << 20,
		Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ahead += time.Second // so that a lookup is never cached: a rollback is visible within a second
			return time.Now().Add(s.ahead)
		}})
	s.handler = host.Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
	return s
}

// pageSet returns a digest of everything that a site serves to readers.
func (s *stage) pageSet(addresses []string) string {
	sum := sha256.New()
	for _, a := range addresses {
		r := s.do(httptest.NewRequest(http.MethodGet, "http://docs.example.com"+a, nil))
		raw, err := io.ReadAll(r.Body)
		fmt.Fprintf(sum, "%s %d %v %d %s\n", a, r.StatusCode, err, len(raw), raw)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// reference publishes two versions without interruption, and returns all paths of either version and the digest of
// each page set.
func reference(t *testing.T) (addresses []string, sets map[string]string) {
	s := openStage(t, t.TempDir())
	dir := t.TempDir()
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	paths := map[string]bool{}
	publishMark := func(mark string) {
		worktest.Rewrite(t, dir, siteFiles(mark))
		m, err := publish.LoadManifest(t.Context(), s.Blob, s.publish(t, p, deploy.Production).ManifestKey)
		if err != nil {
			t.Fatal(err)
		}
		for path := range m.Files {
			paths["/"+strings.TrimSuffix(strings.TrimSuffix(path, "index.html"), ".html")] = true
		}
	}
	publishMark("1")
	publishMark("2")
	addresses = slices.Sorted(maps.Keys(paths))
	two := s.pageSet(addresses)
	publishMark("1")
	sets = map[string]string{"1": s.pageSet(addresses), "2": two}
	if len(addresses) < 10 || sets["1"] == sets["2"] {
		t.Fatalf("%d addresses, %v", len(addresses), sets)
	}
	return addresses, sets
}

// B13, D4: a worker killed at any step of a publish leaves readers the complete old or new site, depending on the
// step. Meanwhile readers continue to read, see no error and never see an older version again; the next worker
// publishes the new one.
func TestKillDuringPublishLeavesCompleteSite(t *testing.T) {
	addresses, sets := reference(t)
	all := stepsOf(t)
	if len(all) < 8 || all[0] != "taken" || all[len(all)-1] != "live" || !slices.Contains(all, "manifests stored") {
		t.Fatalf("steps: %q", all)
	}
	for _, step := range all {
		t.Run(step, func(t *testing.T) {
			want := "1"
			if step == "live" {
				want = "2"
			}
			folder, dir := t.TempDir(), t.TempDir()
			s := openStage(t, folder)
			queueSecond(t, s, dir)
			stop := s.read(t)
			stopAt(t, folder, step)
			stop()
			if got := s.pageSet(addresses); got != sets[want] {
				t.Errorf("readers see an incomplete or wrong version: %s, want %s of %v", got, want, sets)
			}
			s.Advance(2 * worktest.Lease)
			if _, err := s.Store.RequeueLapsed(t.Context()); err != nil {
				t.Fatal(err)
			}
			if want == "1" {
				s.finish(t)
			}
			if got := s.pageSet(addresses); got != sets["2"] {
				t.Errorf("after the next worker: %s, want 2 of %v", got, sets)
			}
		})
	}
}

// queueSecond publishes version 1 of a site and queues version 2.
func queueSecond(t *testing.T, s *stage, dir string) {
	t.Helper()
	worktest.Rewrite(t, dir, siteFiles("1"))
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	s.publish(t, p, deploy.Production)
	worktest.Rewrite(t, dir, siteFiles("2"))
	s.QueueDeployment(t, p, deploy.Production, "")
}

// read makes readers read until the returned function is called.
func (s *stage) read(t *testing.T) (stop func()) {
	ending := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for last := "mark-1"; ; {
				select {
				case <-ending:
					return
				default:
				}
				for _, path := range []string{"/", "/guides/start"} {
					seen, err := s.version(path)
					if err != nil || seen < last {
						t.Errorf("%s: %s after %s, error %v", path, seen, last, err)
						return
					}
					last = seen
				}
			}
		})
	}
	return func() { close(ending); wg.Wait() }
}

// finish runs the killed worker's task with another worker.
func (s *stage) finish(t *testing.T) {
	t.Helper()
	pub := &publish.Publisher{Store: s.Store, Blob: s.Blob, Source: s.Source, Scratch: s.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: s.Now}
	if err := pub.Run(t.Context(), s.Take(t)); err != nil {
		t.Fatal(err)
	}
}

// stepsOf runs a worker that publishes completely, and returns the steps that it reports, each once.
func stepsOf(t *testing.T) (out []string) {
	t.Helper()
	folder := t.TempDir()
	s := openStage(t, folder)
	queueSecond(t, s, t.TempDir())
	raw, err := exec.Command(os.Args[0], "publish", folder, "").Output()
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	for line := range strings.Lines(string(raw)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "at "); ok && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// stopAt runs a worker that publishes up to a step, and kills it there.
func stopAt(t *testing.T, folder, step string) {
	t.Helper()
	child := exec.Command(os.Args[0], "publish", folder, step)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	reached := false
	var said []string
	for lines := bufio.NewScanner(out); !reached && lines.Scan(); {
		said = append(said, lines.Text())
		reached = lines.Text() == "at "+step
	}
	_ = child.Process.Kill() // it may have ended
	_ = child.Wait()         // it was killed
	if !reached {
		t.Fatalf("it ended before %q: %q", step, said)
	}
}

// B13: the latest versions are retained, and each can be made live again. Once the call has returned and cached lookups
// have expired, which takes at most a second, every reader gets all of that version. A version that was not retained is
// rejected.
func TestRollbackServesRetainedVersionCompletely(t *testing.T) {
	addresses, sets := reference(t)
	s := openStage(t, t.TempDir())
	dir := t.TempDir()
	worktest.Rewrite(t, dir, siteFiles("1"))
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	var made []deploy.Deployment
	for _, mark := range []string{"1", "2", "1", "2", "1"} {
		worktest.Rewrite(t, dir, siteFiles(mark))
		made = append(made, s.publish(t, p, deploy.Production))
	}
	sweeper := &retention.Sweeper{Store: s.Store, Blob: s.Blob, Keep: store.Keep{Productions: 3, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return s.Now().Add(48 * time.Hour) }}
	if err := sweeper.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := func(d deploy.Deployment) error {
		return s.Store.Tx(t.Context(), func(tx *store.Tx) error {
			now, err := tx.FindProject(t.Context(), p.OrganizationID, p.ID)
			if err == nil {
				_, err = tx.RollBack(t.Context(), now, d.ID, "key_x")
			}
			return err
		})
	}
	for _, step := range []struct {
		to   int
		mark string
	}{{3, "2"}, {2, "1"}, {3, "2"}, {4, "1"}} {
		if err := back(made[step.to]); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got := s.pageSet(addresses); got != sets[step.mark] {
					t.Errorf("after the roll-back to version %d: %s, want %s of %v", step.to, got, step.mark, sets)
				}
			})
		}
		wg.Wait()
	}
	if err := back(made[0]); err == nil {
		t.Error("a version that was not retained went live")
	}
}
