package exportjob_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// remoteSite returns a site with two pages and those generated from the API description at an address.
func remoteSite(address string) map[string]string {
	return map[string]string{"index.mdx": "Welcome.\n",
		"docs.json": `{"name":"T","navigation":{"groups":[{"group":"API","openapi":"` + address + `"}]}}`}
}

func loopback(t *testing.T) openapi.Fetch {
	t.Helper()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return guard.Getter(outbound.Limits{Time: 10 * time.Second})
}

// F8, B6: an export of a live site uses the API description that the site was built from, whatever the description's
// host returns by then. It sends no request to the host, and two exports are byte-identical.
func TestExportUsesTheLiveAPIDescription(t *testing.T) {
	b := worktest.New(t)
	var name atomic.Value
	var asked atomic.Int64
	name.Store("first")
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprintf(w, "openapi: 3.1.0\ninfo: {title: T}\npaths: {/%s: {get: {summary: The %s}}}\n", name.Load(),
			name.Load())
	}))
	defer host.Close()
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, remoteSite(host.URL))})
	b.QueueDeployment(t, p, deploy.Production, "")
	pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Fetch: loopback(t), Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	name.Store("second")
	before := asked.Load()
	var bundles [][]byte
	for _, making := range []string{"one", "two"} { // so that the second export is built, not reused from the first
		j := queueExport(t, b, p)
		e := exporter(b)
		e.Fetch, e.Making = loopback(t), making
		if err := e.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		if j = find(t, b, j.ID); j.Status != export.Completed || j.PageCount != 2 {
			t.Fatalf("%+v", j)
		}
		bundles = append(bundles, read(t, b, j, export.TarGz))
	}
	names := strings.Join(tarNames(t, bundles[0]), " ")
	if !strings.Contains(names, "api-reference/the-first.html") || strings.Contains(names, "second") ||
		asked.Load() != before || !bytes.Equal(bundles[0], bundles[1]) {
		t.Errorf("%d more requests, files %s", asked.Load()-before, names)
	}
}

// F8: an export of a source that was never published fetches the description from the host, and fails if the
// description cannot be used.
func TestExportFailsWithoutTheAPIDescription(t *testing.T) {
	b := worktest.New(t)
	host := httptest.NewServer(http.NotFoundHandler())
	defer host.Close()
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, remoteSite(host.URL))})
	queueExport(t, b, p)
	e := exporter(b)
	e.Fetch = loopback(t)
	if err := e.Run(t.Context(), b.Take(t)); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("%v", err)
	}
}
