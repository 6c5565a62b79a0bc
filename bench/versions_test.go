package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// versionsOf is the number of tags in the repository; each changes changedPages pages.
const (
	versionsOf   = 70
	changedPages = 3
)

// BenchmarkVersions publishes this repository's docs folder with 70 tags as versions, and then a push to a branch that
// is a version. It reports the processor time of this process and of git, and the stored bytes, and compares them with
// a site of one version:
//
//	go test ./bench -run '^$' -bench Versions -benchtime 1x
func BenchmarkVersions(b *testing.B) {
	for range b.N {
		env := worktest.New(b)
		dir := b.TempDir()
		copyDocs(b, "../docs", dir)
		git := func(args ...string) { testgit.Run(b, dir, args...) }
		git("init", "-q", "-b", "main")
		git("add", "-A")
		git("commit", "-q", "-m", "Begin")
		cache, err := buildcache.Open(filepath.Join(b.TempDir(), "cache"), buildcache.Options{MaxBytes: 2 << 30, Now: time.Now})
		if err != nil {
			b.Fatal(err)
		}
		tools, err := build.NewTools()
		if err != nil {
			b.Fatal(err)
		}
		pub := &publish.Publisher{Store: env.Store, Blob: env.Blob, Source: env.Source, Scratch: env.Scratch, Cache: cache,
			SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: env.Now, Press: tools,
			Offers: capability.Offers{Search: true}}
		p := env.Project(b, "docs.example.com", project.Source{Repository: "file://" + dir, Branch: "main"})
		run := func(what string) {
			before := spentTime(b)
			d := env.QueueDeployment(b, p, deploy.Production, "")
			if err := pub.Run(b.Context(), env.Take(b)); err != nil {
				b.Fatal(err)
			}
			d, err := env.Store.FindDeploymentByID(b.Context(), d.ID)
			if err != nil || d.Status != deploy.Success {
				b.Fatal(d.Error, err)
			}
			b.ReportMetric((spentTime(b) - before).Seconds(), what+"-cpu-s")
			stored := int64(0)
			if err := env.Blob.List(b.Context(), "sites/", func(i blob.Info) error { stored += i.Size; return nil }); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(stored)/1e6, what+"-stored-MB")
			b.Logf("%s: %s", what, d.Logs[len(d.Logs)-2].Message)
			if p, err = env.Store.FindProject(b.Context(), p.OrganizationID, p.ID); err != nil {
				b.Fatal(err)
			}
		}
		run("one")
		rules := `{"gitVersions": {"tags": ["v*"], "branches": ["release/(*)"], "default": "v70.0"},`
		replaceIn(b, filepath.Join(dir, "docs.json"), "{", rules)
		for i := range versionsOf {
			change(b, dir, i)
			git("add", "-A")
			git("commit", "-q", "-m", "Change")
			git("tag", fmt.Sprintf("v%d.0", i+1))
		}
		git("checkout", "-q", "-b", "release/next")
		run("seventy")
		run("nothing")
		change(b, dir, versionsOf)
		git("commit", "-q", "-a", "-m", "Change")
		run("push")
		git("tag", "v0.9")
		run("tag-of-known-docs")
		if err := tools.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

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

func copyDocs(b *testing.B, from, to string) {
	b.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		b.Fatal(err)
	}
}

// change adds a line to a few pages; each number selects other pages.
func change(b *testing.B, dir string, number int) {
	b.Helper()
	var pages []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".mdx") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil || len(pages) == 0 {
		b.Fatal(len(pages), err)
	}
	for i := range changedPages {
		name := pages[(number*changedPages+i)%len(pages)]
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, fmt.Appendf(text, "\n\nChange %d of this page.\n", number), 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func replaceIn(b *testing.B, file, old, text string) {
	b.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(data), old, text, 1)), 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
}
