package publish_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
)

// The base of a pull request is built with its own digests: with those of the pull request, its pages would have the
// groups that the pull request gives them.
func TestChangePagesHideRestrictedTextOfTheBase(t *testing.T) {
	docs := maps.Clone(site)
	docs["plan.mdx"] = "---\ntitle: Plan\ngroups: [staff]\n---\nFor staff alone.\n"
	s := newPulls(t, docs)
	s.git("checkout", "-q", "-b", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/plan.mdx": "---\ntitle: Plan\n---\nFor everyone.\n"})
	v := s.pull("refs/pull/1/head")
	d, err := s.env.Store.FindDeploymentByID(t.Context(), v.DeploymentID)
	check(t, err)
	m, err := publish.LoadManifest(t.Context(), s.env.Blob, d.ManifestKey)
	check(t, err)
	for name := range m.Files {
		if strings.HasSuffix(name, ".html") && strings.Contains(page(t, s.env, d, name), "For staff alone.") {
			t.Errorf("%s shows restricted text of the base", name)
		}
	}
}

func TestChangePagesShowChangesOfAllPushes(t *testing.T) {
	s := newPulls(t, maps.Clone(site))
	s.git("checkout", "-q", "-b", "change")
	s.commit("refs/pull/1/head", map[string]string{"docs/index.mdx": "---\ntitle: Home\n---\nHello.\n",
		"docs/guides/start.mdx": "---\ntitle: Start\n---\nFirst.\n"})
	s.pull("refs/pull/1/head")
	s.commit("refs/pull/1/head", map[string]string{"docs/guides/start.mdx": "---\ntitle: Start\n---\nSecond.\n"})
	v := s.pull("refs/pull/1/head")
	for _, c := range v.Changed {
		if c.How == deploy.PageChanged && !c.Diff {
			t.Errorf("%s: its changes are not shown", c.Path)
		}
	}
	d, err := s.env.Store.FindDeploymentByID(t.Context(), v.DeploymentID)
	check(t, err)
	if html := page(t, s.env, d, "_lectern/changes/index.html"); !strings.Contains(html, "<del>Welcome.</del>") {
		t.Error("the change of the first push is missing")
	}
}
