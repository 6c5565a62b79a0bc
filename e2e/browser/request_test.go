package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"text/tabwriter"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// counted forwards requests to a host, and counts them and the bytes of their bodies.
type counted struct {
	*httptest.Server
	requests, bytes atomic.Int64
}

func countRequests(t *testing.T, origin string) *counted {
	t.Helper()
	to, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.requests.Add(1)
		proxy.ServeHTTP(&countedWriter{w, c}, r)
	}))
	t.Cleanup(c.Close)
	return c
}

type countedWriter struct {
	http.ResponseWriter
	c *counted
}

func (w *countedWriter) Write(b []byte) (int, error) {
	w.c.bytes.Add(int64(len(b)))
	return w.ResponseWriter.Write(b)
}

// take returns the requests and bytes since the last call.
func (c *counted) take() cost { return cost{c.requests.Swap(0), c.bytes.Swap(0)} }

type cost struct{ requests, bytes int64 }

func (c cost) String() string { return fmt.Sprintf("%d\t%.1f kB", c.requests, float64(c.bytes)/1000) }

// requestSite returns a site whose first page links to the next one outside the viewport, so that the next page is not
// prefetched.
func requestSite() map[string]string {
	files := map[string]string{"docs.json": strings.ReplaceAll(pagesJSON, `"three", "drawn"`, `"three", "guides/four"`)}
	for i, name := range []string{"index", "two", "three", "guides/four"} {
		files[name+".mdx"] = fmt.Sprintf("---\ntitle: Page %d\n---\n%s", i+1, longText())
	}
	return files
}

// A click on a link sends one request, for the page, on every kind of host. serve-bundle redirects from x.html to x, so
// the first click from a page whose address does not reveal this also costs the redirect. With -v (make requests), the
// test prints a table of requests and bytes.
func TestClickSendsOneRequest(t *testing.T) {
	t.Parallel()
	binary, archive := programPath(t), filepath.Join(t.TempDir(), "site.tar.gz")
	docs := requestSite()
	folder := worktest.Write(t, docs)
	if out, err := exec.Command(binary, "export", folder, "--out", archive, "--no-cache").CombinedOutput(); err != nil {
		t.Fatalf("export: %v\n%s", err, out)
	}
	var pairs []string
	for name, text := range docs {
		pairs = append(pairs, name, text)
	}
	address := lectern.FreeAddress(t)
	bundle := lectern.Spawn(t, binary, nil, "serve-bundle", "--source", archive, "--data", t.TempDir(), "--listen", address)
	bundle.Await("readiness", func() bool { return lectern.Status("http://"+address+"/readyz") == http.StatusOK })
	plain := httptest.NewServer(http.FileServer(http.Dir(site(t, pairs...))))
	t.Cleanup(plain.Close)

	var table strings.Builder
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "host\tfirst view\t\tclick\t\thover and click\t\tback\t")
	for _, host := range []struct {
		name, origin, suffix string
		click                int64
	}{
		{"serve", serve(t, pairs...).URL, "", 1},
		{"serve-bundle", "http://" + address, "", 2},
		{"static files", plain.URL, ".html", 1},
	} {
		c := countRequests(t, host.origin)
		p := openURL(t, c.URL+"/")
		p.waitFor(`document.readyState === "complete" && !document.querySelector(".search-button").hidden`)
		p.markDocument()
		first := c.take()
		p.follow(`.sidebar li:nth-child(2) > a`, "Page 2")
		click := c.take()
		eval[bool](p, `document.querySelector(".sidebar li li:nth-child(4) > a").dispatchEvent(
			new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }))`)
		p.waitFor(`performance.getEntriesByType("resource").some((e) => e.name.includes("/guides/four") && e.responseEnd)`)
		p.follow(`.sidebar li li:nth-child(4) > a`, "Page 4")
		hover := c.take()
		p.expectEqual("address", eval[string](p, `location.pathname`), "/guides/four"+host.suffix)
		p.follow(`.sidebar li li:nth-child(3) > a`, "Page 3")
		p.expectEqual("address", eval[string](p, `location.pathname`), "/three"+host.suffix)
		c.take()
		eval[bool](p, `(history.back(), true)`)
		p.waitForHeading("Page 4")
		back := c.take()
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", host.name, first, click, hover, back)
		if click.requests != host.click || hover.requests != 1 || back.requests != 0 {
			t.Errorf("%s: a click costs %d requests, one after hovering %d, going back %d", host.name, click.requests,
				hover.requests, back.requests)
		}
		p.expectSameDocument(true)
		p.checkConsole()
	}
	_ = out.Flush() // to memory
	t.Log("\n" + table.String())
}
