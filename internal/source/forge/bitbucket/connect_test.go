package bitbucket_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/bitbucket"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

func options(t *testing.T, api, owner, key string, a forgetest.Access) bitbucket.Options {
	o := bitbucket.Options{API: api, Owner: owner, Name: "docs", HTTP: forgetest.Client(t), Now: time.Now,
		Key: rest.Key{User: "x-token-auth", Password: key}}
	switch a {
	case forgetest.WrongKey:
		o.Key.Password = "wrong-" + key
	case forgetest.NoSuchPlace:
		o.Name = "nothing"
	}
	return o
}

func TestCloudConnection(t *testing.T) {
	forgetest.RunConnect(t, func(t *testing.T) *forgetest.Connection {
		c, url, key := forgetest.BitbucketConnection(t)
		c.Account = func(a forgetest.Access) connect.Account {
			return bitbucket.NewCloudAccount(options(t, url+"/2.0", "acme", key, a))
		}
		c.Place = func(a forgetest.Access) connect.Place {
			return bitbucket.NewCloud(options(t, url+"/2.0", "acme", key, a))
		}
		return c
	})
}

func TestDataCenterConnection(t *testing.T) {
	forgetest.RunConnect(t, func(t *testing.T) *forgetest.Connection {
		c, url, key := forgetest.BitbucketCenterConnection(t)
		c.Account = func(a forgetest.Access) connect.Account {
			return bitbucket.NewCenterAccount(options(t, url+"/rest/api/1.0", "ACME", key, a))
		}
		c.Place = func(a forgetest.Access) connect.Place {
			return bitbucket.NewCenter(options(t, url+"/rest/api/1.0", "ACME", key, a))
		}
		return c
	})
}

func TestCloudListsOnlyWithWorkspace(t *testing.T) {
	_, url, key := forgetest.BitbucketConnection(t)
	_, err := bitbucket.NewCloudAccount(options(t, url+"/2.0", "", key, forgetest.Right)).
		List(t.Context(), connect.Query{Limit: 5})
	if !fault.HasCode(err, "missing_workspace") {
		t.Error(err)
	}
}
