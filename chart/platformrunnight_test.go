//go:build nightly

package chart

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The rendered pods of the whole platform run with a real PostgreSQL and S3: the hook migrates, a server without jobs
// and a worker become ready, a site is published, the CronJob's pod exports and signs it, and the bundle pod serves the
// export and picks up the next one automatically.
func TestPlatformPodsPublishExportAndServe(t *testing.T) {
	t.Parallel()
	n := newPlatformNode(t)
	public, private := keyPair(t)
	pem, err := os.ReadFile(private)
	if err != nil {
		t.Fatal(err)
	}
	n.secrets["signing"] = map[string]string{"ed25519": string(pem)}
	all := platformValues(t, object{"platform": object{"signingKeySecret": object{"name": "signing", "key": "ed25519"},
		"repositories": object{"existingClaim": "repositories"}}, "staticExport": object{"publicKey": public}})

	if said := n.finish(hooks(all), "migrate"); !strings.Contains(said, "The database is up to date.") {
		t.Errorf("migrate printed %s", said)
	}
	server := n.start(all, "server").ready()
	worker := n.start(all, "worker").ready()
	for _, r := range []*running{server, worker} {
		r.runsAs(cmp.Or(n.uid, os.Geteuid()))
	}
	n.hosts["http://docs-lectern-server.sites.svc:80"] = "http://" + server.ports["http"]

	c, key := owner(t, n, all, server)
	folder := writeSite(t, "What was published first.")
	openUp(t, folder)
	project := publish(t, c, folder)
	if body := server.page(readersHost, "/"); !strings.Contains(body, "What was published first.") {
		t.Error("the site is not live")
	}
	if worker.metric(`lectern_jobs_started_total{kind="deploy"}`) == "" ||
		server.metric(`lectern_jobs_started_total{kind="deploy"}`) != "" {
		t.Error("the worker did not do the job, or the server did one")
	}

	n.secrets["export-key"] = map[string]string{"key": key + "\n"}
	n.finish(all, "export")
	docs := n.start(all, "docs").ready()
	docs.shows("/", "What was published first.")

	rewrite(t, filepath.Join(folder, "index.mdx"), "What was published first.", "What came next.")
	republish(t, c, project.ProjectID)
	n.finish(all, "export")
	docs.await("the next bundle", func() bool { return strings.Contains(docs.page("", "/"), "What came next.") })

	propose(t, c, project.ProjectID)
	for _, r := range []*running{docs, worker, server} {
		r.stop()
	}
}
