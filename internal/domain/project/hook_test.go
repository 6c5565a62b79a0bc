package project_test

import (
	"regexp"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

func TestHookSecretsDependOnMasterProjectAndVersion(t *testing.T) {
	shape, seen := regexp.MustCompile(`^whsec_[0-9A-Za-z]{43}$`), map[string]bool{}
	for _, master := range []string{"one", "two"} {
		for _, id := range []string{"prj_a", "prj_b"} {
			for version := 1; version <= 3; version++ {
				s := project.HookSecret([]byte(master), id, version)
				if !shape.MatchString(s) || seen[s] || s != project.HookSecret([]byte(master), id, version) {
					t.Errorf("%s %s %d gives %q", master, id, version, s)
				}
				seen[s] = true
			}
		}
	}
}
