package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/store"
)

// The page of a dry run shows the latest round's patch as a diff and states that nothing was proposed.
func TestDryRunPageShowsItsPatch(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.folder.ID + "/agent"
	if status, _ := r.post("editor", path, url.Values{"prompt": {"Fix it."}, "dry-run": {"yes"}}); status != http.StatusSeeOther {
		t.Fatalf("status %d", status)
	}
	list, _, err := r.store.ListAgentJobs(t.Context(), r.a.folder.OrganizationID, r.a.folder.ID, agentjob.Active, store.Page{Limit: 1})
	must(t, err)
	j := list[0]
	h := r.hold(task.Agent, j.ID)
	_, err = r.store.StartAgentJob(t.Context(), h, lease)
	must(t, err)
	_, err = r.store.RecordAgent(t.Context(), h, lease, store.AgentProgress{Title: "Fix it", Summary: "Fixed."},
		agentjob.Entry{Kind: agentjob.Note, Code: agentjob.DryRun, Text: "Dry run: nothing was pushed or proposed."},
		agentjob.Entry{Kind: agentjob.Note, Code: agentjob.Patch, Text: draft.Patch([]draft.Change{
			{Path: "index.mdx", Before: []byte("one two\n"), After: []byte("one " + evil + "\n")},
			{Path: "new.mdx", After: []byte("first\n")}, {Path: "old.mdx", Before: []byte("last\n")}})})
	must(t, err)
	must(t, r.store.CompleteAgentJob(t.Context(), h, 3, agentjob.WouldChange))
	status, body := r.get("viewer", agentAt(j))
	showsAll(t, "dry run", status, 200, body, `data-state="would_change"`, `data-state="dry run"`, "This was a dry run",
		"none (dry run)", "Not proposed: 3 changed files", "<code>new.mdx</code> <span class=\"quiet\">added</span>",
		"<code>old.mdx</code> <span class=\"quiet\">removed</span>", "<ins>first</ins>", "Dry run: nothing was pushed or proposed.")
	showsNone(t, "dry run", body, "diff --git")
	showsPlain(t, "dry run", body)
	status, body = r.get("editor", agentAt(j))
	showsAll(t, "dry run", status, 200, body, "The job stays a dry run")
}
