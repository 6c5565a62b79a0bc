package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
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

// indexOnly is a sink that stores the files of the search index in one folder and pages in another, and counts
// compressed bytes.
type indexOnly struct {
	dir    string
	site   string // folder for pages; "" = they are only counted
	files  int
	index  int
	html   int
	every  int // compress only one of this many pages as a sample
	pages  int
	script int           // size of the search script
	cost   time.Duration // processor time that the index adds to a build
}

// scriptFile is the name of the search script in the index.
const scriptFile = "search.js"

func (s *indexOnly) Put(_ context.Context, f output.File) error {
	if name, ok := strings.CutPrefix(f.Path, searchindex.Folder+"/"); ok {
		return os.WriteFile(filepath.Join(s.dir, name), f.Data, 0o600)
	}
	if path.Ext(f.Path) == ".html" {
		if s.pages++; s.pages%s.every == 0 {
			s.html += packed(f.Data) * s.every
		}
		if s.site != "" {
			name := filepath.Join(s.site, filepath.FromSlash(f.Path))
			return errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, f.Data, 0o600))
		}
	}
	if bytes.Contains(f.Data, []byte("lecternSearch={")) {
		s.script = packed(f.Data)
		return os.WriteFile(filepath.Join(s.dir, scriptFile), f.Data, 0o600)
	}
	return nil
}

func packed(data []byte) int { return len(packedBytes(data)) }

func packedBytes(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // writes to a buffer cannot fail
	}
	return out.Bytes()
}

// search measures the cost of the index for a small and a large site: builds with and without it, its size relative
// to the pages, and queries.
func search(ctx context.Context, o options) error {
	for _, n := range []int{o.pages * 5 / 2, o.large} {
		if err := searchSite(ctx, o, n, n != o.large); err != nil {
			return err
		}
	}
	return nil
}

// searchSite measures a site of n pages. The slow comparison of builds is optional.
func searchSite(ctx context.Context, o options, n int, builds bool) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	docs, sink := filepath.Join(dir, "docs"), &indexOnly{dir: filepath.Join(dir, "index"), every: 1 + n/20_000}
	if o.race.peers != "none" {
		sink.site = filepath.Join(dir, "site")
	}
	for _, d := range []string{docs, sink.dir} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	if err := writeFolder(docs, 1, n, kind{}); err != nil {
		return err
	}
	if builds {
		if err := searchBuilds(ctx, o, docs, n); err != nil {
			return err
		}
	}
	if err := searchIndex(ctx, docs, sink, n); err != nil {
		return err
	}
	if err := searchQuestions(ctx, sink, n); err != nil {
		return err
	}
	if sink.site == "" {
		return searchTitles(ctx, sink, n)
	}
	return searchBesidePagefind(ctx, o, sink, n)
}

// searchIndex builds the folder into the sink, without an index and with one, and prints the cost and the size of the
// index.
func searchIndex(ctx context.Context, docs string, sink *indexOnly, n int) error {
	runtime.GC() // frees the generated pages
	var without, with cost
	err := without.add(func() error {
		return buildForSearch(ctx, docs, &indexOnly{dir: sink.dir, site: sink.site, every: sink.every}, false)
	})
	if err != nil {
		return err
	}
	done, most := make(chan struct{}), make(chan [2]uint64)
	go watchHeap(done, most)
	err = with.add(func() error { return buildForSearch(ctx, docs, sink, true) })
	close(done)
	heap := <-most
	if err != nil {
		return err
	}
	sink.cost = with.took - without.took
	fmt.Printf("\n%d pages built with an index: %.0f µs of processor time a page, without %.0f µs; live heap at most %.0f MiB\n",
		n, micro(with.took)/float64(n), micro(without.took)/float64(n), mib(heap[0]))
	if err := sink.weighIndex(); err != nil {
		return err
	}
	heading("size of the index (kB, compressed)", "index", "pages", "ratio")
	row(fmt.Sprintf("%d pages, %d files", n, sink.files), float64(sink.index)/1000, float64(sink.html)/1000)
	return nil
}

func buildForSearch(ctx context.Context, docs string, sink *indexOnly, indexed bool) error {
	_, err := build.Build(ctx, os.DirFS(docs),
		build.Options{Links: link.Relative, Offers: capability.Offers{Search: indexed}}, sink)
	return err
}

// weighIndex counts the files of the index and their compressed bytes. It runs after the build, so that the cost of the
// build does not include the compression.
func (s *indexOnly) weighIndex() error {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.Name() == scriptFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.dir, f.Name()))
		if err != nil {
			return err
		}
		s.files++
		s.index += packed(data)
	}
	return nil
}

// searchBuilds builds the folder with and without an index in turn, on one core.
func searchBuilds(ctx context.Context, o options, dir string, n int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	tools, err := build.NewTools()
	if err != nil {
		return err
	}
	defer func() { _ = tools.Close() }() // only frees memory
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

// searchQuestions queries a warm index, and prints the size of a reader's downloads for the first query: the entry
// and shards, without the search script, which is one request of about 8 kB.
func searchQuestions(ctx context.Context, sink *indexOnly, n int) error {
	title, err := someTitle(ctx, sink)
	if err != nil {
		return err
	}
	fmt.Printf("\n%-44s %14s %14s %9s\n", fmt.Sprintf("one question, %d pages", n), "µs, warm", "kB, cold", "requests")
	for _, q := range []struct{ name, text string }{
		{"a common word", "deploy"}, {"three common words", "deploy token request"}, {"unfinished", "conf"},
		{"one letter", "s"}, {"mistyped", "configrue"},
		{"a sentence", "how do I rotate the secret of a tenant"}, {"a title", title},
	} {
		bytes, files := 0, 0
		x, err := sink.open(func(data []byte) {
			bytes += packed(data)
			files++
		})
		if err != nil {
			return err
		}
		ask := func() error {
			_, err := x.Find(ctx, searchindex.Query{Text: q.text})
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

// open opens the index; seen is called with each file that is read.
func (s *indexOnly) open(seen func(data []byte)) (*searchindex.Index, error) {
	return searchindex.Open(func(name string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		seen(data)
		return data, err
	})
}

// someTitle returns the title of some page of the site.
func someTitle(ctx context.Context, sink *indexOnly) (string, error) {
	x, err := sink.open(func([]byte) {})
	if err != nil {
		return "", err
	}
	hits, err := x.Search(ctx, searchindex.Query{Text: "deploy token request", Limit: 50})
	if err == nil && len(hits) == 0 {
		err = errors.New("the index returned no results")
	}
	if err != nil {
		return "", err
	}
	return hits[len(hits)/2].Title, nil
}
