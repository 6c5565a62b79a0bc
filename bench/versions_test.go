package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		dir := b.TempDir()
		copyDocs(b, "../docs", dir)
		s := newGitSite(b, dir)
		git, run := s.git, func(what string) {
			took := s.publish(b)
			b.ReportMetric(took.cpu.Seconds(), what+"-cpu-s")
			b.ReportMetric(float64(s.stored(b))/1e6, what+"-stored-MB")
			b.Logf("%s: %s", what, took.log)
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
	}
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
