package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// The form offers every trigger and keeps its number; the page describes in words what starts an automation.
func TestAutomationFormHasEveryTrigger(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/projects/" + r.a.project.ID + "/automations"
	status, body := r.get("admin", at)
	showsAll(t, "form", status, 200, body, `value="schedule"`, `value="gaps"`, `value="feedback"`, `value="push"`, `value="release"`,
		`value="api"`, `value="findings"`, `value="call"`, `id="atLeast"`)
	for trigger, want := range map[string]string{"release": "when a product repository has a new tag",
		"api": "update what the documentation says about the API", "findings": "when the site was published with new findings",
		"feedback": "every day at 06:00 (UTC), if pages did not help readers"} {
		status, _ := r.post("admin", at, url.Values{"name": {"on-" + trigger}, "trigger": {trigger}, "at": {"06:00"},
			"maxPerDay": {"1"}, "atLeast": {"4"}})
		if status != http.StatusSeeOther {
			t.Fatalf("%s: %d", trigger, status)
		}
		_, body := r.get("viewer", at)
		showsAll(t, trigger, 200, 200, body, want)
	}
	list, err := r.store.ListAutomations(t.Context(), r.a.org.ID, r.a.project.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if want := map[bool]int{true: 4, false: 1}[a.Trigger.Counted()]; a.AtLeast != want {
			t.Errorf("%s waits for %d", a.Name, a.AtLeast)
		}
	}
}

// Sources cited by pages are shown next to the product repositories, missing ones first. Code and sentences are
// untrusted text.
func TestReceiptsAreShownBesideProductRepositories(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/projects/" + r.a.project.ID + "/automations"
	_, body := r.get("viewer", at)
	showsNone(t, "without product repositories", body, "receipts-title")
	var product project.Product
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		product, err = tx.CreateProduct(t.Context(), project.Product{OrganizationID: r.a.org.ID, ProjectID: r.a.project.ID,
			Name: "server", Source: project.Source{Repository: "https://git.example.com/server.git"}})
		return err
	}))
	status, body := r.get("viewer", at)
	showsAll(t, "without receipts", status, 200, body, "No receipts yet")
	must(t, r.store.KeepReceipts(t.Context(), r.a.org.ID, r.a.project.ID, "aj_1", nil, []project.Receipt{
		{Product: "server", Page: "a.mdx", Sentence: "It <b>listens</b>.", Path: "api/a.go", Line: 3, Commit: "c1", Quotation: "<i>\nx"},
		{Product: "server", Page: "b.mdx", Path: "api/b.go", Line: 9, Commit: "c1", Quotation: "const B = 1"}}))
	held, err := r.store.ListHeldReceipts(t.Context(), product.ID, project.Receipt{Path: "api/a.go", ID: "z"}, 1)
	if err != nil || len(held) != 1 {
		t.Fatal(held, err)
	}
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error { return tx.EndReceipt(t.Context(), product, held[0], "c2") }))
	status, body = r.get("viewer", at)
	showsAll(t, "receipts", status, 200, body, "b.mdx", `data-state="stale"`, "api/b.go:9<br>", "const B = 1", "a.mdx",
		"It &lt;b&gt;listens&lt;/b&gt;.", `data-state="current"`, "api/a.go:3–4", "&lt;i&gt;",
		"/v1/projects/"+r.a.project.ID+"/receipts")
	showsNone(t, "a viewer", body, "/reviewed")
	_, body = r.get("editor", at)
	if strings.Count(body, "/reviewed") != 1 { // only stale receipts have the form
		t.Errorf("%s", body)
	}
	if status, _ := r.post("editor", "/dashboard/projects/"+r.a.project.ID+"/receipts/"+held[0].ID+"/reviewed", url.Values{}); status != http.StatusSeeOther {
		t.Errorf("reviewed: %d", status)
	}
	_, body = r.get("viewer", at)
	showsNone(t, "after the review", body, "api/b.go")
}
