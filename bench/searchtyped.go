package main

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/chromedp"
)

// typing is a way to enter a title. Its script returns the addresses of the first five results.
type typing struct{ name, script string }

// The page's own timers press the keys. They share a queue with the dialog's timers, so a busy machine does not look
// like a reader who pauses.
const (
	weType = `(async (title, pause) => {
		const wait = (ms) => new Promise((done) => setTimeout(done, ms));
		const list = () => document.querySelector("#search-list");
		document.querySelector("[data-search]").click();
		await wait(300);
		const field = document.querySelector("dialog[open] input");
		for (const key of title) {
			field.value += key;
			field.dispatchEvent(new InputEvent("input", { bubbles: true }));
			await wait(60);
			if (key === " ") await wait(pause);
		}
		let last = "", same = 0;
		for (let i = 0; i < 200 && same < 12; i++) {
			await wait(60);
			const now = list().innerText;
			same = now && now === last ? same + 1 : 0;
			last = now;
		}
		const path = (a) => a.href ? new URL(a.href).pathname : "";
		return [...list().querySelectorAll("[role=option]")].map(path).filter(Boolean).slice(0, 5);
	})(%%s, %d)`
	pagefindTypes = `(async (title) => {
		const client = await import("/pagefind/pagefind.js");
		await client.init();
		for (let i = 1; i < title.length; i++) {
			await client.preload(title.slice(0, i));
			await new Promise((done) => setTimeout(done, 60));
		}
		const { results } = await client.search(title);
		return (await Promise.all(results.slice(0, 5).map((r) => r.data()))).map((r) => r.url);
	})(%s)`
)

// typings are the ways to type into the dialog. The pause is longer than the dialog waits for the next key.
var typings = []typing{
	{"ours, typed", fmt.Sprintf(weType, 0)},
	{"ours, with a pause after each word", fmt.Sprintf(weType, 900)},
}

// openBrowser starts Chromium.
func openBrowser(ctx context.Context) (tab context.Context, free func(), err error) {
	program, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		return nil, nil, fmt.Errorf("find a browser: %w", err)
	}
	alloc, freeAlloc := chromedp.NewExecAllocator(ctx, append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WindowSize(1300, 900))...)
	tab, cancel := chromedp.NewContext(alloc)
	free = func() {
		cancel()
		freeAlloc()
	}
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool]("true")); err != nil {
		free()
		return nil, nil, fmt.Errorf("start the browser: %w", err)
	}
	return tab, free, nil
}

// typeInBrowser opens the front page with an empty cache, waits until it has loaded everything, runs the script, and
// counts the requests that the script causes.
func typeInBrowser(tab context.Context, files *countingHost, base, script string) (found []string, err error) {
	tab, cancel := chromedp.NewContext(tab, chromedp.WithNewBrowserContext())
	defer cancel()
	tab, stop := context.WithTimeout(tab, 5*time.Minute)
	defer stop()
	if _, err := chromedp.Run(tab, chromedp.Navigate(base+"/")); err != nil {
		return nil, err
	}
	for seen := int64(-1); seen != files.requests.Load(); {
		seen = files.requests.Load()
		time.Sleep(calm)
	}
	files.requests.Store(0)
	files.bytes.Store(0)
	return chromedp.Run(tab, chromedp.Evaluate[[]string](script, chromedp.EvalAwaitPromise))
}

// countingHost serves an exported site like a static host, and counts requests and compressed bytes.
type countingHost struct {
	root            fs.FS
	requests, bytes atomic.Int64
}

func (h *countingHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.requests.Add(1)
	name := strings.Trim(r.URL.Path, "/")
	for _, try := range []string{name, path.Join(name, "index.html"), name + ".html"} {
		if fs.ValidPath(try) && readable(h.root, try) {
			h.send(w, try)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

var contentTypes = map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css",
	".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm"}

func (h *countingHost) send(w http.ResponseWriter, name string) {
	data, err := fs.ReadFile(h.root, name)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	kind := contentTypes[path.Ext(name)]
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	if kind != "" && path.Ext(name) != ".wasm" {
		data = packedBytes(data)
		w.Header().Set("Content-Encoding", "gzip")
	}
	h.bytes.Add(int64(len(data)))
	_, _ = w.Write(data) // the browser reports missing files
}
