package exportjob_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	model "github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A bundle's pages link to the project's code host if the author wants that.
func TestExportLinksToTheProjectsRepository(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, map[string]string{
		"docs.json": `{"name":"T","navigation":["index"],"feedback":{"suggestEdit":true}}`, "index.mdx": "Hi.",
	})})
	j := queueExport(t, b, p)
	e := exporter(b)
	e.Repository = func(got project.Project) model.Repository {
		if got.ID != p.ID {
			t.Errorf("got project %s", got.ID)
		}
		return model.Repository{Web: "https://git.example/acme/docs", Branch: "main", EditAt: "/_edit{file}"}
	}
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	page := string(tarFile(t, read(t, b, find(t, b, j.ID), export.TarGz), "index.html"))
	if want := `href="https://git.example/acme/docs/_edit/main/index.mdx"`; !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
}
