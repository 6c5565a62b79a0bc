package github_test

import (
	"context"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
)

func TestConnection(t *testing.T) {
	forgetest.RunConnect(t, func(t *testing.T) *forgetest.Connection {
		c, url, key := forgetest.GitHubConnection(t)
		options := func(a forgetest.Access) github.Options {
			name, token := "docs", key
			switch a {
			case forgetest.WrongKey:
				token = "wrong-" + key
			case forgetest.NoSuchPlace:
				name = "nothing"
			}
			return github.Options{API: url + "/api/v3", Owner: "acme", Name: name, HTTP: forgetest.Client(t), Now: time.Now,
				Token: func(context.Context) (string, error) { return token, nil }}
		}
		c.Account = func(a forgetest.Access) connect.Account { return github.NewUserAccount(options(a)) }
		c.Place = func(a forgetest.Access) connect.Place { return github.New(options(a)) }
		return c
	})
}
