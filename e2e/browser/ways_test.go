package browser

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// way is one way in which readers open a site.
type way struct {
	name   string
	start  func(t *testing.T, src fs.FS) (base string) // base ends with a slash
	suffix string                                      // of a page's address
}

// ways are a folder on the reader's disk, a plain web server with the site below a path, and our own host.
var ways = []way{
	{"file", fromDisk, ".html"},
	{"sub-path", belowPath, ".html"},
	{"hosted", publishHosted, ""},
}

// at returns the address of a page.
func (w way) at(base, page string) string {
	if page == "index" && w.suffix == "" {
		return base
	}
	return base + (&url.URL{Path: page}).EscapedPath() + w.suffix
}

// ourDocs are exported folders of our docs, each built once for all tests. The key tells whether the pages report
// visits.
var ourDocs = map[bool]func() (string, error){
	false: sync.OnceValues(func() (string, error) { return exportInto(context.Background(), sharedDir, docs.Site, false) }),
	true:  sync.OnceValues(func() (string, error) { return exportInto(context.Background(), sharedDir, docs.Site, true) }),
}

// exportSite exports a site and returns its folder. Tests must not change it.
func exportSite(t *testing.T, src fs.FS, visits bool) string {
	t.Helper()
	var dir string
	var err error
	if src == fs.FS(docs.Site) {
		dir, err = ourDocs[visits]()
	} else {
		dir, err = exportInto(t.Context(), t.TempDir(), src, visits)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// exportInto writes a site into a new folder below parent.
func exportInto(ctx context.Context, parent string, src fs.FS, visits bool) (dir string, err error) {
	if dir, err = os.MkdirTemp(parent, "export-"); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	offers := capability.Offers{Search: true, Analytics: capability.Analytics{On: visits}}
	report, err := build.Build(ctx, src,
		build.Options{Links: link.Relative, BaseURL: "https://docs.example.com", Offers: offers}, output.NewDir(root))
	if err == nil && report.Failed > 0 {
		err = fmt.Errorf("%d pages failed: %v", report.Failed, report.Diagnostics)
	}
	return dir, err
}

func fromDisk(t *testing.T, src fs.FS) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(exportSite(t, src, false)) + "/"}).String()
}

// belowPath serves an export as any static host would, but with the strict policy, which reveals violations. Its pages
// report visits, so that this code is checked, too.
func belowPath(t *testing.T, src fs.FS) string {
	files := http.StripPrefix("/docs/", http.FileServer(http.Dir(exportSite(t, src, true))))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", route.PagePolicy)
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/docs/"
}

// publishHosted publishes the site and serves it as production does. The browser uses the server's address; the server
// finds the site by a host name.
func publishHosted(t *testing.T, src fs.FS) string {
	const domain = "docs.example.com"
	bench := worktest.New(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, src); err != nil {
		t.Fatal(err)
	}
	p := bench.Project(t, domain, project.Source{Path: dir})
	d := bench.QueueDeployment(t, p, deploy.Production, "")
	publisher := &publish.Publisher{Store: bench.Store, Blob: bench.Blob, Source: bench.Source, Scratch: bench.Scratch,
		SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: bench.Now,
		Offers: capability.Offers{Search: true}}
	if err := publisher.Run(t.Context(), bench.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := bench.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil || d.Status != deploy.Success {
		t.Fatalf("%+v %v", d, err)
	}
	host := sitehost.New(sitehost.Options{Sites: bench.Store, Blob: bench.Blob, CacheBytes: 16 << 20,
		Logger: slog.New(slog.DiscardHandler), Now: bench.Now})
	route := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = domain
		route.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}
