package github_test

import (
	"context"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// The conformance suite runs against a fake with the addresses of GitHub Enterprise Server.
func TestConformance(t *testing.T) {
	forgetest.Run(t, func(t *testing.T) *forgetest.Rig {
		rig, key := forgetest.GitHub(t)
		rig.Open = func(url string, a forgetest.Access) pull.Host {
			name, token := "docs", key
			switch a {
			case forgetest.WrongKey:
				token = "wrong-" + key
			case forgetest.NoSuchPlace:
				name = "nothing"
			}
			return github.New(github.Options{API: url + "/api/v3", Owner: "acme", Name: name, HTTP: forgetest.Client(t),
				Now:   time.Now,
				Token: func(context.Context) (string, error) { return token, nil }})
		}
		return rig
	})
}

func pullRequest(draft bool) pull.Request {
	return pull.Request{Title: "Fix links", Body: "Two of them.", Head: "x", Base: "main", Draft: draft}
}
