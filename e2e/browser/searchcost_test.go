package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp/kb"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
)

// lanterns returns a site whose index has many shards.
func lanterns() fstest.MapFS {
	out := fstest.MapFS{}
	var names []string
	for i := range 90 {
		name := fmt.Sprintf("guides/p%02d", i)
		names = append(names, `"`+name+`"`)
		var text strings.Builder
		for k := range 900 {
			fmt.Fprintf(&text, "word%dx%d ", i, k*k%7919)
		}
		out[name+".mdx"] = &fstest.MapFile{Data: []byte(fmt.Sprintf(
			"---\ntitle: Lantern number %d\n---\nLight it with care.\n\n## Wick %d\n\nTrim the wick. %s\n", i, i, text.String()))}
	}
	out["index.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: Welcome\n---\nThe first page of all.\n")}
	out["docs.json"] = &fstest.MapFile{Data: []byte(
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index", ` +
			strings.Join(names, ", ") + `]}}`)}
	return out
}

// pasteSearch opens the search and enters one query at once, like a reader who pastes it.
func (p *page) pasteSearch(text string) {
	p.t.Helper()
	p.click("[data-search]")
	p.waitFor(`document.activeElement?.matches("dialog.search input")`)
	eval[bool](p, `(() => {
		const field = document.activeElement;
		field.value = `+fmt.Sprintf("%q", text)+`;
		field.dispatchEvent(new Event("input"));
		return true;
	})()`)
}

const firstTitle = `document.querySelector('dialog.search [role="option"] .search-title')?.textContent`

// On a static host, a query takes at most six requests, including the search script, and requests no endpoint. More
// results are loaded when the reader asks for them.
func TestSearchOnStaticHostTakesFewRequests(t *testing.T) {
	t.Parallel()
	s := serveFS(t, lanterns())
	p := openURL(t, s.URL+"/")
	p.pasteSearch("lantern number 42")
	p.waitFor(firstTitle + ` === "Lantern number 42" && document.querySelector("dialog.search .search-snippet") !== null`)
	first := s.requestsBelow("/_lectern/search", "/_lectern/api")
	if len(first) > 6 || len(first) < 4 {
		t.Errorf("a query asks for %v", first)
	}
	p.waitFor(`document.querySelector('dialog.search [data-more]') !== null`)
	const snippets = `document.querySelectorAll("dialog.search .search-snippet").length`
	before := eval[int](p, snippets)
	// Keys would scroll the list, and both keys and scrolling to its end load more, so the number of requests would be
	// random.
	eval[bool](p, `(() => { document.querySelector('dialog.search [data-more]').click(); return true; })()`)
	p.waitFor(fmt.Sprintf("%s > %d", snippets, before))
	if more := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(more) <= len(first) || len(more) > len(first)+4 {
		t.Errorf("loading more requests %v after %v", more, first)
	}
	p.checkConsole()
}

// A typo in the first letter costs two more requests: the list of words and the file with the intended word. The query
// stays within six requests, because titles are shown without texts until the reader asks for more.
func TestMistypedSearchTakesFewRequests(t *testing.T) {
	t.Parallel()
	s := serveFS(t, lanterns())
	p := openURL(t, s.URL+"/")
	p.pasteSearch("xantern")
	p.waitFor(firstTitle + `?.startsWith("Lantern number") && document.querySelector('dialog.search [data-more]') !== null`)
	if first := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(first) > 6 {
		t.Errorf("a query asks for %v", first)
	}
	eval[bool](p, `(() => { document.querySelector('dialog.search [data-more]').click(); return true; })()`)
	p.waitFor(`document.querySelector("dialog.search .search-snippet") !== null`)
	p.checkConsole()
}

// On a server that answers queries, the dialog sends one request and loads no index files.
func TestSearchOnServerTakesOneRequest(t *testing.T) {
	t.Parallel()
	s := serveWith(t, lanterns(), map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New()})
	p := openURL(t, s.URL+"/")
	p.pasteSearch("lantern number 42")
	p.waitFor(firstTitle + ` === "Lantern number 42" && document.querySelector("dialog.search .search-snippet") !== null`)
	if got := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(got) != 1 || got[0] != capability.SearchPath {
		t.Errorf("a query requests %v", got)
	}
	p.key(kb.Enter)
	p.waitForHeading("Lantern number 42")
	p.checkConsole()
}

type refusing struct{}

func (refusing) ServeSite(w http.ResponseWriter, _ *http.Request, _ siteapi.Site) {
	siteapi.Refuse(w, http.StatusServiceUnavailable, "busy", "Too many searches are running.")
}

// If the server refuses a query, the browser searches the index itself.
func TestSearchFallsBackToIndexFiles(t *testing.T) {
	t.Parallel()
	s := serveWith(t, lanterns(), map[string]siteapi.Endpoint{capability.SearchPath: refusing{}})
	p := openURL(t, s.URL+"/")
	p.pasteSearch("lantern number 42")
	p.waitFor(firstTitle + ` === "Lantern number 42"`)
	if got := s.requestsBelow("/_lectern/api"); len(got) != 1 {
		t.Errorf("the endpoint was requested %d times", len(got))
	}
}

// When the search button receives focus, the search script and the index's entry file are loaded, before anything is
// typed.
func TestFocusPreloadsSearch(t *testing.T) {
	t.Parallel()
	s := serveFS(t, lanterns())
	p := openURL(t, s.URL+"/")
	p.waitFor(`document.querySelector("[data-search]").hidden === false`)
	if early := s.requestsBelow("/_lectern/search"); len(early) > 0 {
		t.Errorf("before the focus, the page requests %v", early)
	}
	eval[bool](p, `(document.querySelector("[data-search]").focus(), true)`)
	p.waitFor(`window.lecternSearch !== undefined &&
		performance.getEntriesByType("resource").some((e) => e.name.endsWith("/_lectern/search/index.js") && e.responseEnd > 0)`)
	p.expectEqual("the dialog", eval[string](p, `String(document.querySelector("dialog.search"))`), "null")
	if got := s.requestsBelow("/_lectern/search"); len(got) != 2 {
		t.Errorf("on focus, the page requests %v, want the search script and the index's entry file", got)
	}
	p.checkConsole()
}

// holding puts a server in front of s that holds back the index's files, except its entry file, until they are
// released.
func holding(t *testing.T, s *served) (address string, release func(paths ...string)) {
	t.Helper()
	var mu sync.Mutex
	free, end := map[string]chan struct{}{}, make(chan struct{})
	gate := func(path string) chan struct{} {
		mu.Lock()
		defer mu.Unlock()
		if free[path] == nil {
			free[path] = make(chan struct{})
		}
		return free[path]
	}
	before := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path := r.URL.Path; strings.HasPrefix(path, "/_lectern/search/") && !strings.HasSuffix(path, "/index.js") {
			select {
			case <-gate(path):
			case <-end:
			case <-r.Context().Done():
			}
		}
		s.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { close(end); before.Close() })
	return before.URL, func(paths ...string) {
		for _, path := range paths {
			close(gate(path))
		}
	}
}

// The first titles appear one round trip after the entry file has loaded, with the files that the query requests in
// parallel. Files requested later, such as texts, have not arrived by then.
func TestFirstTitleTakesOneRoundTrip(t *testing.T) {
	t.Parallel()
	address, release := holding(t, serveFS(t, lanterns()))
	p := openURL(t, address+"/")
	p.pasteSearch("lantern number 42")
	const waiting = `[...document.head.querySelectorAll('script[src*="/_lectern/search/"]')]
		.map((s) => new URL(s.src).pathname).filter((path) => !path.endsWith("/index.js"))`
	p.waitFor(waiting + `.length > 0`) // files of one query are added at once
	first := eval[[]string](p, waiting)
	release(first...)
	p.waitFor(firstTitle + ` === "Lantern number 42"`)
	p.expectEqual("texts", eval[string](p, `String(document.querySelector("dialog.search .search-snippet"))`), "null")
	p.waitFor(waiting + `.length > 0`)
	for _, path := range eval[[]string](p, waiting) {
		if slices.Contains(first, path) {
			t.Errorf("%s was requested again", path)
		}
	}
	p.checkConsole()
}

// Typing sends a query when the reader pauses. Without a pause, it takes as many requests as pasting, and each pause
// adds few.
func TestTypingTakesFewRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		steps []string // texts typed without a pause
		most  int      // requests
	}{
		{"without a pause", []string{"lantern number 42"}, 6},
		{"with a pause after each word", []string{"lantern", " number", " 42"}, 9},
	} {
		s := serveFS(t, lanterns())
		p := openURL(t, s.URL+"/")
		p.click("[data-search]")
		p.waitFor(`document.activeElement?.matches("dialog.search input")`)
		for _, step := range c.steps {
			eval[bool](p, fmt.Sprintf(`(() => {
				const field = document.activeElement;
				for (const letter of %q) { field.value += letter; field.dispatchEvent(new Event("input")); }
				return true;
			})()`, step))
			words := strings.Fields(step)
			p.waitFor(fmt.Sprintf(`document.querySelector("dialog.search .search-snippet") !== null &&
				[...document.querySelectorAll("dialog.search mark")].some((m) => m.textContent.toLowerCase() === %q) &&
				!document.querySelector("dialog.search[data-busy]")`, words[len(words)-1]))
		}
		p.waitFor(firstTitle + ` === "Lantern number 42"`)
		if got := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(got) > c.most {
			t.Errorf("%s: %d requests, want at most %d: %v", c.name, len(got), c.most, got)
		} else {
			t.Logf("%s: %d requests", c.name, len(got))
		}
	}
}
