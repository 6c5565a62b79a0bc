//go:build nightly

package e2e

import (
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// G7, J2: the whole server is killed repeatedly at random moments during agent jobs. Each job still completes, with one
// branch of one commit, one proposal and the requested change.
func TestAgentJobSurvivesServerKills(t *testing.T) {
	t.Parallel()
	const jobs, killsEach = 4, 2 // a task fails for good when its worker dies too often
	data, dir := t.TempDir(), site(t, 150)
	write(t, dir+"/getting-started.mdx", "---\ntitle: Start\n---\n\nBegin.\n")
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nRead [more](/geting-started).\n")
	// The lease is long enough for a busy machine to renew it in time: a lease that expires without a kill also counts
	// as a failed attempt.
	start := func() *process {
		return serve(t, data, nil, "--first-site", "off", "--job-lease", "5s", "--job-heartbeat", "200ms")
	}
	c := caller{start(), command(t, nil, "keys", "create", "--data", data)}
	made, err := c.client(c.key).CreateProject(background(),
		client.CreateProject{Name: "Big", Domain: "big.localhost", Source: client.SourceInput{Path: dir}})
	if err != nil {
		t.Fatal(err)
	}
	agent, killed := "/v2/agent/"+made.ProjectID, 0
	random := rand.New(rand.NewPCG(6, 2026))
	for range jobs {
		var job client.AgentJob
		c.call(http.MethodPost, agent+"/job", map[string]string{"prompt": "fix broken links"}, http.StatusCreated, &job)
		path := agent + "/job/" + job.ID
		for range killsEach {
			if c.killDuringJob(job.ID, path, random) {
				killed++
			}
			c.process = start()
		}
		job = c.waitForCompleted(path)
		c.checkNoDuplicates(made.ProjectID, job)
	}
	if killed < jobs {
		t.Errorf("only %d kills hit a running job", killed)
	}
	c.Stop()
	if left := files(t, filepath.Join(data, "work")); len(left) > 1 { // the folder's lock file remains
		t.Errorf("left behind: %v", left)
	}
}

// killDuringJob kills the server shortly after it took the job and reports whether the job was running.
func (c caller) killDuringJob(jobID, path string, random *rand.Rand) bool {
	c.t.Helper()
	c.Await("the job's start or end", func() bool {
		var job client.AgentJob
		c.call(http.MethodGet, path, nil, http.StatusOK, &job)
		return job.Status.Ended() || countLogLines(c.process, jobID, `"msg":"task started"`) > 0
	})
	<-time.After(time.Duration(random.IntN(700)) * time.Millisecond) // kill the server at a random point of the job
	c.Kill()
	return countLogLines(c.process, jobID, `"msg":"task started"`) > countLogLines(c.process, jobID, `"msg":"task ended"`)
}

// checkNoDuplicates checks that the job has one branch, one commit and one proposal.
func (c caller) checkNoDuplicates(projectID string, job client.AgentJob) {
	t := c.t
	t.Helper()
	repository := filepath.Join(c.data, "proposals", projectID+".git")
	suffix := job.ID[len(job.ID)-10:]
	all := strings.Fields(testgit.Run(t, repository, "for-each-ref", "--format=%(refname:short)",
		"refs/heads/lectern/*"+suffix))
	if len(all) != 1 || all[0] != *job.Source.Ref {
		t.Errorf("branches of %s: %v", job.ID, all)
	}
	if n := commits(t, c.data, projectID, *job.Source.Ref); n != "1" {
		t.Errorf("%s commits of %s", n, job.ID)
	}
	var list client.ProposalList
	c.call(http.MethodGet, "/v2/agent/"+projectID+"/proposals?limit=100", nil, http.StatusOK, &list)
	var found []client.Proposal
	for _, p := range list.Proposals {
		if p.Head == *job.Source.Ref {
			found = append(found, p)
		}
	}
	if len(found) != 1 || found[0].State != "open" || !strings.HasSuffix(*job.PRLink, found[0].ID) {
		t.Errorf("proposals of %s: %+v", job.ID, found)
	}
	if text := testgit.Run(t, repository, "show", *job.Source.Ref+":index.mdx"); !strings.Contains(text,
		"(/getting-started)") {
		t.Errorf("the branch has %s", text)
	}
}
