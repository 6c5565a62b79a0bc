package automate_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// releaseHost returns a function that opens the releases of acme/docs with a key.
func releaseHost(t *testing.T, url, key string) func(context.Context, project.Product) (pull.Releases, error) {
	host := github.New(github.Options{API: url + "/api/v3", Owner: "acme", Name: "docs", HTTP: forgetest.Client(t),
		Token: func(context.Context) (string, error) { return key, nil }, Now: time.Now})
	return func(context.Context, project.Product) (pull.Releases, error) { return host, nil }
}

// A new tag's release notes reach the job as data, truncated and without secrets. For a tag without a release the job
// gets the tag message, and the log says so; a release that is published later starts no job.
func TestReleaseNotesReachTheJob(t *testing.T) {
	r := newRig(t)
	dir, commit := r.product()
	commit(map[string]string{"a.go": "package a\n"})
	host, key := forgetest.GitHub(t)
	a := r.add(automation.Automation{Trigger: automation.OnRelease})
	w := r.watcher()
	w.Releases = releaseHost(t, host.URL, key)
	look := func() {
		t.Helper()
		r.clock.Advance(2 * time.Minute)
		r.ok(w.Look(t.Context()))
	}
	look()
	host.Release(t, "v1.1.0", "Quokkas\n\n# and more", "They are "+secret+".\n\n"+strings.Repeat("long ", 10_000)+"the end")
	testgit.Run(t, dir, "tag", "-a", "v1.1.0", "-m", "Of the tag.")
	testgit.Run(t, dir, "tag", "-a", "v1.2.0", "-m", "Without a release.")
	look()
	run := r.want(a, "started  release")
	if !strings.Contains(run.Context, "Of the tag.") || !strings.Contains(run.Context, `Notes of the release v1.1.0 on the code host, titled "Quokkas`) ||
		!strings.Contains(run.Context, "They are ") || strings.Contains(run.Context, secret) || strings.Contains(run.Context, "the end") ||
		!strings.Contains(run.Context, "the rest is left out") || !strings.Contains(run.Context, "Without a release.") || len(run.Context) > 18<<10 {
		t.Errorf("%d bytes: %+v", len(run.Context), run)
	}
	if !strings.Contains(run.Detail, "v1.1.0, v1.2.0. The code host has no release for v1.2.0.") {
		t.Error(run.Detail)
	}
	r.end()
	host.Release(t, "v1.2.0", "Late", "Later than its tag.")
	look()
	r.want(a, "started  release")
}

// If the release notes cannot be read, the run uses the tag message, and the log says why the notes are missing.
func TestUnreadableReleaseNotesDoNotPreventRun(t *testing.T) {
	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	host, key := forgetest.GitHub(t)
	refused := func(err error) func(context.Context, project.Product) (pull.Releases, error) {
		return func(context.Context, project.Product) (pull.Releases, error) { return nil, err }
	}
	_, unknown := forge.OpenReleases(forge.Options{Repository: "https://git.example.com/acme/docs"})
	for want, releases := range map[string]func(context.Context, project.Product) (pull.Releases, error){
		"rejected the project's credential": releaseHost(t, host.URL, "wrong-"+key),
		"cannot be reached":                 releaseHost(t, stopped.URL, key),
		"there is no code host":             refused(forge.NoCodeHost()),
		"could not be queried":              refused(context.DeadlineExceeded),
		"not read: ":                        refused(unknown),
	} {
		r := newRig(t)
		dir, commit := r.product()
		commit(map[string]string{"a.go": "package a\n"})
		a := r.add(automation.Automation{Trigger: automation.OnRelease})
		w := r.watcher()
		w.Releases = releases
		r.ok(w.Look(t.Context()))
		testgit.Run(t, dir, "tag", "-a", "v1.0.0", "-m", "Of the tag.")
		r.clock.Advance(2 * time.Minute)
		r.ok(w.Look(t.Context()))
		run := r.want(a, "started  release")
		if !strings.Contains(run.Context, "Of the tag.") || !strings.Contains(run.Detail, "The code host's release notes were not read: ") ||
			!strings.Contains(run.Detail, want) || strings.Contains(run.Detail, key) {
			t.Errorf("%s: %+v", want, run)
		}
	}
}
