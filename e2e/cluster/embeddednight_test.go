//go:build nightly

package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// The embedded code host keeps repositories in a folder. A worker and a server with separate folders refuse to use
// them, so that no proposal is created that cannot be merged. With a shared folder, a worker's proposal can be read on
// one server and merged on another.
func TestProposalsNeedSharedFolder(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2, 1)
	key := c.firstKey()
	first, second := c.client(key, onlyServer(c.servers[0])), c.client(key, onlyServer(c.servers[1]))
	source := brokenSite(t)
	p, err := first.CreateProject(context.Background(),
		client.CreateProject{Name: "Folder", Domain: "folder.example.com", Source: client.SourceInput{Path: source}})
	if err != nil {
		t.Fatal(err)
	}
	job, err := first.CreateAgentJob(context.Background(), p.ProjectID,
		client.CreateAgentJob{Prompt: "fix broken links"})
	if err != nil {
		t.Fatal(err)
	}
	ended, err := second.WaitAgentJob(context.Background(), p.ProjectID, job.ID, nil)
	if ended == nil || ended.Status != client.AgentJobStatusFailed || ended.Error == nil ||
		!strings.Contains(*ended.Error, "are not available on this server") {
		t.Fatalf("without a shared folder: %+v, %v", ended, err)
	}
	if written, err := os.ReadDir(filepath.Join(c.workers[0].data, "proposals")); err == nil && len(written) > 0 {
		t.Errorf("written on the worker's own disk: %v", written)
	}
	c.restartWith("LECTERN_REPOSITORIES=" + t.TempDir())
	if _, err := first.MessageAgentJob(context.Background(), p.ProjectID, job.ID,
		client.MessageAgentJob{Prompt: "fix broken links"}); err != nil {
		t.Fatal(err)
	}
	if ended, err = second.WaitAgentJob(context.Background(), p.ProjectID, job.ID, nil); err != nil ||
		ended.PRLink == nil {
		t.Fatalf("with a shared folder: %+v, %v", ended, err)
	}
	proposalID := (*ended.PRLink)[strings.LastIndexByte(*ended.PRLink, '/')+1:]
	if shown, err := first.GetProposal(context.Background(), p.ProjectID, proposalID); err != nil ||
		!strings.Contains(deref(shown.Patch), "+Go to [commands](/commands).") {
		t.Fatalf("on the first server: %+v, %v", shown, err)
	}
	if merged, err := second.MergeProposal(context.Background(), p.ProjectID, proposalID); err != nil ||
		merged.State != "merged" {
		t.Fatalf("on the second server: %+v, %v", merged, err)
	}
	if text, err := os.ReadFile(filepath.Join(source, "index.mdx")); err != nil ||
		!strings.Contains(string(text), "(/commands)") {
		t.Errorf("the source is %q, %v", text, err)
	}
}
