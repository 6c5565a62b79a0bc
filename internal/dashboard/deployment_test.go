package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// A deployment's page shows each of its states, with the actions that the role permits.
func TestDeploymentIsShownInEachState(t *testing.T) {
	r := newRig(t)
	at := func(d deploy.Deployment) string { return "/dashboard/deployments/" + d.ID }
	failed := r.page("editor", at(r.a.failed))
	wants(t, failed, "The site has 1 error.", "Readers still see the previous version.", "Findings: 1 error",
		"<h3><code>guide/start.mdx</code></h3>", "guide/start.mdx:7:3", "unclosed_tag", "<Card> is not closed.",
		"Add </Card>.",
		`href="https://docs.lectern.example/reference/findings#:~:text=unclosed_tag"`, "fetched main",
		"the build found <b>errors</b>", "badcabba", "not published", `<span>fetched main</span>`)
	wantsNone(t, failed, "Roll back", `http-equiv="refresh"`)
	_, raw := r.get("editor", at(r.a.failed))
	wantsNone(t, raw, "<b>errors</b>", "<Card>")

	live := r.page("editor", at(r.a.live))
	wants(t, live, `data-state="live"`, `href="http://docs.a.example:8080"`, "Findings: 1 warning", "3 pages written",
		"c0ffeec0")
	wantsNone(t, live, "Roll back")
	older := r.page("editor", at(r.a.older))
	wants(t, older, "readers see another version", "Roll back to this version…",
		`name="deployment" value="`+r.a.older.ID+`"`, `'{"deploymentId":"`+r.a.older.ID+`"}'`)
	wantsNone(t, r.page("viewer", at(r.a.older)), "Roll back to this version…")
	preview := r.page("editor", at(r.a.preview))
	wants(t, preview, "Preview of a", "<dd>words</dd>",
		`href="http://`+deploy.HostLabel(r.a.preview.ID)+`.preview.localhost:8080"`, `/previews">Previews</a>`)
	wantsNone(t, preview, "Roll back")

	d := r.deploy(r.a.project, deploy.Production, "")
	queued := r.page("viewer", at(d))
	wants(t, queued, `data-state="queued"`, "Waiting for a worker…", "not fetched yet", `http-equiv="refresh"`,
		"<body data-live>")
	h, d := r.begin(d)
	d.Logs = []deploy.LogLine{{At: r.clock.Now(), Message: "fetching"}}
	d.Versions = &deploy.Versions{Default: "v2", List: []deploy.Version{
		{Version: refversion.Version{Name: "v2", Ref: "refs/tags/v2"}, Built: "feedfacefeed"},
		{Version: refversion.Version{Name: "v1", Ref: "refs/tags/v1"}, Error: "It has no <b>pages</b>."}}}
	_, err := r.store.AdvanceDeployment(t.Context(), h, lease, d)
	must(t, err)
	wants(t, r.page("viewer", at(d)), `data-state="in_progress"`, "fetching", "05:06:07", "Versions from Git", "refs/tags/v2",
		"feedface", "at the site's root", "It has no <b>pages</b>.")
}

// The progress of a site's translations is shown on its page and on the project's; people who may start agents can have
// one translate.
func TestTranslationsOfASiteAreShown(t *testing.T) {
	r := newRig(t)
	h, d := r.begin(r.deploy(r.a.project, deploy.Production, ""))
	d.ManifestKey = "m/translated"
	d.Translations = []deploy.Translation{
		{Language: "fr", Current: 41, Stale: 1, Missing: 1, Truncated: true, Behind: []deploy.BehindPage{
			{Path: "fr/guides/start", Source: "guides/start", State: "stale"}, {Path: "fr/<b>", Source: "b", State: "missing"}}},
		{Language: "de", Current: 43}, {Language: "pt-BR"}}
	for n := range 25 {
		d.Translations[2].Add(fmt.Sprintf("pt-BR/p%d", n), fmt.Sprintf("p%d", n), "missing")
	}
	must(t, r.store.PublishDeployment(t.Context(), h, d))
	_, raw := r.get("editor", "/dashboard/deployments/"+d.ID)
	wants(t, raw, "<strong>Français</strong>", ">41<", "Pages that are behind: Français", "<code>fr/guides/start</code>", "fr/&lt;b&gt;", "lectern translations")
	wantsNone(t, raw, "behind: Deutsch")
	project := "/dashboard/projects/" + r.a.project.ID
	wants(t, r.page("editor", project), "<h2 id=\"translations-title\">Translations</h2>", "<strong>Deutsch</strong>",
		"/agent?prompt=Translate+what+is+missing+or+stale+into+fr",
		"Pages that are behind: Français", "fr/guides/start", "/dashboard/deployments/"+d.ID+"#translations-title", "pt-BR/p19")
	wantsNone(t, r.page("editor", project), "into+de", "behind: Deutsch", "pt-BR/p20")
	wants(t, raw, "pt-BR/p24")
	wantsNone(t, r.page("viewer", project), "Translate with an agent")
}

// A deployment with a thousand findings and log lines still has a usable page, which counts what it omits.
func TestLongDeploymentPageIsTruncated(t *testing.T) {
	r := newRig(t)
	h, d := r.begin(r.deploy(r.a.project, deploy.Production, ""))
	for i := range 1200 {
		d.Diagnostics = append(d.Diagnostics, diag.Diagnostic{File: fmt.Sprintf("p%d.mdx", i%7), Line: i + 1,
			Severity: diag.Warning, Code: "long-title", Message: fmt.Sprintf("Long %d.", i)})
		d.Logs = append(d.Logs, deploy.LogLine{At: r.clock.Now(), Message: fmt.Sprintf("line %d.", i)})
	}
	d.Error = "No."
	must(t, r.store.FailDeployment(t.Context(), h, d))
	got := r.deployment(d.ID)
	page := r.page("viewer", "/dashboard/deployments/"+d.ID)
	wants(t, page, fmt.Sprintf("Findings: %d warnings", len(got.Diagnostics)), "text=long%2Dtitle")
	if shown, kept := strings.Count(page, "<p>Long "), len(got.Diagnostics); shown != min(kept, 500) ||
		kept > 500 && !strings.Contains(page, fmt.Sprintf("%d more findings", kept-500)) {
		t.Errorf("%d of %d findings", shown, kept)
	}
	if shown, kept := strings.Count(page, "<span>line "), len(got.Logs); shown != min(kept, 1000) ||
		kept > 1000 && !strings.Contains(page, fmt.Sprintf("%d earlier lines", kept-1000)) {
		t.Errorf("%d of %d lines", shown, kept)
	}
	if strings.Count(page, `<ul class="findings">`) != 7 {
		t.Error("findings are not grouped by file")
	}
}

// A finding that occurs on many pages is shown once with its positions, as on the command line.
func TestRepeatedFindingIsShownOnce(t *testing.T) {
	r := newRig(t)
	h, d := r.begin(r.deploy(r.a.project, deploy.Production, ""))
	for i := range 60 {
		d.Diagnostics = append(d.Diagnostics, diag.Diagnostic{File: fmt.Sprintf("p%d.mdx", i), Line: 3, Column: 1,
			Severity: diag.Error, Code: "no-title", Message: "No title.", Hint: "Add one."})
	}
	d.Error = "No."
	must(t, r.store.FailDeployment(t.Context(), h, d))
	page := r.page("viewer", "/dashboard/deployments/"+d.ID)
	wants(t, page, "Findings: 60 errors", "<h3><code>p0.mdx</code></h3>", "p0.mdx:3:1", "<summary>60 times</summary>",
		"<code>p1.mdx:3:1</code>", "<code>p50.mdx:3:1</code>", "and 9 other places")
	if n := strings.Count(page, "<p>No title.</p>"); n != 1 {
		t.Errorf("shown %d times", n)
	}
	wantsNone(t, page, "p51.mdx")
}

// A rollback takes effect immediately, is recorded with the editor as its actor, and can be undone in the same way; a
// version that cannot go live is refused with an explanation.
func TestEditorCanRollBack(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	list := r.page("editor", path+"/deployments")
	wants(t, list, r.a.live.ID, r.a.failed.ID, `id="back-`+r.a.older.ID+`"`, "The site has 1 error.")
	wantsNone(t, list, `id="back-`+r.a.live.ID, `id="back-`+r.a.failed.ID, r.a.preview.ID)
	wantsNone(t, r.page("viewer", path+"/deployments"), "Roll back", "Update now</button>")
	status, to := r.post("editor", path+"/rollback", values("deployment", r.a.older.ID))
	if status != http.StatusSeeOther || to != path+"/deployments?did=rolled-back" {
		t.Fatalf("%d %s", status, to)
	}
	p, err := r.store.FindProjectByID(t.Context(), r.a.project.ID)
	must(t, err)
	if p.LiveID != r.a.older.ID {
		t.Errorf("%s is live", p.LiveID)
	}
	all := r.auditEvents(r.a.org.ID)
	if last := all[len(all)-1]; last != r.people["editor"].member.ID+" deployment.rollback "+r.a.older.ID {
		t.Error(last)
	}
	back := r.page("editor", to)
	wants(t, back, "Rolled back.", `id="back-`+r.a.live.ID+`"`)
	for _, shown := range []string{back, r.page("viewer", path),
		r.page("viewer", "/dashboard/deployments/"+r.a.older.ID)} {
		wants(t, shown, `data-state="rolled back"`, "by editor@example.com")
	}
	wantsNone(t, r.page("viewer", "/dashboard/deployments/"+r.a.live.ID), `data-state="rolled back"`)
	for deployment, c := range map[string]struct {
		status int
		says   string
	}{r.a.older.ID: {409, "already"}, r.a.failed.ID: {409, "only a successful one"},
		r.a.preview.ID: {409, "A preview cannot go live."}, r.b.older.ID: {404, ""}, "dep_nonsense": {404, ""},
		"": {400, "deploymentId must not be empty."}} {
		status, body := r.post("editor", path+"/rollback", values("deployment", deployment))
		if status != c.status || !strings.Contains(html.UnescapeString(body), c.says) {
			t.Errorf("%s: %d %s", deployment, status, body)
		}
	}
}

// An update that was held shows the reason, and an editor may still publish it; no other failure can be confirmed.
func TestEditorConfirmsAHeldUpdate(t *testing.T) {
	r := newRig(t)
	h, d := r.begin(r.deploy(r.a.project, deploy.Production, ""))
	d.Diagnostics = diag.List{{Severity: diag.Error, Code: "update-held",
		Message: "The update would remove 9 of 10 pages."}}
	d.Error = "The update would remove 9 of 10 pages."
	must(t, r.store.FailDeployment(t.Context(), h, d))
	const button = "Publish without these pages…"
	wants(t, r.page("editor", "/dashboard/deployments/"+d.ID), button, `name="accept" value="removals"`,
		"acceptRemovals", "9 of 10 pages")
	wantsNone(t, r.page("viewer", "/dashboard/deployments/"+d.ID), button)
	wantsNone(t, r.page("editor", "/dashboard/deployments/"+r.a.failed.ID), button)
	status, to := r.post("editor", "/dashboard/projects/"+r.a.project.ID+"/update", values("accept", "removals"))
	last, err := r.store.FindLastDeployment(t.Context(), r.a.project.ID)
	must(t, err)
	if status != http.StatusSeeOther || !strings.Contains(to, last.ID) || last.Trigger != deploy.Confirmed {
		t.Errorf("%d %s %+v", status, to, last)
	}
}

// A commit message can come from anybody who can push: it is shown as text, and truncated if it is long.
func TestDeploymentShowsItsCommitAndActor(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	_, to := r.post("editor", path+"/update", nil)
	started, _, _ := strings.Cut(strings.TrimPrefix(to, "/dashboard/deployments/"), "?")
	h, d := r.begin(r.deployment(started))
	d.Commit = "abcdef0123456789"
	d.Change = deploy.Change{Message: "Explain <b>proxies</b>\n\nAnd more.", Author: `<script>"A`}
	_, err := r.store.AdvanceDeployment(t.Context(), h, lease, d)
	must(t, err)
	for _, at := range []string{path, path + "/deployments", "/dashboard/deployments/" + started} {
		_, raw := r.get("viewer", at)
		wants(t, html.UnescapeString(raw), "Explain <b>proxies</b>", "abcdef01", `<script>"A`,
			"by editor@example.com</span>")
		wantsNone(t, raw, "<b>proxies", `<script>"A`, "And more.")
	}
	made := r.deployment(r.deploy(r.a.project, deploy.Preview, "words").ID)
	wants(t, r.page("viewer", path), `data-state="preview"`, "by the API</span>", made.ID)
}

func TestEditorStartsAnUpdate(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID
	status, to := r.post("editor", path+"/update", nil)
	last, err := r.store.FindLastDeployment(t.Context(), r.a.project.ID)
	must(t, err)
	if status != http.StatusSeeOther || to != "/dashboard/deployments/"+last.ID+"?did=update-started" ||
		last.Status != deploy.Queued {
		t.Errorf("%d %s %+v", status, to, last)
	}
	wants(t, r.page("editor", to), "The update was started.")
	// Opening the URL of the form redirects to the project.
	if status, to := r.get("viewer", path+"/update"); status != http.StatusSeeOther || to != path {
		t.Errorf("%d %s", status, to)
	}
}

func TestEditorCreatesAPreview(t *testing.T) {
	r := newRig(t)
	path := "/dashboard/projects/" + r.a.project.ID + "/previews"
	wants(t, r.page("editor", path), `name="branch"`, ">words</a>", "Open the preview", `'{"branch":"BRANCH"}'`)
	viewed := r.page("viewer", path)
	wants(t, viewed, "requires the role editor; your role is viewer", ">words</a>")
	wantsNone(t, viewed, `name="branch"`)
	status, to := r.post("editor", path, values("branch", " new/guide "))
	if status != http.StatusSeeOther || !strings.HasSuffix(to, "?did=preview-started") {
		t.Fatalf("%d %s", status, to)
	}
	d, err := r.store.FindPreview(t.Context(), r.a.project.ID, "new/guide")
	must(t, err)
	wants(t, r.page("editor", to), "The preview was started.", d.ID)
	for _, branch := range []string{"", "-x", "a..b", `"><script>alert(1)</script> x`} {
		status, body := r.post("editor", path, values("branch", branch))
		if status != http.StatusBadRequest || strings.Contains(body, "<script>alert") {
			t.Errorf("%q: %d %s", branch, status, body)
		}
		wants(t, html.UnescapeString(body), `value="`+branch+`"`, `id="f-branch-error"`)
	}
	// Git allows branch names that look like markup.
	status, to = r.post("editor", path, values("branch", "<script>alert(1)</script>"))
	if status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, to)
	}
	for _, shown := range []string{path, to, "/dashboard/"} {
		if _, body := r.get("viewer", shown); strings.Contains(body, "<script>alert") ||
			!strings.Contains(body, "&lt;script&gt;alert") {
			t.Errorf("%s: %s", shown, body)
		}
	}
	folder := "/dashboard/projects/" + r.a.folder.ID + "/previews"
	wants(t, r.page("editor", folder), "so there are no previews")
	if status, body := r.post("editor", folder, values("branch", "words")); status != http.StatusConflict ||
		!strings.Contains(body, "no branches") {
		t.Errorf("%d %s", status, body)
	}
}
