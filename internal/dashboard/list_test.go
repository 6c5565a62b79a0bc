package dashboard_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// order returns the given texts in the order in which they occur on a page, omitting missing ones.
func order(page string, texts ...string) (out []string) {
	_, page, _ = strings.Cut(page, "<tbody>")
	for len(page) > 0 {
		first, at := "", len(page)
		for _, s := range texts {
			if i := strings.Index(page, s); i >= 0 && i < at {
				first, at = s, i
			}
		}
		if first == "" {
			break
		}
		out, page = append(out, first), page[at+len(first):]
	}
	return out
}

// The server sorts and searches lists, so this works without scripts and for rows beyond the first page.
func TestProjectsAreSortedSearchedAndPaged(t *testing.T) {
	r := newRig(t)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		for i := range 60 {
			name := fmt.Sprintf("Site %02d", i)
			if _, err := tx.CreateProject(t.Context(), project.Project{OrganizationID: r.a.org.ID, Name: name,
				Domains: []string{fmt.Sprintf("s%02d.a.example", i)},
				Source:  project.Source{Repository: "https://git.example.com/x.git"}}); err != nil {
				return err
			}
		}
		return nil
	}))
	const path = "/dashboard/projects"
	first := r.page("viewer", path)
	wants(t, first, `<th scope="col" aria-sort="descending"><a href="?sort=added">Added`,
		`<th scope="col"><a href="?sort=name">Name`, `rel="next" href="?cursor=`)
	if n := strings.Count(first, "<tr>"); n != 1+20 {
		t.Errorf("%d rows", n)
	}
	sorted := r.page("viewer", path+"?sort=name")
	wants(t, sorted, `<th scope="col" aria-sort="ascending"><a href="?sort=-name">Name`,
		`rel="next" href="?page=2&sort=name"`)
	if got := order(sorted, "Site 03<", "Site 00<", "Site 02<"); strings.Join(got, "") != "Site 00<Site 02<Site 03<" {
		t.Errorf("%q", got)
	}
	last := r.page("viewer", path+"?page=4&sort=name")
	wants(t, last, "Site 59<", `rel="prev" href="?page=3&sort=name"`)
	wantsNone(t, last, "Site 00<", `rel="next"`)
	found := r.page("viewer", path+"?q="+url.QueryEscape(" SITE 07")+"&sort=-name")
	wants(t, found, "Site 07<", `value="SITE 07"`, `<input type="hidden" name="sort" value="-name">`)
	wantsNone(t, found, "Site 08<")
	wants(t, r.page("viewer", path+"?status=new&sort=-name"), "Site 59<", `<option value="new" selected>`)
	wantsNone(t, r.page("viewer", path+"?status=failure"), "Site 59<")
	_, raw := r.get("viewer", path+"?q="+url.QueryEscape(`"><script>alert(1)</script>`))
	wants(t, raw, "No matching projects")
	wantsNone(t, raw, "<script>alert")
	for _, odd := range []string{"?sort=nonsense", "?sort=-", "?page=-1&sort=name", "?page=x&q=site", "?status=nonsense"} {
		wants(t, r.page("viewer", path+odd), "Site")
	}
}

func TestDeploymentsExportsKeysAndMembersAreFiltered(t *testing.T) {
	r := newRig(t)
	deployments := "/dashboard/projects/" + r.a.project.ID + "/deployments"
	failed := r.page("editor", deployments+"?status=failure")
	wants(t, failed, r.a.failed.ID)
	wantsNone(t, failed, r.a.older.ID)
	d := r.deployment(r.a.live.ID)
	if got := order(r.page("editor", deployments+"?sort=started"), r.a.older.ID+`"`, d.ID+`"`); len(got) == 0 ||
		got[0] != r.a.older.ID+`"` {
		t.Errorf("%q", got)
	}
	preview := r.deploy(r.a.project, deploy.Preview, "zebra")
	branches := r.page("editor", "/dashboard/projects/"+r.a.project.ID+"/previews?sort=-branch")
	if got := order(branches, preview.ID, r.a.preview.ID); len(got) == 0 || got[0] != preview.ID {
		t.Errorf("%q", got)
	}
	exports := r.page("editor", "/dashboard/exports?q=beta")
	wants(t, exports, r.a.done.ID)
	wantsNone(t, exports, r.a.queued.ID)
	keyID := r.a.keyID
	wants(t, r.page("admin", "/dashboard/settings/keys?status=live"), `id="`+keyID+`"`)
	wantsNone(t, r.page("admin", "/dashboard/settings/keys?status=revoked"), `id="`+keyID+`"`)
	members := r.page("viewer", "/dashboard/settings/members?status=editor")
	wants(t, members, `<tr id="`+r.people["editor"].member.ID)
	wantsNone(t, members, `<tr id="`+r.people["owner"].member.ID)
	byRole := r.page("viewer", "/dashboard/settings/members?sort=role")
	if got := order(byRole, r.people["owner"].member.ID+`">`, r.people["viewer"].member.ID+`">`); len(got) == 0 ||
		got[0] != r.people["owner"].member.ID+`">` {
		t.Errorf("%q", got)
	}
	jobs := r.page("viewer", "/dashboard/projects/"+r.a.project.ID+"/agent?sort=state")
	if got := order(jobs, r.a.agentJob.ID+`"`, r.a.agentDone.ID+`"`); len(got) == 0 || got[0] != r.a.agentJob.ID+`"` {
		t.Errorf("%q", got)
	}
}
