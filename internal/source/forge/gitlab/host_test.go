package gitlab_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/gitlab"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

func TestConformance(t *testing.T) {
	forgetest.Run(t, func(t *testing.T) *forgetest.Rig {
		rig, key := forgetest.GitLab(t)
		rig.Open = func(url string, a forgetest.Access) pull.Host {
			path, token := "acme/docs", key
			switch a {
			case forgetest.WrongKey:
				token = "wrong-" + key
			case forgetest.NoSuchPlace:
				path = "other/group/nothing"
			}
			return gitlab.New(gitlab.Options{API: url + "/api/v4", Path: path, HTTP: forgetest.Client(t), Now: time.Now,
				Key: rest.Key{User: "oauth2", Password: token}})
		}
		return rig
	})
}
