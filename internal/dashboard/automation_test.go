package dashboard_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// What pages rely on is shown beside the product repositories, first what is no longer there. Code and sentences are text
// of others.
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
}
