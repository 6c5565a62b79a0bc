package build_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site"
)

// Our own docs have a page with a playground for each operation of the admin API, and the old page redirects to the
// guide.
func TestOurDocsHaveAPageForEachOperation(t *testing.T) {
	files := shelf{}
	report, err := build.Build(context.Background(), os.DirFS("../../docs"),
		build.Options{Offers: capability.Offers{Search: true, Playground: capability.Playground{On: true}}}, files)
	if err != nil {
		t.Fatal(err)
	}
	description, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	operations := strings.Count(string(description), `"operationId":`)
	pages := 0
	for name, f := range files {
		if !strings.HasPrefix(name, "reference/api/") || !strings.HasSuffix(name, ".html") {
			continue
		}
		if strings.Contains(string(f.Data), "Try it") {
			pages++
		}
		if !strings.Contains(string(f.Data), `<meta name="description" content="`) {
			t.Errorf("%s has no description", name)
		}
	}
	if operations < 60 || pages != operations {
		t.Errorf("%d pages with a playground for %d operations", pages, operations)
	}
	if !slices.ContainsFunc(report.Redirects, func(r site.Redirect) bool {
		return r.Source == "/reference/api" && r.Destination == "/guides/api"
	}) {
		t.Errorf("redirects: %+v", report.Redirects)
	}
}
