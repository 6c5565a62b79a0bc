package publish_test

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A deployment stores the details of its commit; a deployment of a folder has none.
func TestDeploymentStoresItsCommitDetails(t *testing.T) {
	b, dir := worktest.New(t), worktest.Write(t, site)
	run := func(args ...string) {
		testgit.Run(t, dir, append([]string{"-c", "user.name=Docs team", "-c", "user.email=docs@example.com"},
			args...)...)
	}
	run("init", "-q", "-b", "main")
	run("config", "uploadpack.allowFilter", "true")
	run("add", "-A")
	run("commit", "-q", "-m", "Begin")
	worktest.Rewrite(t, dir, map[string]string{"new.mdx": "# New\n"})
	run("add", "-A")
	run("commit", "-q", "-m", "Explain more")
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Repository: "file://" + dir, Branch: "main"}),
		deploy.Production)
	if c := d.Change; d.Status != deploy.Success || c.Message != "Explain more" || c.Author != "Docs team" ||
		!c.Compared || !slices.Equal(c.Added, []string{"new.mdx"}) {
		t.Errorf("%s %s: %+v", d.Status, d.Error, c)
	}
	d = deployNow(t, b, b.Project(t, "folder.example.com", project.Source{Path: worktest.Write(t, site)}),
		deploy.Production)
	if d.Change.Message != "" || d.Change.Author != "" || d.Change.Compared {
		t.Errorf("of a folder: %+v", d.Change)
	}
}
