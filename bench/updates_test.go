package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// editRounds is the number of measured updates; the fastest counts.
const editRounds = 5

// BenchmarkUpdates publishes sites from Git repositories and then commits in which one page has changed, from the
// request to the live site. Before each, the same commit is cloned into a new folder with a depth of 1, which programs
// that build a checkout do before they begin to build:
//
//	go test ./bench -run '^$' -bench Updates -benchtime 1x
func BenchmarkUpdates(b *testing.B) {
	for _, pages := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(pages), func(b *testing.B) {
			for range b.N {
				measureUpdates(b, pages)
			}
		})
	}
}

func measureUpdates(b *testing.B, pages int) {
	dir := b.TempDir()
	if err := writeFolder(dir, 1, pages, kind{}); err != nil {
		b.Fatal(err)
	}
	s := newGitSite(b, dir)
	first := s.publish(b)
	b.ReportMetric(first.wall.Seconds(), "first-s")
	name := filepath.Join(dir, pagePath(pages/2)+".mdx")
	var fastest update
	var clone time.Duration
	for i := range editRounds {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, fmt.Appendf(text, "\n\nChange %d of this page.\n", i), 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
		s.git("commit", "-q", "-a", "-m", "Change")
		start := time.Now()
		testgit.Run(b, b.TempDir(), "clone", "-q", "--depth", "1", "file://"+dir, "clone")
		if took := time.Since(start); i == 0 || took < clone {
			clone = took
		}
		if took := s.publish(b); i == 0 || took.wall < fastest.wall {
			fastest = took
		}
	}
	b.ReportMetric(float64(fastest.wall.Milliseconds()), "edit-ms")
	b.ReportMetric(float64(fastest.cpu.Milliseconds()), "edit-cpu-ms")
	b.ReportMetric(float64(clone.Milliseconds()), "clone-ms")
	b.ReportMetric(fastest.wall.Seconds()/clone.Seconds(), "edit/clone")
	b.ReportMetric(0, "ns/op") // the time of everything above means nothing
}
