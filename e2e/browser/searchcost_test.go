package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp/kb"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
)

// lanterns is a site whose index has many shards.
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

// pasteSearch opens the search and enters one query at once, as a reader does who pastes it.
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

// From a static host a query takes six requests at most, with the search itself, and asks for no endpoint. Further
// results are read when the reader asks for them.
func TestSearchOnAStaticHostTakesFewRequests(t *testing.T) {
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
	// Keys would scroll the list, and both keys and scrolling to its end read on: how often would be a matter of luck.
	eval[bool](p, `(() => { document.querySelector('dialog.search [data-more]').click(); return true; })()`)
	p.waitFor(fmt.Sprintf("%s > %d", snippets, before))
	if more := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(more) <= len(first) || len(more) > len(first)+4 {
		t.Errorf("going on asks for %v after %v", more, first)
	}
	p.checkConsole()
}

// On a server that answers queries, the dialog makes one request, and none for the index.
func TestSearchOnAServerTakesOneRequest(t *testing.T) {
	t.Parallel()
	s := serveWith(t, lanterns(), map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New()})
	p := openURL(t, s.URL+"/")
	p.pasteSearch("lantern number 42")
	p.waitFor(firstTitle + ` === "Lantern number 42" && document.querySelector("dialog.search .search-snippet") !== null`)
	if got := s.requestsBelow("/_lectern/search", "/_lectern/api"); len(got) != 1 || got[0] != capability.SearchPath {
		t.Errorf("a query asks for %v", got)
	}
	p.key(kb.Enter)
	p.waitForHeading("Lantern number 42")
	p.checkConsole()
}

type refusing struct{}

func (refusing) ServeSite(w http.ResponseWriter, _ *http.Request, _ siteapi.Site) {
	siteapi.Refuse(w, http.StatusServiceUnavailable, "busy", "Too many searches are running.")
}

// When the server refuses, the browser searches by itself.
func TestSearchUsesFilesWhenTheServerRefuses(t *testing.T) {
	t.Parallel()
	s := serveWith(t, lanterns(), map[string]siteapi.Endpoint{capability.SearchPath: refusing{}})
	p := openURL(t, s.URL+"/")
	p.pasteSearch("lantern number 42")
	p.waitFor(firstTitle + ` === "Lantern number 42"`)
	if got := s.requestsBelow("/_lectern/api"); len(got) != 1 {
		t.Errorf("the endpoint was asked %d times", len(got))
	}
}
