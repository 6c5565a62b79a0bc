package adminapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
)

// Product repositories are Git repositories with names of their own, and an admin of the project alone may not use the
// organization's credentials for one.
func TestProductRepositoriesAreConnected(t *testing.T) {
	w := newWorld(t, nil)
	x := w.newTenant(t, "a", account.PlanFree)
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
