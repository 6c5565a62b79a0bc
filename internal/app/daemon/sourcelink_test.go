package daemon

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

func TestPagesLinkToTheProjectsSource(t *testing.T) {
	servers, err := forge.ParseServers([]string{"git.example=forgejo"})
	if err != nil {
		t.Fatal(err)
	}
	c := &core{agents: &agents{servers: servers}}
	for from, want := range map[string]string{
		"https://me:secret@github.com/acme/docs.git": "https://github.com/acme/docs/edit/b/f/a.mdx",
		"git@gitlab.com:acme/team/docs.git":          "https://gitlab.com/acme/team/docs/-/edit/b/f/a.mdx",
		"ssh://git@git.example:2222/acme/docs":       "https://git.example/acme/docs/_edit/b/f/a.mdx",
		"https://unknown.example/acme/docs":          "",
		"file:///srv/docs":                           "",
		project.BuiltIn:                              "",
		"":                                           "",
	} {
		p := project.Project{Source: project.Source{Repository: from, Branch: "b"}, DocsFolder: "f"}
		if got := c.repository(p).Edit("a.mdx"); got != want {
			t.Errorf("%s: got %q, want %q", from, got, want)
		}
	}
}
