package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// indexOnly is a sink that keeps the search index and counts the rest.
type indexOnly struct {
	files map[string][]byte
	html  int // bytes of pages, compressed
}

func (s *indexOnly) Put(_ context.Context, f output.File) error {
	if name, ok := strings.CutPrefix(f.Path, searchindex.Folder+"/"); ok {
		s.files[name] = bytes.Clone(f.Data)
	} else if path.Ext(f.Path) == ".html" {
		s.html += packed(f.Data)
	}
	return nil
}

func packed(data []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // a buffer never fails
	}
	return out.Len()
}

// search measures what the index costs: a build with it beside one without, its size beside that of the pages, and
// questions.
func search(ctx context.Context, o options) error {
	n := o.pages * 5 / 2
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := writeFolder(dir, 1, n, kind{}); err != nil {
		return err
	}
	if err := searchBuilds(ctx, o, dir, n); err != nil {
		return err
	}
	sink := &indexOnly{files: map[string][]byte{}}
	if _, err := build.Build(ctx, os.DirFS(dir),
		build.Options{Links: link.Relative, Offers: capability.Offers{Search: true}}, sink); err != nil {
		return err
	}
	total := 0
	for _, data := range sink.files {
		total += packed(data)
	}
	heading("size of the index (kB, compressed)", "index", "pages", "ratio")
	row(fmt.Sprintf("%d pages, %d files", n, len(sink.files)), float64(total)/1000, float64(sink.html)/1000)
	return searchQuestions(ctx, sink)
}

// searchBuilds builds the folder with and without an index, on one core, taking turns.
func searchBuilds(ctx context.Context, o options, dir string, n int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	tools, err := build.NewTools()
	if err != nil {
		return err
	}
	defer func() { _ = tools.Close() }() // it only frees memory
	var with, without []cost
	for range max(1, o.rounds/2) + 1 {
		for _, on := range []bool{false, true} {
			var c cost
			err := c.add(func() error {
				_, err := build.Build(ctx, os.DirFS(dir), build.Options{Links: link.Relative, Workers: 1, Tools: tools,
					Offers: capability.Offers{Search: on}}, discard{})
				return err
			})
			if err != nil {
				return err
			}
			if on {
				with = append(with, c)
			} else {
				without = append(without, c)
			}
		}
	}
	heading(fmt.Sprintf("search: a build of %d pages, one core", n), "pages/s", "without", "time ×", "µs/page",
		"allocs", "KiB")
	line("with an index; without", least(with), least(without), n)
	return nil
}

// searchQuestions asks an index that is warm, and prints what a reader downloads for the first question.
func searchQuestions(ctx context.Context, sink *indexOnly) error {
	fmt.Printf("\n%-44s %14s %14s %9s\n", "one question", "µs, warm", "kB, cold", "files")
	for _, q := range []struct{ name, text string }{
		{"a common word", "deploy"}, {"three common words", "deploy token request"}, {"unfinished", "conf"},
		{"one letter", "s"}, {"mistyped", "configrue"},
		{"a sentence", "how do I rotate the secret of a tenant"},
	} {
		bytes, files := 0, 0
		x, err := searchindex.Open(func(name string) ([]byte, error) {
			bytes += packed(sink.files[name])
			files++
			return sink.files[name], nil
		})
		if err != nil {
			return err
		}
		ask := func() error {
			_, err := x.Search(ctx, searchindex.Query{Text: q.text})
			return err
		}
		if err := ask(); err != nil {
			return err
		}
		kb, cold := float64(bytes)/1000, files
		var times []time.Duration
		for range 21 {
			begin := time.Now()
			if err := ask(); err != nil {
				return err
			}
			times = append(times, time.Since(begin))
		}
		slices.Sort(times)
		fmt.Printf("%-44s %14.0f %14.1f %9d\n", q.name, micro(median(times)), kb, cold)
	}
	return nil
}
