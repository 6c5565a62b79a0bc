package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

// A confirmation of a form is shown only once: not after a reload, not to a live page's script, and not through a link.
func TestConfirmationIsShownOnce(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID + "/rollback"
	_, to := r.post("editor", path, values("deployment", r.a.older.ID))
	live := r.send("editor", http.MethodGet, to, nil, func(q *http.Request) { q.Header.Set("Lectern-Live", "1") })
	wantsNone(t, live.body, "Rolled back.")
	wants(t, r.page("editor", to), "Rolled back.")
	wantsNone(t, r.page("editor", to), "Rolled back.")
	wantsNone(t, r.page("viewer", to), "Rolled back.")
	_, _ = r.post("editor", path, values("deployment", r.a.live.ID))
	wantsNone(t, r.page("editor", "/dashboard/projects?did=project-deleted"), "The project was deleted.")
}

// A failure is no longer urgent once a later update was published, so its page no longer asks for action.
func TestFailureIsNotUrgentAfterLaterSuccess(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/deployments/" + r.a.failed.ID
	wants(t, r.page("editor", path), `class="alert"`, "Fix the source")
	wants(t, r.page("editor", "/dashboard/"), "The last update of a failed.")
	r.clock.Advance(time.Second)
	later := r.publish(r.deploy(r.a.project, deploy.Production, ""))
	after := r.page("editor", path)
	wants(t, after, "The site has 1 error.", `href="/dashboard/deployments/`+later.ID+`">later update`)
	wantsNone(t, after, `class="alert"`, "Fix the source")
	wantsNone(t, r.page("editor", "/dashboard/projects/"+r.a.project.ID), "The last update failed")
	wantsNone(t, r.page("editor", "/dashboard/"), "The last update of a failed.")
}

func TestFailedExportOfDeletedSiteNeedsNoAttention(t *testing.T) {
	r := newRig(t)
	r.clock.Advance(time.Second)
	newest := r.newExport(r.a.project, "v3")
	_, _ = r.post("editor", "/dashboard/exports/"+newest.ID+"/cancel", nil)
	const notice = "The last export of docs.a.example failed."
	wants(t, r.page("admin", "/dashboard/"), notice)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		return tx.DeleteProject(t.Context(), r.a.org.ID, r.a.project.ID)
	}))
	if page := r.page("admin", "/dashboard/"); strings.Contains(page, notice) {
		t.Error("it is still shown")
	}
}
