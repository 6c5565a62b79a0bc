package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// The network of a distant reader.
const (
	roundTrip  = 150           // milliseconds
	throughput = 1_600_000 / 8 // bytes per second
	overTitles = 10            // number of titles searched over this network
)

// Both scripts load everything without a cache, search for a title and return the milliseconds until the first
// result, and until its text.
const (
	askOursScript = `(async (title) => {
		const begun = performance.now();
		const link = document.createElement("link"); // as web/theme/src/search/load.ts does
		document.head.append(Object.assign(link, { rel: "preload", as: "script", href: "/index/index.js" }));
		await new Promise((resolve, reject) => {
			const s = document.createElement("script");
			Object.assign(s, { src: "/search.js", onload: resolve, onerror: reject });
			document.head.append(s);
		});
		const index = await lecternSearch.open("/index/index.js");
		let early = 0;
		await index.find(title, { early: (hits) => { if (hits.length) early = performance.now() - begun; } });
		const all = performance.now() - begun;
		return [early || all, all];
	})(%s)`
	askPagefindScript = `(async (title) => {
		const begun = performance.now();
		const client = await import("/pagefind/pagefind.js");
		await client.options({ basePath: "/pagefind/", baseUrl: "/" });
		const { results } = await client.search(title);
		await results[0].data();
		const all = performance.now() - begun;
		return [all, all];
	})(%s)`
)

// searchOverNetwork prints the medians of our search, and of Pagefind if it has an index, in a browser with a slow
// network.
func searchOverNetwork(ctx context.Context, sink *indexOnly, titles []string, besidePagefind bool) error {
	host := httptest.NewServer(sink.host())
	defer host.Close()
	tab, free, err := openBrowser(ctx)
	if err != nil {
		return err
	}
	defer free()
	heading(fmt.Sprintf("%d ms, %.1f Mbit/s, median of %d titles (ms)", roundTrip,
		throughput*8/1e6, min(overTitles, len(titles))), "ours", "Pagefind", "ratio")
	scripts := []string{askOursScript}
	medians := [2][2]float64{{}, {math.NaN(), math.NaN()}} // by engine: first result, its text
	if besidePagefind {
		scripts = append(scripts, askPagefindScript)
	}
	for i, script := range scripts {
		var all [2][]float64
		for _, title := range titles[:min(overTitles, len(titles))] {
			took, err := askInBrowser(tab, host.URL, fmt.Sprintf(script, quoted(title)))
			if err != nil {
				return fmt.Errorf("search for %q in the browser: %w", title, err)
			}
			all[0], all[1] = append(all[0], took[0]), append(all[1], took[1])
		}
		for k := range all {
			slices.Sort(all[k])
			medians[i][k] = all[k][len(all[k])/2]
		}
	}
	row("first result", medians[0][0], medians[1][0])
	row("its text", medians[0][1], medians[1][1])
	return nil
}

// askInBrowser opens an empty page of the host, without a cache, and runs a script with the slow network.
func askInBrowser(tab context.Context, host, script string) (took [2]float64, err error) {
	tab, cancel := chromedp.NewContext(tab, chromedp.WithNewBrowserContext())
	defer cancel()
	tab, stop := context.WithTimeout(tab, 5*time.Minute)
	defer stop()
	if _, err := chromedp.Run(tab, chromedp.Navigate(host)); err != nil {
		return took, err
	}
	slow := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
		{Latency: roundTrip, DownloadThroughput: throughput, UploadThroughput: throughput}}}
	if _, err := chromedp.Call(tab, network.EmulateNetworkConditionsByRule, slow); err != nil {
		return took, err
	}
	return chromedp.Run(tab, chromedp.Evaluate[[2]float64](script, chromedp.EvalAwaitPromise))
}

// host serves the search, the index and Pagefind's files like a static host, and compresses them unless they already
// are.
func (s *indexOnly) host() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		// the browser reports missing files
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>Search</title>")
	})
	files := http.NewServeMux()
	files.Handle("GET /index/", http.StripPrefix("/index/", http.FileServer(http.Dir(s.dir))))
	files.Handle("GET /pagefind/", http.FileServer(http.Dir(s.site)))
	files.HandleFunc("GET /search.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(s.dir, scriptFile))
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		if ext := path.Ext(r.URL.Path); ext != ".js" && ext != ".json" {
			files.ServeHTTP(w, r)
			return
		}
		out := gzip.NewWriter(w)
		defer func() { _ = out.Close() }() // likewise
		w.Header().Set("Content-Encoding", "gzip")
		files.ServeHTTP(packing{w, out}, r)
	})
	return mux
}

// packing is a response that is compressed while it is sent.
type packing struct {
	http.ResponseWriter
	out *gzip.Writer
}

func (p packing) Write(data []byte) (int, error) { return p.out.Write(data) }

func (p packing) WriteHeader(status int) {
	p.Header().Del("Content-Length")
	p.ResponseWriter.WriteHeader(status)
}

func quoted(text string) string {
	out, _ := json.Marshal(text) // a string can always be encoded
	return string(out)
}
