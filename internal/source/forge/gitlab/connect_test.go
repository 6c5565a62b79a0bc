package gitlab_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/gitlab"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

func TestConnection(t *testing.T) {
	forgetest.RunConnect(t, func(t *testing.T) *forgetest.Connection {
		c, url, key := forgetest.GitLabConnection(t)
		options := func(a forgetest.Access) gitlab.Options {
			path, token := "acme/docs", key
			switch a {
			case forgetest.WrongKey:
				token = "wrong-" + key
			case forgetest.NoSuchPlace:
				path = "other/group/nothing"
			}
			return gitlab.Options{API: url + "/api/v4", Path: path, HTTP: forgetest.Client(t), Now: time.Now,
				Key: rest.Key{User: "oauth2", Password: token}}
		}
		c.Account = func(a forgetest.Access) connect.Account { return gitlab.NewAccount(options(a)) }
		c.Place = func(a forgetest.Access) connect.Place { return gitlab.New(options(a)) }
		return c
	})
}

func TestTokenExpiryIsReported(t *testing.T) {
	_, url, key := forgetest.GitLabConnection(t)
	who, err := gitlab.NewAccount(gitlab.Options{API: url + "/api/v4", HTTP: forgetest.Client(t), Now: time.Now,
		Key: rest.Key{Password: key}}).Identify(t.Context())
	if err != nil || who.Expires == nil || who.Expires.Format(time.DateOnly) != "2027-01-31" {
		t.Errorf("got %+v, %v", who, err)
	}
}
