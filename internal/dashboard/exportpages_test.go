package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/store"
)

// showsAll fails unless the page has the status and contains every text.
func showsAll(t *testing.T, name string, status, want int, body string, texts ...string) {
	t.Helper()
	if status != want {
		t.Errorf("%s: status %d, want %d: %s", name, status, want, mainOf(body))
		return
	}
	for _, s := range texts {
		if !strings.Contains(body, s) {
			t.Errorf("%s: the page lacks %s\n%s", name, s, mainOf(body))
		}
	}
}

// mainOf returns a page's main part, for messages.
func mainOf(body string) string {
	_, rest, found := strings.Cut(body, "<main")
	if !found {
		return body
	}
	rest, _, _ = strings.Cut(rest, "</main>")
	return rest
}

// showsNone fails if the page contains one of the texts.
func showsNone(t *testing.T, name, body string, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if strings.Contains(body, s) {
			t.Errorf("%s: the page has %s\n%s", name, s, mainOf(body))
		}
	}
}

// eventCount returns the number of audit records of organization a.
func eventCount(r *rig) int {
	r.t.Helper()
	list, err := r.store.ListEvents(r.t.Context(), r.a.org.ID, 0, 10_000)
	must(r.t, err)
	return len(list)
}

const evil = `<img src=x onerror=alert(1)>"'</textarea><script>`

// showsPlain fails if hostile text appears as markup.
func showsPlain(t *testing.T, name, body string) {
	t.Helper()
	showsNone(t, name, body, "<img src=x", "<script>", `href="javascript:`, "<script src=//")
}

func TestExportIsShownInEachState(t *testing.T) {
	r := newRig(t)
	at := func(j export.Job) string { return "/dashboard/exports/" + j.ID }
	status, body := r.get("editor", at(r.a.queued))
	showsAll(t, "queued", status, 200, body, "Waiting for a worker.", `data-state="queued"`, "Cancel export",
		"data-live", "Version</dt><dd>v2", `http-equiv="refresh"`)
	showsNone(t, "queued", body, "Create download link")

	h := r.startExport(r.a.queued)
	_, err := r.store.AdvanceExport(t.Context(), h, lease,
		store.ExportProgress{Progress: 60, PageCount: 7, PageTotal: 20, Stage: export.StagePages})
	must(t, err)
	status, body = r.get("editor", at(r.a.queued))
	showsAll(t, "running", status, 200, body, `data-state="running"`, `<progress max="100" value="60"`,
		"Writing pages: 7 of 20.", "7 of 20", "Cancel export")

	must(t, r.store.NoteExport(t.Context(), h, lease, "site_errors", diag.List{{File: evil + ".mdx", Line: 3, Column: 4,
		Severity: diag.Error, Code: "broken-link", Message: evil, Hint: "Fix it."}}))
	must(t, r.store.FailExport(t.Context(), h, "The page "+evil+" could not be rendered."))
	status, body = r.get("editor", at(r.a.queued))
	showsAll(t, "failed", status, 200, body, `data-state="failed"`, "could not be rendered.", ".mdx:3:4", "broken-link",
		"Fix it.", "Export again", "?domain=docs.a.example&amp;version=v2#start")
	showsNone(t, "failed", body, "Cancel export", "Create download link", `http-equiv="refresh"`)
	showsPlain(t, "failed", body)

	status, body = r.get("editor", at(r.a.done))
	showsAll(t, "completed", status, 200, body, `data-state="completed"`, "Create download link",
		"The bundles are ready.", "/v1/static-export/jobs/"+r.a.done.ID+"/bundle")
	showsNone(t, "completed", body, "Cancel export", "Your download link")

	r.clock.Advance(2 * time.Hour)
	if n, err := r.store.ExpireExports(t.Context(), export.Limits{KeepFor: time.Hour}); err != nil || n == 0 {
		t.Fatalf("%d exports expired, error %v", n, err)
	}
	status, body = r.get("editor", at(r.a.done))
	showsAll(t, "expired", status, 200, body, "The bundles of this export were removed", "Export again")
	showsNone(t, "expired", body, "Create download link")
	status, body = r.post("editor", at(r.a.done)+"/bundle", url.Values{"format": {"zip"}})
	showsAll(t, "a link to expired bundles", status, http.StatusGone, body, "were removed on")
}

func TestExportListIsFiltered(t *testing.T) {
	r := newRig(t)
	status, body := r.get("viewer", "/dashboard/exports")
	showsAll(t, "all", status, 200, body, r.a.done.ID, r.a.queued.ID, "v1 beta/2",
		"Starting exports requires the role editor", "data-live")
	showsNone(t, "all", body, r.b.done.ID, `action="/dashboard/exports" class="stack"`)
	status, body = r.get("editor", "/dashboard/exports?status=queued&domain=folder.a.example&version=%3Cb%3E")
	showsAll(t, "queued", status, 200, body, r.a.queued.ID, "<option selected>folder.a.example</option>",
		"<option>docs.a.example</option>", `value="&lt;b&gt;"`)
	showsNone(t, "queued", body, r.a.done.ID, "b.example")
	status, body = r.get("editor", "/dashboard/exports?status=running")
	showsAll(t, "running", status, 200, body, "No matching exports")
	if status, _ := r.get("editor", "/dashboard/exports?cursor=nonsense"); status != http.StatusBadRequest {
		t.Errorf("a broken cursor: %d", status)
	}
}

func TestExportIsStartedJoinedAndCanceled(t *testing.T) {
	r := newRig(t)
	form := func() url.Values {
		return url.Values{"domain": {"docs.a.example"}, "version": {"2026.1"}, "paths": {"index\r\n\r\n guides/a \r\n"},
			"groups": {"partner\r\nbeta"}}
	}
	status, to := r.post("editor", "/dashboard/exports", form())
	if status != http.StatusSeeOther || !strings.HasSuffix(to, "?did=export-started") {
		t.Fatalf("%d %s", status, to)
	}
	_, body := r.get("editor", to)
	showsAll(t, "started", 200, 200, body, "The export was started.", "2026.1", "docs.a.example")
	at, _, _ := strings.Cut(to, "?")
	j, err := r.store.FindExportByID(t.Context(), strings.TrimPrefix(at, "/dashboard/exports/"))
	must(t, err)
	if strings.Join(j.Paths, " ") != "index guides/a" || strings.Join(j.Groups, " ") != "beta partner" {
		t.Errorf("paths %q, groups %q", j.Paths, j.Groups)
	}
	if status, again := r.post("editor", "/dashboard/exports", form()); status != http.StatusSeeOther ||
		again != at+"?did=export-joined" {
		t.Errorf("%d %s", status, again)
	}
	if status, to := r.post("editor", at+"/cancel", nil); status != http.StatusSeeOther ||
		to != at+"?did=export-canceled" {
		t.Errorf("%d %s", status, to)
	}
	status, body = r.get("editor", at)
	showsAll(t, "canceled", status, 200, body, "editor@example.com", `data-state="failed"`)
	status, body = r.post("editor", at+"/cancel", nil)
	showsAll(t, "canceled twice", status, http.StatusConflict, body, `role="alert"`)
	if status, to := r.get("editor", at+"/cancel"); status != http.StatusSeeOther || to != at {
		t.Errorf("the form's address: %d %s", status, to)
	}
}

func TestRefusedExportKeepsTheFormInput(t *testing.T) {
	r := newRig(t)
	status, body := r.post("editor", "/dashboard/exports",
		url.Values{"domain": {"docs.a.example"}, "version": {evil}, "paths": {"../" + evil}})
	showsAll(t, "refused", status, http.StatusBadRequest, body, "is not a page path.", `aria-invalid="true"`,
		`id="paths-error"`, html.EscapeString("../" + evil)[:20], "&lt;img src=x")
	showsPlain(t, "refused", body)
	status, body = r.post("editor", "/dashboard/exports", url.Values{"domain": {"docs.b.example"}})
	showsAll(t, "another organization's domain", status, http.StatusNotFound, body,
		"The organization has no site on this domain.")
}

var shownCode = regexp.MustCompile(`(?s)id="values"><pre tabindex="0"><code>(.*?)</code>`)

// The Helm values are YAML from which a chart reads exactly the same link, whatever the version's name (specification
// 4.5).
func TestChartValuesAreValidYAMLWithTheLink(t *testing.T) {
	r := newRig(t)
	for _, version := range []string{"", "2026.1", `a "quoted": {x} #1 \n`, "é – 日本", "{{ .Values }}", "\u0085\u200b"} {
		j := r.finishExport(r.newExport(r.a.project, version))
		status, body := r.post("editor", "/dashboard/exports/"+j.ID+"/bundle", url.Values{"format": {"zip"}})
		showsAll(t, version, status, 200, body, "Your download link", "data-countdown", "Renew", "sha256sum -c",
			"helm upgrade --install docs lectern-*.tgz --reset-then-reuse-values --values static-export.yaml",
			"21 bytes")
		showsNone(t, version, body, " data-live>", "serve-bundle")
		m := shownCode.FindStringSubmatch(body)
		if m == nil {
			t.Fatalf("%q: no values in %s", version, body)
		}
		var got struct {
			StaticExport struct {
				Enabled   bool    `yaml:"enabled"`
				BundleURL string  `yaml:"bundleUrl"`
				Version   *string `yaml:"version"`
			} `yaml:"staticExport"`
		}
		strict := yaml.NewDecoder(strings.NewReader(html.UnescapeString(m[1])))
		strict.KnownFields(true)
		if err := strict.Decode(&got); err != nil {
			t.Fatalf("%q: %v\n%s", version, err, m[1])
		}
		v := got.StaticExport
		if !v.Enabled || (v.Version == nil) != (version == "") || v.Version != nil && *v.Version != version {
			t.Errorf("%q: %+v", version, v)
		}
		res, err := http.Get(v.BundleURL)
		must(t, err)
		_ = res.Body.Close()
		if res.StatusCode != 200 || !strings.Contains(body, html.EscapeString(v.BundleURL)) {
			t.Errorf("%q: the link answers %d", version, res.StatusCode)
		}
	}
}

func TestDownloadLinkIsRenewed(t *testing.T) {
	r := newRig(t)
	at := "/dashboard/exports/" + r.a.done.ID
	_, first := r.post("editor", at+"/bundle", url.Values{"format": {"tar.gz"}})
	r.clock.Advance(30 * time.Minute)
	_, second := r.post("editor", at+"/bundle", url.Values{"format": {"tar.gz"}})
	until := regexp.MustCompile(`datetime="([^"]*)" title="[^"]*" data-countdown`)
	a, b := until.FindStringSubmatch(first), until.FindStringSubmatch(second)
	if a == nil || b == nil || a[1] == b[1] || b[1] != r.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339) {
		t.Errorf("%v, then %v", a, b)
	}
	if status, to := r.get("editor", at+"/bundle"); status != http.StatusSeeOther || to != at {
		t.Errorf("the form's address: %d %s", status, to)
	}
	status, body := r.post("editor", at+"/bundle", url.Values{"format": {"rar"}})
	showsAll(t, "another format", status, http.StatusBadRequest, body, "format")
}

// If the plan does not include exports, the page says so instead of showing a form.
func TestExportPageExplainsAMissingFeature(t *testing.T) {
	r := newRig(t)
	x := r.newTenant("c", account.PlanFree)
	r.people["free"] = r.newPerson("free@example.com", x.org.ID, account.RoleOwner)
	status, body := r.get("free", "/dashboard/exports")
	showsAll(t, "free", status, 200, body, "Your plan does not include static exports", "enterprise",
		"lectern org plan")
	showsNone(t, "free", body, "Start export")
	status, body = r.post("free", "/dashboard/exports", url.Values{"domain": {"docs.c.example"}})
	showsAll(t, "free, by hand", status, http.StatusForbidden, body, "enterprise")
}

// A viewer sees exports but no form; requests that the forms would send are refused, and nothing changes.
func TestViewerCannotStartExports(t *testing.T) {
	r := newRig(t)
	for _, j := range []export.Job{r.a.done, r.a.queued} {
		status, body := r.get("viewer", "/dashboard/exports/"+j.ID)
		showsAll(t, "viewer", status, 200, body, j.ID)
		showsNone(t, "viewer", body, "/cancel\"", "/bundle\"")
	}
	before := eventCount(r)
	for _, path := range []string{"", "/" + r.a.queued.ID + "/cancel", "/" + r.a.done.ID + "/bundle"} {
		status, body := r.post("viewer", "/dashboard/exports"+path,
			url.Values{"domain": {"docs.a.example"}, "format": {"zip"}})
		showsAll(t, path, status, http.StatusForbidden, body, "editor")
	}
	if after := eventCount(r); after != before {
		t.Errorf("%d new events", after-before)
	}
	for _, path := range []string{"/" + r.a.done.ID, "/" + r.a.done.ID + "/bundle", "/se_nothing"} {
		if status, _ := r.get("foreign", "/dashboard/exports"+path); status != http.StatusNotFound {
			t.Errorf("%s of another organization: %d", path, status)
		}
	}
}

// If there are too many sites for a list, the domain is typed.
func TestDomainIsTypedWhenThereAreManySites(t *testing.T) {
	r := newRig(t)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		for i := range 100 {
			if _, err := tx.CreateProject(t.Context(), project.Project{OrganizationID: r.a.org.ID, Name: "more",
				Domains: []string{fmt.Sprintf("m%d.a.example", i)},
				Source:  project.Source{Repository: "https://git.example.com/more.git"}}); err != nil {
				return err
			}
		}
		return nil
	}))
	status, body := r.get("editor", "/dashboard/exports?domain=docs.a.example")
	showsAll(t, "exports", status, 200, body, `list="domains" value="docs.a.example"`)
	// The list has the 100 newest projects, and all were created at the same time, so any of them may be missing.
	if n := strings.Count(body, "<option>m"); n < 90 {
		t.Errorf("%d of the new projects' domains are suggested", n)
	}
	status, body = r.get("editor", "/dashboard/agent")
	showsAll(t, "agent", status, 200, body, "All projects", "of the 25 newest projects")
	if status, to := r.get("editor", "/dashboard/proposals/"+r.a.proposal.ID); status != http.StatusSeeOther ||
		to != proposalAt(r.a.proposal) {
		t.Errorf("a proposal of the oldest project: %d %s", status, to)
	}
}
