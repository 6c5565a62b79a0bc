package adminapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// Receipts are listed by state, page by page, only for their own project, and are removed once reviewed.
func TestReceiptsAreListedByState(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID + "/receipts"
	if got := w.do(t, ask{"GET", at + "?state=old", x.key, "", nil}).want(t, 400); !strings.Contains(string(got.body), `"field":"state"`) {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"DELETE", at + "/" + x.receipt, x.key, "", nil}).want(t, 204)
	if got := w.do(t, ask{"DELETE", at + "/" + x.receipt, x.key, "", nil}).want(t, 404); got.code(t) != "unknown_receipt" {
		t.Errorf("%s", got.body)
	}
	if err := w.store.KeepReceipts(t.Context(), x.org.ID, x.project.ID, "aj_1", nil, []project.Receipt{
		{Product: "server", Page: "a.mdx", Sentence: "It listens.", Path: "x.go", Line: 3, Commit: "c1", Quotation: "a\nb"},
		{Product: "server", Page: "b.mdx", Path: "y.go", Line: 9, Commit: "c1", Quotation: "c"}}); err != nil {
		t.Fatal(err)
	}
	list, err := w.store.ListHeldReceipts(t.Context(), x.product.ID, project.Receipt{}, 1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := w.store.Tx(t.Context(), func(tx *store.Tx) error {
		return tx.EndReceipt(t.Context(), x.product, list[0], "c2")
	}); err != nil {
		t.Fatal(err)
	}
	get := func(query string) (all []any, next any) {
		t.Helper()
		got := w.do(t, ask{"GET", at + query, x.key, "", nil}).want(t, 200).object(t)
		return got["receipts"].([]any), got["nextCursor"]
	}
	stale, _ := get("?state=stale")
	if len(stale) != 1 {
		t.Fatalf("%v", stale)
	}
	one := stale[0].(map[string]any)
	if one["state"] != "stale" || one["page"] != "a.mdx" || one["sentence"] != "It listens." || one["repository"] != "server" ||
		one["path"] != "x.go" || one["line"] != 3.0 || one["lastLine"] != 4.0 || one["commit"] != "c1" || one["staleAt"] == nil {
		t.Errorf("%v", one)
	}
	if held, _ := get("?state=current"); len(held) != 1 || held[0].(map[string]any)["sentence"] != nil {
		t.Errorf("%v", held)
	}
	first, next := get("?limit=1")
	if rest, end := get("?limit=1&cursor=" + fmt.Sprint(next)); len(first) != 1 || len(rest) != 1 || end != nil {
		t.Errorf("%v, %v, %v", first, rest, end)
	}
	other := w.newTenant(t, "b", account.PlanFree)
	w.do(t, ask{"GET", at, other.key, "", nil}).want(t, 404)
}

// Product repositories are Git repositories with unique names. Someone who is an admin of only the project may not use
// the organization's credentials for one.
func TestProductRepositoriesAreConnected(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID + "/product-repositories"
	body := func(name, source string) string { return `{"name":"` + name + `","source":{` + source + `}}` }
	for source, field := range map[string]string{`"path":"/srv/code"`: "source.path", `"repository":"ftp://x/y"`: "source.repository",
		`"repository":"https://h.example/r","credential":"A B"`: "source.credential"} {
		if got := w.do(t, ask{"POST", at, x.key, body("code", source), nil}).want(t, 400); !strings.Contains(string(got.body), `"field":"`+field) {
			t.Errorf("%s: %s", source, got.body)
		}
	}
	public, private := `"repository":"https://git.example.com/a/code"`, `"repository":"https://git.example.com/a/code","credential":"docs-bot"`
	if got := w.do(t, ask{"POST", at, x.key, body("server", public), nil}).want(t, 409); got.code(t) != "product_repository_exists" {
		t.Errorf("%s", got.body)
	}
	m := w.place(t, x, placed{inOrganization: account.RoleViewer, inProject: account.RoleAdmin, here: true}, x.project.ID, x.folder.ID)
	if got := w.do(t, ask{"POST", at, "", body("secret", private), nil}.as(m)).want(t, 403); got.code(t) != "role_required" {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"POST", at, "", body("open", public), nil}.as(m)).want(t, 201)
	made := w.do(t, ask{"POST", at, x.key, body("code", private), nil}).want(t, 201).object(t)
	list := w.do(t, ask{"GET", at, x.key, "", nil}).want(t, 200)
	if made["commit"] != nil || made["createdBy"] != x.keyID || strings.Count(string(list.body), `"id":"prd_`) != 3 {
		t.Errorf("%v, %s", made, list.body)
	}
	for n := 3; n < project.MaxProducts; n++ {
		w.do(t, ask{"POST", at, x.key, body(fmt.Sprint("n", n), public), nil}).want(t, 201)
	}
	if got := w.do(t, ask{"POST", at, x.key, body("more", public), nil}).want(t, 409); got.code(t) != "too_many_product_repositories" {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"DELETE", at + "/" + made["id"].(string), x.key, "", nil}).want(t, 204)
	w.do(t, ask{"DELETE", at + "/" + made["id"].(string), x.key, "", nil}).want(t, 404)
}
