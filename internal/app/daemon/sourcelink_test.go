package daemon

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

func TestPagesLinkToTheProjectsSource(t *testing.T) {
	servers, err := forge.ParseServers([]string{"git.example=forgejo"})
	if err != nil {
		t.Fatal(err)
	}
	c := &core{agents: &agents{servers: servers}}
	for from, want := range map[string]site.Repository{
		"https://me:secret@github.com/acme/docs.git": {Kind: "github", Web: "https://github.com/acme/docs", Branch: "b",
			Folder: "f"},
		"git@gitlab.com:acme/team/docs.git": {Kind: "gitlab", Web: "https://gitlab.com/acme/team/docs", Branch: "b",
			Folder: "f"},
		"ssh://git@git.example:2222/acme/docs": {Kind: "gitea", Web: "https://git.example/acme/docs", Branch: "b",
			Folder: "f"},
		"https://unknown.example/acme/docs": {},
		"file:///srv/docs":                  {},
		project.BuiltIn:                     {},
		"":                                  {},
	} {
		if got := c.repository(project.Project{Source: project.Source{Repository: from, Branch: "b"},
			DocsFolder: "f"}); got != want {
			t.Errorf("%s: %+v", from, got)
		}
	}
}
