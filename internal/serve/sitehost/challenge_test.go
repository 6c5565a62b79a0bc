package sitehost_test

import (
	"net/http"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A site's authors cannot verify its domain through their pages: neither files nor redirects are served at challenge
// paths.
func TestChallengePathsAreNotServed(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["docs.json"] = `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]},
		"redirects":[{"source":"/.well-known/lectern-challenge/:name*","destination":"https://evil.example/:name*"},{"source":"/elsewhere/:name*","destination":"https://evil.example/:name*"}]}`
	p := s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)})
	d := s.publish(t, p, deploy.Production)
	preview := s.publish(t, p, deploy.Preview)
	if r := s.get(t, "docs.example.com", "/elsewhere/abc"); r.Header.Get("Location") != "https://evil.example/abc" {
		t.Fatalf("redirects of %s do not work: %d", d.ID, r.StatusCode)
	}
	for _, host := range []string{"docs.example.com", deploy.HostLabel(preview.ID) + ".preview.localhost"} {
		for _, path := range []string{project.ChallengePath, project.ChallengePath + "abc",
			"/.well-known/lectern%2Dchallenge/abc", project.NewChallenge([]byte("m"), "org_a", "docs.example.com").
				Path} {
			if r := s.get(t, host, path); r.StatusCode != http.StatusNotFound {
				t.Errorf("%s%s: %d %s", host, path, r.StatusCode, r.Header.Get("Location"))
			}
		}
	}
}
