package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// gitSite is a project whose source is a Git repository on this machine.
type gitSite struct {
	git       func(args ...string) // runs git in the repository
	env       *worktest.Env
	project   project.Project
	publisher *publish.Publisher
}

// update is what one update of the site took.
type update struct {
	wall, cpu time.Duration // cpu includes git
	log       string        // the line before the last one
}

// newGitSite makes a repository of the files in dir and a project for it, which is not published yet.
func newGitSite(b *testing.B, dir string) *gitSite {
	b.Helper()
	env := worktest.New(b)
	s := &gitSite{env: env, git: func(args ...string) { b.Helper(); testgit.Run(b, dir, args...) }}
	s.git("init", "-q", "-b", "main")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "Begin")
	cache, err := buildcache.Open(filepath.Join(b.TempDir(), "cache"), buildcache.Options{MaxBytes: 2 << 30, Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	tools, err := build.NewTools()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = tools.Close() })
	s.publisher = &publish.Publisher{Store: env.Store, Blob: env.Blob, Source: env.Source, Scratch: env.Scratch, Cache: cache,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: env.Now, Press: tools,
		Offers: capability.Offers{Search: true}}
	s.project = env.Project(b, "docs.example.com", project.Source{Repository: "file://" + dir, Branch: "main"})
	return s
}

// publish publishes the newest commit.
func (s *gitSite) publish(b *testing.B) (took update) {
	b.Helper()
	start, before := time.Now(), spentTime(b)
	d := s.env.QueueDeployment(b, s.project, deploy.Production, "")
	if err := s.publisher.Run(b.Context(), s.env.Take(b)); err != nil {
		b.Fatal(err)
	}
	took.wall, took.cpu = time.Since(start), spentTime(b)-before
	d, err := s.env.Store.FindDeploymentByID(b.Context(), d.ID)
	if err != nil || d.Status != deploy.Success {
		b.Fatal(d.Error, err)
	}
	took.log = d.Logs[len(d.Logs)-2].Message
	if s.project, err = s.env.Store.FindProject(b.Context(), s.project.OrganizationID, s.project.ID); err != nil {
		b.Fatal(err)
	}
	return took
}

// stored returns the size of all files of published states, in bytes.
func (s *gitSite) stored(b *testing.B) (sum int64) {
	b.Helper()
	if err := s.env.Blob.List(b.Context(), "sites/", func(i blob.Info) error { sum += i.Size; return nil }); err != nil {
		b.Fatal(err)
	}
	return sum
}

// spentTime returns the processor time of this process and of its child processes that have ended.
func spentTime(b *testing.B) (sum time.Duration) {
	b.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
