package sitehost_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// stamped returns a site with some pages; each page, and so each search result, contains the site's version.
func stamped(version int) map[string]string {
	files := map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","a","b","c"]}}`}
	for _, page := range []string{"index", "a", "b", "c"} {
		files[page+".mdx"] = fmt.Sprintf(
			"---\ntitle: Page %s\n---\nThe manual says stamp-%03d here.\n\n## Part\n\nMore of the manual: stamp-%03d again.\n", page, version, version)
	}
	return files
}

var stamps = regexp.MustCompile(`stamp-\d{3}`)

// oneStamp returns the version named in a text, which must name exactly one.
func oneStamp(text string) (string, error) {
	all := slices.Compact(slices.Sorted(slices.Values(stamps.FindAllString(text, -1))))
	if len(all) != 1 {
		return "", fmt.Errorf("versions %v", all)
	}
	return all[0], nil
}

// program responds like endpoints that search a site, such as MCP and discovery: with hits, and the page of each hit.
type program struct{}

func (program) ServeSite(w http.ResponseWriter, r *http.Request, _ string, l *sitereader.Library) {
	hits, err := l.Search(r.Context(), sitereader.Query{Text: "manual", Limit: 10})
	for _, h := range hits {
		var page sitereader.Page
		if page, err = l.Page(r.Context(), h.Path); err != nil {
			break
		}
		_, _ = fmt.Fprintln(w, h.Text, page.Content)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// press is a site that is published again and again.
type press struct {
	*worktest.Env
	handler http.Handler
	dir     string
	project project.Project
}

func newPress(t *testing.T) *press {
	p := &press{Env: worktest.New(t), dir: worktest.Write(t, stamped(0))}
	host := sitehost.New(sitehost.Options{Sites: p.Store, Blob: p.Blob, CacheBytes: 1 << 20,
		Logger: slog.New(slog.DiscardHandler), Agents: program{}, Now: time.Now})
	p.handler = host.Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
	p.project = p.Project(t, "docs.example.com", project.Source{Path: p.dir})
	p.publish(t, 0)
	return p
}

func (p *press) publish(t *testing.T, version int) {
	t.Helper()
	worktest.Rewrite(t, p.dir, stamped(version))
	p.QueueDeployment(t, p.project, deploy.Production, "")
	pub := &publish.Publisher{Store: p.Store, Blob: p.Blob, Source: p.Source, Scratch: p.Scratch,
		SiteURL: func(d string) string { return "https://" + d },
		Offers:  capability.Offers{Search: true}, Lease: worktest.Lease, Now: p.Now}
	if err := pub.Run(t.Context(), p.Take(t)); err != nil {
		t.Fatal(err)
	}
}

// errAbsent means that the live version does not have a file.
var errAbsent = errors.New("the site has no such file")

func (p *press) read(path string) ([]byte, error) {
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://docs.example.com"+path, nil))
	raw, err := io.ReadAll(w.Result().Body)
	if w.Code == http.StatusNotFound {
		return nil, errAbsent
	}
	if err == nil && w.Code != http.StatusOK {
		err = fmt.Errorf("%s: status %d", path, w.Code)
	}
	return raw, err
}

func (p *press) page() (string, error) {
	raw, err := p.read("/a")
	if err != nil {
		return "", err
	}
	return oneStamp(string(raw))
}

func (p *press) program() (string, error) {
	raw, err := p.read(deploy.AgentPath)
	if err != nil {
		return "", err
	}
	return oneStamp(string(raw))
}

// browser searches like a page's script: it opens the index and reads the shards listed in its entry file. If a shard
// is missing because the site has been published in the meantime, it starts over with the current entry file. between
// is called after the entry file was read.
func (p *press) browser(between func()) (string, error) {
	for {
		answer, err := p.searchOnce(between)
		if !errors.Is(err, errAbsent) {
			return answer, err
		}
		between = func() {}
	}
}

func (p *press) searchOnce(between func()) (string, error) {
	index, err := searchindex.Open(func(name string) ([]byte, error) {
		return p.read("/" + searchindex.Folder + "/" + name)
	})
	if err != nil {
		return "", err
	}
	between()
	hits, err := index.Search(context.Background(), searchindex.Query{Text: "manual", Limit: 10})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, h := range hits {
		fmt.Fprintln(&text, h.Text, h.Snippet.Text)
	}
	return oneStamp(text.String())
}

// D5: while versions are published one after the other, every search result, in the browser or for a program, comes
// from one version, which is never older than the page that the reader saw before, nor newer than the page seen
// after.
func TestSearchAndPagesUseOneVersion(t *testing.T) {
	p := newPress(t)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			last := ""
			for {
				select {
				case <-stop:
					return
				default:
				}
				for name, ask := range map[string]func() (string, error){"page": p.page, "program": p.program,
					"browser": func() (string, error) { return p.browser(func() {}) }} {
					seen, err := ask()
					if err != nil || seen < last {
						t.Errorf("%s: %q after %q, error %v", name, seen, last, err)
						return
					}
					last = seen
				}
			}
		})
	}
	for version := 1; version <= 12; version++ {
		p.publish(t, version)
	}
	close(stop)
	readers.Wait()
}

// D5: if a page opens the index before an update and requests shards afterwards, its reader gets results from a
// single version.
func TestSearchDuringUpdateUsesOneVersion(t *testing.T) {
	p := newPress(t)
	for version := 1; version <= 3; version++ {
		seen, err := p.browser(func() { p.publish(t, version); p.settle(fmt.Sprintf("stamp-%03d", version)) })
		if want := fmt.Sprintf("stamp-%03d", version); err != nil || seen != want {
			t.Errorf("version %d: %q, error %v", version, seen, err)
		}
	}
}

// settle waits until readers see a version, because the host briefly caches which one is live.
func (p *press) settle(want string) {
	for {
		if seen, err := p.page(); err != nil || seen == want {
			return
		}
	}
}
