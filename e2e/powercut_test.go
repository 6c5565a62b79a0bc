package e2e

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/powercut"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// everyCut cuts the power with each kind of loss at every report of completion, and between any two reports, as in
// nightly runs. Without it, every report gets the worst kind, and the last one the other kinds, too. The worst kind
// also reveals a report whose folder or file is not synced.
var everyCut = flag.Bool("every-cut", tier.Nightly, "lose each kind of data at every report of TestReportedWorkSurvivesPowerCut")

// promise is something that the program reported as done, with the number of disk operations up to then.
type promise struct {
	name string
	ops  int
	kept func(t *testing.T, p *process) error // checks a server that was started on the data left by a power cut
}

// runServer runs a server on a disk: its first start with its secret, database, sites and a local repository, then a
// key, a publication, an export and a backup. The build cache, whose loss breaks no promise, is on another disk.
func runServer(t *testing.T, d *powercut.Disk, cache string) (promises []promise) {
	t.Helper()
	data := filepath.Join(d.Dir, "data")
	p := serve(t, data, nil, "--cache-folder", cache)
	did := func(name string, kept func(*testing.T, *process) error) {
		promises = append(promises, promise{name, d.Ops(), kept})
	}
	shows := func(host, path string) func(*testing.T, *process) error {
		return func(t *testing.T, p *process) error {
			if code, _ := page(t, p, host, path); code != http.StatusOK {
				return fmt.Errorf("%s%s answers %d", host, path, code)
			}
			return nil
		}
	}
	p.Await("the tour", func() bool { code, _ := page(t, p, "tour.localhost", "/"); return code == http.StatusOK })
	did("the tour and its repository", func(t *testing.T, p *process) error {
		repos, err := filepath.Glob(filepath.Join(p.data, "proposals", "*.git"))
		if err != nil || len(repos) != 1 {
			return fmt.Errorf("repositories: %v, %v", repos, err)
		}
		testgit.Run(t, repos[0], "fsck", "--full", "--strict")
		testgit.Run(t, repos[0], "rev-parse", "--verify", "main")
		return shows("tour.localhost", "/")(t, p)
	})
	key := command(t, nil, "keys", "create", "--data", data)
	did("a key", func(t *testing.T, p *process) error {
		_, err := p.client(key).ListProjects(background(), client.ListProjectsParams{Limit: 1})
		return err
	})
	c := p.client(key)
	publishFolder(t, c, site(t, 5), "cut.localhost")
	did("a publication", shows("cut.localhost", "/page-00003"))
	job, err := c.StartExport(background(), client.StartExport{Domain: "cut.localhost"})
	if err == nil {
		_, err = c.WaitExport(background(), job.JobID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	did("an export", func(t *testing.T, p *process) error {
		c := p.client(key)
		return c.Download(background(), requestLink(t, c, job.JobID), io.Discard) // checks size and SHA-256
	})
	file := filepath.Join(d.Dir, "backup.tar.gz")
	command(t, nil, "backup", file, "--data", data)
	did("a backup", func(t *testing.T, p *process) error {
		command(t, nil, "restore", filepath.Join(filepath.Dir(p.data), "backup.tar.gz"), "--data",
			filepath.Join(t.TempDir(), "restored"))
		return nil
	})
	p.Stop()
	return promises
}

// brokenPromises starts a server on the data left by a power cut and returns the promises that it does not keep.
func brokenPromises(t *testing.T, dir, cache string, ops int, promises []promise) (list []string) {
	t.Helper()
	data := filepath.Join(dir, "data")
	due := slices.DeleteFunc(slices.Clone(promises), func(p promise) bool { return p.ops > ops })
	if len(due) > 0 {
		for _, f := range diagnose(t, nil, "--data", data, "--deep").found {
			if f.Level == "fail" && slices.Contains([]string{"data folder", "database", "stored files"}, f.Check) &&
				!strings.Contains(f.Text, "disk of the data folder is full") {
				list = append(list, "doctor: "+f.Text)
			}
		}
	}
	// No first site: this start must not recreate anything that the cut removed.
	address := freeAddress(t)
	p := spawn(t, nil, "serve", "--data", data, "--listen", address, "--cache-folder", cache, "--first-site", "off")
	p.url, p.data = "http://"+address, data
	if err := p.Wait("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK }); err != nil {
		return append(list, err.Error())
	}
	for _, one := range due {
		if err := one.kept(t, p); err != nil {
			list = append(list, one.name+": "+err.Error())
		}
	}
	p.Stop()
	return list
}

// D1: everything that a server reported as done survives a power cut immediately afterwards, although the disk loses
// everything that was not synced: contents, names, or both. After a cut between two reports, the server starts, and its
// database agrees with its files.
func TestReportedWorkSurvivesPowerCut(t *testing.T) {
	t.Parallel()
	d := powercut.Mount(t)
	cache := filepath.Join(filepath.Dir(binary), "builds") // on another disk, already filled by other tests
	promises := runServer(t, d, cache)
	losses := powercut.Losses()
	for n, name := range slices.Sorted(maps.Keys(losses)) {
		var points []int
		for i, one := range promises {
			next := i + 1
			if *everyCut || next == len(promises) || losses[name].Contents && losses[name].Names {
				points = append(points, one.ops)
			}
			if next < len(promises) && i%len(losses) == n && (*everyCut || next == len(promises)-1) { // one kind between reports
				points = append(points, (one.ops+promises[next].ops)/2)
			}
		}
		t.Run(name, func(t *testing.T) {
			d.Each(t, points, losses[name], func(ops int, dir string) {
				for _, text := range brokenPromises(t, dir, cache, ops, promises) {
					t.Errorf("after %d operations: %s", ops, text)
				}
			})
		})
	}
	t.Run("control: a program that syncs nothing fails", func(t *testing.T) {
		last := promises[len(promises)-1].ops
		d.Each(t, []int{last}, powercut.Loss{Contents: true, Names: true, DeafFiles: true, DeafFolders: true},
			func(_ int, dir string) {
				if _, err := os.Stat(filepath.Join(dir, "data", "secret.key")); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the secret key survived without a sync: %v", err)
				}
			})
	})
}
