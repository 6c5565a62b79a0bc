package devserve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// preview is a running preview of a folder.
type preview struct {
	t      *testing.T
	dir    string
	url    string
	server *Server

	mu    sync.Mutex
	lines []string
}

func open(t *testing.T, files ...string) *preview {
	t.Helper()
	p := &preview{t: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	tools, err := build.NewTools()
	if err != nil {
		t.Fatal(err)
	}
	src := os.DirFS(p.dir)
	live := build.NewLive(src,
		build.Options{Links: link.Clean, Tools: tools, Workers: 2, Offers: capability.Offers{Search: true,
			External: capability.External{On: true}}})
	p.server = New(Options{Live: live, Source: src, Now: time.Now, Quiet: time.Millisecond, Say: p.say})
	ctx, cancel := context.WithCancel(context.Background())
	if err := p.server.Changed(ctx, nil); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { p.server.Run(ctx) })
	http := httptest.NewServer(p.server.Handler())
	p.url = http.URL
	t.Cleanup(func() {
		cancel()
		http.CloseClientConnections()
		http.Close()
		wg.Wait()
		live.Close()
		_ = tools.Close()
	})
	return p
}

func (p *preview) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line)
}

func (p *preview) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

func (p *preview) write(name, text string) string {
	p.t.Helper()
	full := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return name
}

func (p *preview) edit(name, text string) {
	p.t.Helper()
	if err := p.server.Changed(p.t.Context(), []string{p.write(name, text)}); err != nil {
		p.t.Fatal(err)
	}
}

// get requests a URL; headers are name, value, ….
func (p *preview) get(address string, headers ...string) (*http.Response, string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+address, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp, string(body)
}

// listen opens the stream of change notifications.
func (p *preview) listen(rev string) func() news {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+prefix+"events?rev="+rev, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() { // the "retry" line: the stream is open
		p.t.Fatal("no stream")
	}
	return func() (n news) {
		p.t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(data), &n); err != nil {
					p.t.Fatal(err)
				}
				return n
			}
		}
		p.t.Fatal("the stream ended")
		return n
	}
}

func (p *preview) findings(path string) (f findings) {
	p.t.Helper()
	_, body := p.get(prefix + "findings?path=" + path)
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		p.t.Fatal(err)
	}
	return f
}

func site() []string {
	return []string{
		"docs.json",
		`{"name": "Garden", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "guides/start"]}, "redirects": [{"source": "/old", "destination": "/guides/start"}]}`,
		"index.mdx", "---\ntitle: Home\n---\n\nHello.\n",
		"guides/start.mdx", "---\ntitle: Start\n---\n\nFirst text. [gone](/nowhere)\n",
		"images/p.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	}
}

func TestPreviewRespondsLikePublishedSite(t *testing.T) {
	p := open(t, site()...)
	for _, c := range []struct {
		path        string
		status      int
		contentType string
		has         string
	}{
		{"/", 200, "text/html", "Hello."}, {"/guides/start", 200, "text/html", "First text."},
		{"/guides/start.md", 200, "text/markdown", "First text."},
		{"/images/p.svg", 200, "image/svg+xml", "<svg"}, {"/llms.txt", 200, "text/plain", "Garden"},
		{"/sitemap.xml", 200, "application/xml", "urlset"},
		{"/nowhere", 404, "text/html", prefix + "client.js"}, {"/old", 308, "", ""},
		{"/guides/start.html", 308, "", ""}, {"/guides/start/", 308, "", ""},
		{prefix + "client.js", 200, "text/javascript", "lectern-dev"},
		{prefix + "client.css", 200, "text/css", ":host"}, {prefix + "other", 404, "", ""},
	} {
		resp, body := p.get(c.path)
		if resp.StatusCode != c.status || !strings.Contains(body, c.has) ||
			!strings.HasPrefix(resp.Header.Get("Content-Type"), c.contentType) {
			t.Errorf("%s: %d %s %.200s", c.path, resp.StatusCode, resp.Header.Get("Content-Type"), body)
		}
	}
	if resp, _ := p.get("/"); resp.Header.Get("Content-Security-Policy") != route.PagePolicy ||
		resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", resp.Header)
	}
	if resp, body := p.get("/guides/start", "Accept",
		"text/markdown"); !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/markdown") ||
		strings.Contains(body, prefix) {
		t.Errorf("response with Markdown requested: %v %s", resp.Header, body)
	}
	if resp, _ := p.get("/images/p.svg"); resp.Header.Get("Content-Security-Policy") != route.FilePolicy {
		t.Error("an author's drawing may act as a page (C4)")
	}
}

func TestEditIsAnnouncedAndShown(t *testing.T) {
	p := open(t, site()...)
	next := p.listen("1")
	p.edit("guides/start.mdx", "---\ntitle: Start\n---\n\nSecond text.\n")
	n := next()
	for n.Findings { // from the first pass
		n = next()
	}
	if n.Whole || len(n.Pages) != 1 || n.Pages[0] != "/guides/start" || n.Rev != 2 {
		t.Errorf("sent %+v", n)
	}
	if _, body := p.get("/guides/start"); !strings.Contains(body, "Second text.") ||
		!strings.Contains(body, `data-lectern-dev="2"`) {
		t.Errorf("shown %s", body)
	}
	p.edit("docs.json", strings.Replace(site()[1], "Garden", "Orchard", 1))
	for n = next(); n.Findings; n = next() {
	}
	if !n.Whole || n.Rev != 3 {
		t.Errorf("sent %+v", n)
	}
	if _, body := p.get("/"); !strings.Contains(body, "Orchard") {
		t.Error("the new name is not shown")
	}
	if !strings.Contains(p.said(), "guides/start.mdx (") {
		t.Errorf("printed %s", p.said())
	}
}

func TestPageGetsChangesMadeWhileLoading(t *testing.T) {
	p := open(t, site()...)
	p.edit("guides/start.mdx", "---\ntitle: Start\n---\n\nSecond text.\n")
	n := p.listen("1")()
	for n.Findings {
		n = p.listen("1")()
	}
	if len(n.Pages) != 1 || n.Rev != 2 {
		t.Errorf("sent %+v", n)
	}
	if n := p.listen("99")(); !n.Whole { // a revision from an earlier run of the preview
		t.Errorf("sent %+v", n)
	}
}

func TestFindingsIncludeSourceLines(t *testing.T) {
	p := open(t, site()...)
	want := func() {
		t.Helper()
		f := p.findings("/guides/start")
		if len(f.Page) != 1 || f.Page[0].Code != "broken-link" || f.Page[0].File != "guides/start.mdx" ||
			f.Page[0].Line != 5 || f.Page[0].Hint == "" ||
			!strings.HasPrefix(f.Page[0].Excerpt, "First text. [gone]") || f.Page[0].Mark != f.Page[0].Column-1 {
			t.Errorf("got %+v", f)
		}
	}
	want()
	<-p.server.passed
	want() // a full build has the same finding; it is shown once
	if f := p.findings("/"); len(f.Page) != 0 {
		t.Errorf("the first page has %+v", f)
	}
	p.edit("guides/start.mdx", "---\ntitle: Start\n---\n\n<Card title=\"x\">\n\nopen\n")
	if f := p.findings("/guides/start"); len(f.Page) == 0 || f.Page[0].Severity != "error" {
		t.Errorf("got %+v", f)
	}
	if resp, body := p.get("/guides/start"); resp.StatusCode != 200 || !strings.Contains(body, prefix+"client.js") {
		t.Errorf("the broken page returns %d", resp.StatusCode)
	}
	p.edit("guides/start.mdx", "---\ntitle: Start\n---\n\nMended.\n")
	if _, body := p.get("/guides/start"); !strings.Contains(body, "Mended.") {
		t.Error("the fixed page is not shown")
	}
}

func TestBrokenSiteFileIsReportedOnEveryPage(t *testing.T) {
	p := open(t, site()...)
	p.edit("docs.json", "{")
	f := p.findings("/")
	if !f.Broken || len(f.Page) == 0 || f.Page[0].File != "docs.json" {
		t.Errorf("got %+v", f)
	}
	if _, body := p.get("/"); !strings.Contains(body, "Garden") {
		t.Error("the last good state is not shown")
	}
	p.edit("docs.json", site()[1])
	if f := p.findings("/"); f.Broken || len(f.Page) > 0 {
		t.Errorf("got %+v", f)
	}
}

func TestEmptyFolderShowsInstructions(t *testing.T) {
	p := open(t, "docs.json", `{"name": "Empty"}`)
	if _, body := p.get("/"); !strings.Contains(body, "index.mdx") || !strings.Contains(body, prefix+"client.js") {
		t.Errorf("got %s", body)
	}
	p.edit("index.mdx", "# Now")
	if _, body := p.get("/"); !strings.Contains(body, "Now") {
		t.Errorf("got %s", body)
	}
}

// Another site must not read an author's drafts through a name that it points to this machine, nor receive the
// preview's notifications.
func TestOtherSitesAreRefused(t *testing.T) {
	p := open(t, site()...)
	for _, c := range []struct {
		path    string
		headers []string
		status  int
	}{
		{"/", []string{"Host", "evil.example"}, 403}, {"/", []string{"Host", "localhost.evil.example:3000"}, 403},
		{"/", []string{"Host", "127.0.0.1.evil.example"}, 403},
		{"/", []string{"Host", "localhost:3000"}, 200}, {"/", []string{"Host", "docs.localhost"}, 200},
		{"/", []string{"Host", "[::1]:3000"}, 200},
		{prefix + "findings", []string{"Origin", "https://evil.example"}, 403},
		{prefix + "events", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{prefix + "findings", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{prefix + "client.js", []string{"Sec-Fetch-Site", "cross-site"}, 403},
	} {
		if resp, _ := p.get(c.path, c.headers...); resp.StatusCode != c.status {
			t.Errorf("%s with %v: %d", c.path, c.headers, resp.StatusCode)
		}
	}
	resp, err := http.Post(p.url+"/", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", resp.StatusCode)
	}
}

// A published site contains none of the preview's code.
func TestPublishedSiteHasNoPreviewCode(t *testing.T) {
	p := open(t, site()...)
	p.get("/") // the preview has rendered it
	out := sink{}
	if _, err := build.Build(t.Context(), os.DirFS(p.dir), build.Options{Links: link.Relative}, out); err != nil {
		t.Fatal(err)
	}
	for name, data := range out {
		if strings.Contains(name, "/dev/") || strings.Contains(data, "lectern-dev") || strings.Contains(data, prefix) {
			t.Errorf("%s contains code of the preview", name)
		}
	}
}
