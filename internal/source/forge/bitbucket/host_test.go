package bitbucket_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/bitbucket"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

func TestCloudConformance(t *testing.T) {
	forgetest.Run(t, func(t *testing.T) *forgetest.Rig {
		rig, key := forgetest.Bitbucket(t)
		rig.Open = opener(t, key, "/2.0", "acme", func(o bitbucket.Options) pull.Host { return bitbucket.NewCloud(o) })
		return rig
	})
}

func TestDataCenterConformance(t *testing.T) {
	forgetest.Run(t, func(t *testing.T) *forgetest.Rig {
		rig, key := forgetest.BitbucketCenter(t)
		rig.Open = opener(t, key, "/rest/api/1.0", "ACME",
			func(o bitbucket.Options) pull.Host { return bitbucket.NewCenter(o) })
		return rig
	})
}

func opener(t *testing.T, key, path, owner string, open func(bitbucket.Options) pull.Host) func(string,
	forgetest.Access) pull.Host {
	return func(url string, a forgetest.Access) pull.Host {
		o := bitbucket.Options{API: url + path, Owner: owner, Name: "docs", HTTP: forgetest.Client(t), Now: time.Now,
			Key: rest.Key{User: "x-token-auth", Password: key}}
		switch a {
		case forgetest.WrongKey:
			o.Key.Password = "wrong-" + key
		case forgetest.NoSuchPlace:
			o.Name = "nothing"
		}
		return open(o)
	}
}
