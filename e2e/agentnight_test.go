//go:build nightly

package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// G7: a prompt that needs no change, or that the built-in model does not understand, completes without a pull request
// and says so.
func TestPromptWithoutChangeOpensNoPullRequest(t *testing.T) {
	t.Parallel()
	c, projectID := startWithSample(t, "docs.localhost")
	for prompt, want := range map[string]string{"fix broken links": "",
		"write a poem about documentation": "does not understand"} {
		var job client.AgentJob
		c.call(http.MethodPost, "/v2/agent/"+projectID+"/job", map[string]string{"prompt": prompt}, http.StatusCreated,
			&job)
		job = c.waitForJob("/v2/agent/" + projectID + "/job/" + job.ID)
		if job.Status != client.AgentJobStatusCompleted || job.PRLink != nil || job.PullRequest != nil ||
			job.Summary == nil || !strings.Contains(*job.Summary, want) {
			t.Errorf("%s: %+v", prompt, job)
		}
	}
	c.Stop()
	if left := files(t, filepath.Join(c.data, "work")); len(left) > 1 { // the folder's lock file remains
		t.Errorf("left behind: %v", left)
	}
}

// G4, G7, G8, G9: on an unconfigured server, a prompt creates a proposal whose page shows the diff. A message adds a
// commit, the owner merges the proposal with the page's form, the site is updated, and the job's record lists every
// step.
func TestAgentFixesTourOnFreshServer(t *testing.T) {
	t.Parallel()
	c, projectID := startWithSample(t, "tour.localhost")
	agent := "/v2/agent/" + projectID
	var job client.AgentJob
	c.call(http.MethodPost, agent+"/job", map[string]string{"prompt": "fix broken links"}, http.StatusCreated, &job)
	path := agent + "/job/" + job.ID
	job = c.waitForCompleted(path)
	_, html := page(t, c.process, "tour.localhost", "/")
	if !strings.Contains(html, "/reference/comands") {
		t.Fatal("the tour's broken link was fixed before the merge")
	}
	owner := c.owner()
	code, shown := openPage(t, owner, *job.PRLink)
	for _, want := range []string{"<del>", "/reference/comands", "<ins>", "/reference/commands", "index.mdx",
		*job.Source.Ref} {
		if code != http.StatusOK || !strings.Contains(shown, want) {
			t.Errorf("the proposal's page (%d) does not show %s:\n%s", code, want, shown)
		}
	}
	if n := commits(t, c.data, projectID, *job.Source.Ref); n != "1" {
		t.Errorf("%s commits", n)
	}

	c.call(http.MethodPost, path+"/message", map[string]string{"prompt": "add missing descriptions"}, http.StatusOK,
		nil)
	after := c.waitForCompleted(path)
	if *after.PRLink != *job.PRLink || *after.Source.Ref != *job.Source.Ref ||
		commits(t, c.data, projectID, *job.Source.Ref) != "2" {
		t.Errorf("after the message: %+v", after)
	}
	mergeByForm(c, owner, projectID, after)
	c.expectEvents(path, `"kind":"prompt"`, "fix broken links", `"code":"pushed"`, `"code":"pull_opened"`,
		"add missing descriptions", `"code":"pull_updated"`, "merged", "event: end")
	archive(c, path)
}

// commits returns the number of commits by which a branch is ahead of main in the repository of the embedded code host.
func commits(t *testing.T, data, projectID, branch string) string {
	t.Helper()
	return testgit.Run(t, filepath.Join(data, "proposals", projectID+".git"), "rev-list", "--count", "main.."+branch)
}

// mergeByForm merges a job's proposal on its page and checks the result. A read-only key cannot merge it.
func mergeByForm(c caller, owner *http.Client, projectID string, job client.AgentJob) {
	t := c.t
	reader := caller{c.process, command(t, nil, "keys", "create", "--data", c.data, "--scope", "read")}
	id := (*job.PRLink)[strings.LastIndexByte(*job.PRLink, '/')+1:]
	reader.call(http.MethodPost, "/v2/agent/"+projectID+"/proposal/"+id+"/merge", nil, http.StatusForbidden, nil)
	viewer := join(t, command(t, nil, "org", "invite", "--role", "viewer", "--data", c.data, "--public-url", c.url),
		"viewer@example.com")
	if code, _ := submitForm(t, viewer, *job.PRLink, "merge"); code != http.StatusForbidden {
		t.Errorf("a viewer: %d", code)
	}
	code, shown := submitForm(t, owner, *job.PRLink, "merge")
	if code != http.StatusOK || !strings.Contains(shown, `data-state="merged"`) || strings.Contains(shown, `/merge"`) {
		t.Fatalf("merge: %d\n%s", code, shown)
	}
	c.Await("the merged site", func() bool {
		_, html := page(t, c.process, "tour.localhost", "/")
		return strings.Contains(html, "/reference/commands") && !strings.Contains(html, "comands")
	})
	got := c.waitForJob("/v2/agent/" + projectID + "/job/" + job.ID)
	if got.PullRequest == nil || got.PullRequest.State != "merged" {
		t.Errorf("the job's pull request: %+v", got.PullRequest)
	}
	var list client.ProposalList
	c.call(http.MethodGet, "/v2/agent/"+projectID+"/proposals", nil, http.StatusOK, &list)
	if len(list.Proposals) != 1 || list.Proposals[0].State != "merged" {
		t.Errorf("proposals: %+v", list.Proposals)
	}
}
