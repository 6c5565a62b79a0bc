//go:build nightly

package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// G7: a prompt that needs no change, or that the built-in model does not understand, completes without a pull request
// and says so.
func TestAPromptWithoutAChangeHasNoPullRequest(t *testing.T) {
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
	if left := files(t, filepath.Join(c.data, "work")); len(left) > 1 { // the folder's own lock
		t.Errorf("left behind: %v", left)
	}
}
