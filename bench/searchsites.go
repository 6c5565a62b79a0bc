package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
)

// siteTitles is the number of titles to search for on each real site.
const siteTitles = 20

// searchSites measures the cost of a typed query for readers of real sites on a static host. The program exports each
// docs folder directly in -sites, and each site is searched for the titles of some of its pages.
func searchSites(ctx context.Context, o options) error {
	if o.race.sites == "" {
		fmt.Println("\nsearchsites: name a folder of real docs folders with -sites")
		return nil
	}
	list, err := os.ReadDir(o.race.sites)
	if err != nil {
		return err
	}
	fmt.Print("\n| site | pages | search and typing | requests: median, most | kB: median, most | title first | title in five |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, entry := range list {
		docs := filepath.Join(o.race.sites, entry.Name())
		if !hasSiteFile(docs) {
			continue
		}
		if err := searchRealSite(ctx, o, docs); err != nil {
			return fmt.Errorf("search %s: %w", entry.Name(), err)
		}
	}
	return nil
}

func hasSiteFile(docs string) bool {
	return slices.ContainsFunc([]string{"docs.json", "mint.json"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(docs, name))
		return err == nil
	})
}

// searchRealSite prints the rows of one site.
func searchRealSite(ctx context.Context, o options, docs string) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	site := filepath.Join(dir, "site")
	out, err := exec.CommandContext(ctx, o.binary, "export", docs, "--out", site, "--format", "dir").CombinedOutput()
	if err != nil {
		return fmt.Errorf("export: %w: %s", err, out[max(0, len(out)-500):])
	}
	measured, err := searchquality.Open(ctx, os.DirFS(docs))
	if err != nil {
		return err
	}
	ways := slices.Clone(typings)
	if o.race.peers != "none" {
		switch err := indexWithPagefind(ctx, o, site); {
		case errors.Is(err, errLimit):
			fmt.Printf("| %s | %d | Pagefind: %v | | | | |\n", filepath.Base(docs), len(measured.Listed()), errLimit)
		case err != nil:
			return err
		default:
			ways = append(ways, typing{"Pagefind, typed", pagefindTypes})
		}
	}
	files := &countingHost{root: os.DirFS(site)}
	host := httptest.NewServer(files)
	defer host.Close()
	tab, free, err := openBrowser(ctx)
	if err != nil {
		return err
	}
	defer free()
	items := measured.Items(siteTitles)
	for _, way := range ways {
		asked, err := askSite(tab, files, host.URL, way, items)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Printf("| %s | %d | %s | %s |\n", filepath.Base(docs), len(measured.Listed()), way.name, siteRow(asked))
	}
	return nil
}

// indexWithPagefind adds Pagefind's index to an exported site.
func indexWithPagefind(ctx context.Context, o options, site string) error {
	installed, err := installPagefind(ctx, o)
	if err != nil {
		return err
	}
	cmd := pagefindCommand(installed, site)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if _, err := runBounded(ctx, cmd, o.race.limit); err != nil {
		return fmt.Errorf("run Pagefind: %w: %s", err, said.String())
	}
	return nil
}

// askedSite is the cost and result of one search.
type askedSite struct {
	requests, bytes int
	first, five     bool // whether a page with that title is first, or among the first five
}

// askSite searches for each item, with nothing cached except the reader's current page.
func askSite(tab context.Context, files *countingHost, base string, way typing, items []searchquality.Item) ([]askedSite, error) {
	var out []askedSite
	for _, item := range items {
		found, err := typeInBrowser(tab, files, base, fmt.Sprintf(way.script, quoted(item.Title)))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", item.Title, err)
		}
		a := askedSite{requests: int(files.requests.Load()), bytes: int(files.bytes.Load())}
		for i, address := range found {
			if slices.Contains(item.Pages, pageOf(address)) {
				a.first, a.five = a.first || i == 0, true
			}
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil, errors.New("the site has no titles")
	}
	return out, nil
}

// pageOf returns the path of the page at an address of an exported site.
func pageOf(address string) string {
	page, _, _ := strings.Cut(strings.Trim(address, "/"), "#")
	page = strings.TrimSuffix(strings.TrimSuffix(page, ".html"), "/")
	if page == "" {
		return "index"
	}
	return page
}

// siteRow formats the last columns of a row.
func siteRow(asked []askedSite) string {
	share := func(of func(askedSite) bool) float64 {
		n := 0
		for _, a := range asked {
			if of(a) {
				n++
			}
		}
		return 100 * float64(n) / float64(len(asked))
	}
	sorted := func(of func(askedSite) int) []int {
		var all []int
		for _, a := range asked {
			all = append(all, of(a))
		}
		slices.Sort(all)
		return all
	}
	requests, sizes := sorted(func(a askedSite) int { return a.requests }), sorted(func(a askedSite) int { return a.bytes })
	n := len(asked)
	return fmt.Sprintf("%d, %d | %.0f, %.0f | %.0f %% | %.0f %%", requests[n/2], requests[n-1],
		float64(sizes[n/2])/1000, float64(sizes[n-1])/1000,
		share(func(a askedSite) bool { return a.first }), share(func(a askedSite) bool { return a.five }))
}

// readable reports whether a name is a file of the site.
func readable(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return err == nil && !info.IsDir()
}

// calm is how long the host must receive no request before a page counts as loaded.
const calm = 500 * time.Millisecond
