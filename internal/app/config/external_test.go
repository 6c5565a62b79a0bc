package config

import "testing"

func TestExternalContentIsAllowedUnlessForbidden(t *testing.T) {
	for _, c := range []struct {
		setting, deployment string
		want                bool
	}{
		{"", "client-hosted", true}, {"auto", "cloud", true}, {"auto", "air-gapped", false}, {"", "air-gapped", false},
		{"on", "air-gapped", true}, {"off", "cloud", false}, {"off", "client-hosted", false},
	} {
		b, err := NewEnv([]string{"LECTERN_PAGES_EXTERNAL=" + c.setting, "LECTERN_DEPLOYMENT_TYPE=" + c.deployment}).Bundle()
		if err != nil || b.External != c.want {
			t.Errorf("serve-bundle, %+v: %v %v", c, b.External, err)
		}
		s := Server{PagesExternal: c.setting, DeploymentType: c.deployment}
		if s.External() != c.want {
			t.Errorf("serve, %+v: %v", c, !c.want)
		}
	}
	if _, err := NewEnv([]string{"LECTERN_PAGES_EXTERNAL=no"}).Bundle(); err == nil {
		t.Error("an unknown value is accepted")
	}
}
