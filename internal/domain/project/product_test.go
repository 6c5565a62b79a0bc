package project_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

func TestSourceIsRecognizedByItsFullName(t *testing.T) {
	for address, want := range map[string]bool{
		"https://git.example.com/acme/server.git":      true,
		"https://git.example.com/acme/server":          true,
		"https://git.example.com/scm/Acme/Server.git/": true,
		"git@git.example.com:acme/server.git":          true,
		"ssh://git@git.example.com:2222/acme/server":   true,
		"https://git.example.com/acme/server-tools":    false,
		"https://git.example.com/bigacme/server":       false,
		"https://git.example.com/acme/docs":            false,
		"/srv/docs":                                    false,
		"":                                             false,
	} {
		if got := (project.Source{Repository: address}).Is("acme/server"); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
	if (project.Source{Repository: "https://git.example.com/acme/server"}).Is("") {
		t.Error("an empty name matches a repository")
	}
}
