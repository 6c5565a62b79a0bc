package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/bench/race"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
)

// asked is the number of titles to search for.
const asked = 40

// found is the cost of a search for one title.
type found struct {
	Requests int     `json:"requests"`
	Bytes    int     `json:"bytes"`
	Ms       float64 `json:"ms"`
	First    string  `json:"first"` // address of the first result
}

// installPagefind returns the folder in which Pagefind is installed, once for all runs.
func installPagefind(ctx context.Context, o options) (string, error) {
	cache, err := o.race.cacheFolder()
	if err != nil {
		return "", err
	}
	files, err := fs.Sub(peerFiles, "peers")
	if err != nil {
		return "", err
	}
	installed, err := race.Install(ctx, race.Options{Out: os.Stdout, Cache: cache, Peers: files}, "pagefind")
	if err != nil {
		return "", fmt.Errorf("install Pagefind: %w", err)
	}
	return installed, nil
}

// pagefindCommand adds Pagefind's index to a site.
func pagefindCommand(installed, site string) *exec.Cmd {
	return exec.Command(filepath.Join(installed, "node_modules", ".bin", "pagefind"), "--site", site,
		"--root-selector", "article")
}

// searchBesidePagefind searches our index and Pagefind's for titles of the same pages, each time without cached files.
// If Pagefind reaches a limit, only our figures are printed.
func searchBesidePagefind(ctx context.Context, o options, sink *indexOnly, n int) error {
	titles, pages := someTitles(n)
	ours, err := askOurs(ctx, sink, titles)
	if err != nil {
		return err
	}
	theirs, err := searchWithPagefind(ctx, o, sink, titles)
	if errors.Is(err, errLimit) {
		fmt.Printf("\nPagefind, %d pages: %v\n", n, err)
	} else if err != nil {
		return err
	}
	fmt.Printf("\nPagefind took at most %.0f MiB of resident memory\n", mib(uint64(theirs.memory)))
	cpu, size := theirs.cpu.Seconds(), float64(theirs.size)/1000
	if theirs.size == 0 {
		cpu, size = math.NaN(), math.NaN()
	}
	heading(fmt.Sprintf("search compared with Pagefind 1.5, %d pages, %d titles", n, len(titles)), "ours", "Pagefind", "ratio")
	row("processor time of the index (s)", sink.cost.Seconds(), cpu)
	row("size of the index (kB)", float64(sink.index)/1000, size)
	for _, f := range []struct {
		name   string
		figure func(found) float64
	}{
		{"requests of a query, median", func(f found) float64 { return float64(f.Requests) }},
		{"kB of a query, median", func(f found) float64 { return float64(f.Bytes) / 1000 }},
		{"ms to results, no network (Go; Node), median", func(f found) float64 { return f.Ms }},
	} {
		row(f.name, medianOf(ours, f.figure), medianOf(theirs.found, f.figure))
		row("– the most", mostOf(ours, f.figure), mostOf(theirs.found, f.figure))
	}
	row("title first (%)", firstShare(ours, titles, pages), firstShare(theirs.found, titles, pages))
	return searchOverNetwork(ctx, sink, titles, len(theirs.found) > 0)
}

// pagefind is the cost of Pagefind's index and the results of its searches. Without an index, found is empty.
type pagefind struct {
	usage
	size  int64
	found []found
}

// searchWithPagefind indexes the site and searches it. With the error errLimit, the result contains the measurements
// made before the limit.
func searchWithPagefind(ctx context.Context, o options, sink *indexOnly, titles []string) (p pagefind, err error) {
	installed, err := installPagefind(ctx, o)
	if err != nil {
		return p, err
	}
	index := pagefindCommand(installed, sink.site)
	var said bytes.Buffer
	index.Stdout, index.Stderr = &said, &said
	if p.usage, err = runBounded(ctx, index, o.race.limit); err != nil {
		return p, fmt.Errorf("build the index: %w: %s", err, said.String())
	}
	if p.size, err = pagefindSize(filepath.Join(sink.site, "pagefind")); err != nil {
		return p, err
	}
	p.found, err = askPagefind(ctx, o, installed, sink.site, titles)
	return p, err
}

// sortedFigures returns one figure per search in ascending order, or a single NaN if there are no searches.
func sortedFigures(list []found, figure func(found) float64) []float64 {
	all := []float64{}
	for _, f := range list {
		all = append(all, figure(f))
	}
	if len(all) == 0 {
		return []float64{math.NaN()}
	}
	slices.Sort(all)
	return all
}

func medianOf(list []found, figure func(found) float64) float64 {
	all := sortedFigures(list, figure)
	return all[len(all)/2]
}

func mostOf(list []found, figure func(found) float64) float64 {
	all := sortedFigures(list, figure)
	return all[len(all)-1]
}

// searchTitles searches only our index for titles.
func searchTitles(ctx context.Context, sink *indexOnly, n int) error {
	titles, pages := someTitles(n)
	ours, err := askOurs(ctx, sink, titles)
	if err != nil {
		return err
	}
	requests, size := 0, 0
	for _, f := range ours {
		requests, size = max(requests, f.Requests), max(size, f.Bytes)
	}
	fmt.Printf("\n%d titles of %d pages: %.1f %% first, at most %d requests and %.1f kB each\n", len(titles), n,
		firstShare(ours, titles, pages), requests, float64(size)/1000)
	return nil
}

var titleLine = regexp.MustCompile(`(?m)^title: "(.*)"$`)

// someTitles returns titles of pages spread over the site, and the paths of all pages by title.
func someTitles(n int) (titles []string, pages map[string][]string) {
	pages = map[string][]string{}
	for i, p := range makePages(1, n, kind{}) {
		title := titleLine.FindStringSubmatch(p.head)[1]
		if pages[title] = append(pages[title], p.path); i%max(1, n/asked) == 0 && len(titles) < asked {
			titles = append(titles, title)
		}
	}
	return titles, pages
}

// askOurs searches our index for each title. The cost includes the search script, which readers load with the first
// query.
func askOurs(ctx context.Context, sink *indexOnly, titles []string) (out []found, err error) {
	for _, title := range titles {
		f, begun := found{Requests: 1, Bytes: sink.script}, time.Now()
		x, err := sink.open(func(data []byte) {
			f.Bytes += packed(data)
			f.Requests++
		})
		if err != nil {
			return nil, err
		}
		answer, err := x.Find(ctx, searchindex.Query{Text: title})
		if err != nil {
			return nil, err
		}
		f.Ms = float64(time.Since(begun).Microseconds()) / 1000
		if len(answer.Hits) > 0 {
			f.First = answer.Hits[0].Path
		}
		out = append(out, f)
	}
	return out, nil
}

func askPagefind(ctx context.Context, o options, installed, site string, titles []string) (out []found, err error) {
	text, err := json.Marshal(titles)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("node", filepath.Join(installed, "ask.mjs"), site)
	var said, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &said, &complaints
	if _, err := runBounded(ctx, cmd, o.race.limit); err != nil {
		return nil, fmt.Errorf("query Pagefind: %w: %.500s", err, complaints.String())
	}
	if err := json.Unmarshal(said.Bytes(), &out); err != nil {
		return nil, fmt.Errorf("read results of Pagefind: %w", err)
	}
	if len(out) != len(titles) {
		return nil, errors.New("query Pagefind: no result for some titles")
	}
	return out, nil
}

// pagefindSize returns the compressed size of Pagefind's index in bytes: words and texts, without its scripts.
func pagefindSize(dir string) (sum int64, err error) {
	for _, part := range []string{"index", "fragment"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(dir, part), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				sum += info.Size()
			}
			return err
		}))
	}
	return sum, err
}

// firstShare returns the percentage of titles whose first result is a page with that title.
func firstShare(list []found, titles []string, pages map[string][]string) float64 {
	good := 0
	for i, f := range list {
		path := strings.TrimSuffix(strings.Trim(f.First, "/"), ".html")
		if slices.Contains(pages[titles[i]], path) {
			good++
		}
	}
	return 100 * float64(good) / float64(len(list)) // NaN if the list is empty
}
