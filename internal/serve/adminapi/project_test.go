package adminapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/source/git"
)

func TestNewProjectIsQueuedForPublishing(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	got := w.do(t, ask{"POST", "/v1/projects", x.key,
		`{"name":" Guides ","domain":"Guides.A.example","source":{"repository":"https://git.example.com/a/b.git","branch":"main","credential":"deploy-key"},"docsFolder":"/docs/"}`, nil}).want(t, 201)
	body := got.object(t)
	projectID := body["projectId"].(string)
	p, err := w.store.FindProject(t.Context(), x.org.ID, projectID)
	must(t, err)
	if p.Name != "Guides" || p.Domains[0] != "guides.a.example" || p.DocsFolder != "docs" ||
		p.Source.Credential != "deploy-key" || p.Source.Branch != "main" {
		t.Errorf("stored %+v", p)
	}
	if body["webhookSecret"] != project.HookSecret(master, p.ID, 1) || body["url"] != "http://guides.a.example:8080" ||
		got.header.Get("Location") != "/v1/projects/"+projectID {
		t.Errorf("%s", got.body)
	}
	last := body["lastUpdate"].(map[string]any)
	status := w.do(t, ask{"GET", "/v1/project/update-status/" + last["statusId"].(string), x.key, "", nil}).
		want(t, 200).object(t)
	if last["status"] != "queued" || status["status"] != "queued" || status["kind"] != "production" ||
		status["url"] != nil {
		t.Errorf("%v %v", last, status)
	}
	d, err := w.store.FindLastDeployment(t.Context(), projectID)
	must(t, err)
	if d.Trigger != "api" {
		t.Errorf("trigger %q", d.Trigger)
	}
	shown := w.do(t, ask{"GET", "/v1/projects/" + projectID, x.key, "", nil}).want(t, 200)
	if shown.object(t)["webhookSecret"] != nil {
		t.Error("the webhook secret is shown again")
	}
}

func TestInvalidProjectNamesTheField(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		o.LocalSource, o.PublicURL = nil, "https://lectern.example.com:8443"
		o.ValidateRepository = func(url string) error { return git.ValidateURL(url, false) }
	})
	good := func(domain, source string) string {
		return `{"name":"n","domain":"` + domain + `","source":` + source + `}`
	}
	for body, want := range map[string]struct{ field, code string }{
		`{"domain":"n.example","source":{"repository":"https://h.example/x"}}`:           {"name", "missing_field"},
		`{"name":"n","source":{"repository":"https://h.example/x"}}`:                     {"domain", "missing_field"},
		`{"name":"n","domain":"n.example"}`:                                              {"source", "missing_field"},
		`{"name":"","domain":"n.example","source":{"repository":"https://h.example/x"}}`: {"name", "invalid_field"},
		good("n.example", `{}`): {"source", "missing_field"},
		good("n.example", `{"path":"/x","repository":"https://h.example/x"}`): {"source",
			"invalid_field"},
		good("n.example", `{"path":"/srv"}`): {"source.path",
			"local_source_off"},
		good("n.example", `{"repository":"file:///srv/x.git"}`): {
			"source.repository", "local_source_off"},
		good("n.example", `{"repository":"FILE:///srv/x.git"}`): {
			"source.repository", "local_source_off"},
		good("n.example", `{"repository":"/srv/x.git"}`): {
			"source.repository", "local_source_off"},
		good("n.example", `{"repository":"ext::sh -c x"}`): {
			"source.repository", "bad_repository_url"},
		good("n.example", `{"repository":"https://u:p@h.example/x"}`): {
			"source.repository", "password_in_url"},
		good("n.example", `{"repository":"https://lectern.example.com:8443/git/org_a/prj_b.git"}`): {
			"source.repository", "unknown_repository"},
		good("n.example", `{"repository":"https://h.example/x","branch":"--upload"}`): {"source.branch",
			"bad_branch_name"},
		good("n.example", `{"repository":"https://h.example/x","credential":"s3cret!!"}`): {"source.credential",
			"invalid_field"},
		good("n.example", `{"repository":"https://h.example/x","token":"t"}`):   {"source.token", "unknown_field"},
		good("localhost", `{"repository":"https://h.example/x"}`):               {"domain", "invalid_field"},
		good("preview.localhost", `{"repository":"https://h.example/x"}`):       {"domain", "reserved_domain"},
		good("dep-x.preview.localhost", `{"repository":"https://h.example/x"}`): {"domain", "reserved_domain"},
		good("Lectern.example.com", `{"repository":"https://h.example/x"}`):     {"domain", "reserved_domain"},
	} {
		got := w.do(t, ask{"POST", "/v1/projects", x.key, body, nil}).want(t, 400)
		if got.code(t) != want.code || !strings.Contains(string(got.body), `"field":"`+want.field+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	w.do(t, ask{"POST", "/v1/projects", x.key, good("docs.lectern.example.com", `{"repository":"https://h.example/x"}`),
		nil}).want(t, 201)
	other := w.newTenant(t, "b", account.PlanFree)
	if got := w.do(t, ask{"POST", "/v1/projects", other.key, good("docs.a.example",
		`{"repository":"https://h.example/x"}`), nil}).want(t, 409); got.code(t) != "domain_taken" {
		t.Errorf("%s", got.body)
	}
}

// The server's own names are reserved in any combination of upper and lower case and with a trailing dot, whichever
// form the operator configured.
func TestServerNamesAreReservedInEverySpelling(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		o.PublicURL, o.PreviewDomain = "https://Lectern.Example.com.", "Preview.Example.com"
	})
	for _, domain := range []string{"lectern.example.com", "LECTERN.example.com.", "preview.example.com",
		"x.Preview.example.com"} {
		got := w.do(t, ask{"POST", "/v1/projects", x.key,
			`{"name":"n","domain":"` + domain + `","source":{"path":"/srv"}}`, nil}).want(t, 400)
		if got.code(t) != "reserved_domain" {
			t.Errorf("%s: %s", domain, got.body)
		}
	}
}

func TestPatchChangesOnlyNamedFields(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID
	patch := func(body string) reply { return w.do(t, ask{"PATCH", at, x.key, body, nil}) }
	before := w.do(t, ask{"GET", at, x.key, "", nil}).object(t)
	after := patch(`{"docsFolder":"handbook"}`).want(t, 200).object(t)
	for k := range before {
		if same := jsonText(t, before[k]) == jsonText(t, after[k]); same == (k == "docsFolder") && k != "updatedAt" {
			t.Errorf("%s: %v became %v", k, before[k], after[k])
		}
	}
	after = patch(`{"domains":["b.a.example","docs.a.example"],"source":{"path":"/srv/docs"},"name":"N"}`).want(t, 200).
		object(t)
	if after["domain"] != "b.a.example" || after["name"] != "N" ||
		jsonText(t, after["source"]) != `{"branch":null,"credential":null,"path":"/srv/docs","repository":null}` {
		t.Errorf("%v", after)
	}
	if got := patch(`{"rotateWebhookSecret":true}`).want(t, 200).
		object(t)["webhookSecret"]; got != project.HookSecret(master, x.project.ID, 2) {
		t.Errorf("rotated secret %v", got)
	}
	if got := patch(`{"rotateWebhookSecret":false}`).want(t, 200).object(t)["webhookSecret"]; got != nil {
		t.Errorf("secret shown without rotation: %v", got)
	}
	for _, bad := range []string{`{}`, `{"domains":[]}`, `{"domains":["b.a.example","B.a.example"]}`,
		`{"domains":["x"]}`, `{"name":null}`, `{"domain":"b.a.example"}`, `{"source":{}}`, `{"docsFolder":"../.."}`} {
		patch(bad).want(t, 400)
	}
	if got := patch(`{"domains":["folder.a.example"]}`).want(t, 409); got.code(t) != "domain_taken" {
		t.Errorf("%s", got.body)
	}
}

func TestDeletingProjectKeepsItsExports(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	w.do(t, ask{"DELETE", "/v1/projects/" + x.project.ID, x.key, "", nil}).want(t, 204)
	w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, x.key, "", nil}).want(t, 404)
	w.do(t, ask{"DELETE", "/v1/projects/" + x.project.ID, x.key, "", nil}).want(t, 404)
	w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}).want(t, 404)
	w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle", x.key, "", nil}).want(t, 200)
}

func TestPreviews(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	got := w.do(t, ask{"POST", "/v1/project/preview/" + x.project.ID, x.key, `{"branch":"feature/x"}`, nil}).
		want(t, 202).object(t)
	statusID := got["statusId"].(string)
	if got["previewUrl"] != "http://"+deploy.HostLabel(statusID)+".preview.localhost:8080" {
		t.Errorf("%v", got)
	}
	d, err := w.store.FindDeploymentByID(t.Context(), statusID)
	must(t, err)
	w.publish(t, &d)
	status := w.do(t, ask{"GET", "/v1/project/update-status/" + statusID, x.key, "", nil}).want(t, 200).object(t)
	if status["kind"] != "preview" || status["branch"] != "feature/x" || status["url"] != got["previewUrl"] ||
		status["pageCount"] != 3.0 {
		t.Errorf("%v", status)
	}
	w.do(t, ask{"POST", "/v1/project/preview/" + x.folder.ID, x.key, `{"branch":"x"}`, nil}).want(t, 409)
	for _, bad := range []string{`{}`, `{"branch":""}`, `{"branch":"a..b"}`, `{"branch":1}`} {
		if got := w.do(t, ask{"POST", "/v1/project/preview/" + x.project.ID, x.key, bad, nil}).
			want(t, 400); !strings.Contains(string(got.body), `"field":"branch"`) {
			t.Errorf("%s: %s", bad, got.body)
		}
	}
}

func TestUpdateStatusShowsLogAndFindings(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	got := w.do(t, ask{"GET", "/v1/project/update-status/" + x.deployment.ID, x.key, "", nil}).want(t, 200).object(t)
	if got["url"] != "http://docs.a.example:8080" || len(got["logs"].([]any)) != 1 ||
		len(got["diagnostics"].([]any)) != 1 || got["endedAt"] == nil {
		t.Errorf("%v", got)
	}
	if at := got["logLines"].([]any)[0].(map[string]any)["at"]; at != "2026-03-04T05:06:07.123456Z" {
		t.Errorf("a log line's time is %v", at)
	}
	commit := got["commit"].(map[string]any)
	if got["_id"] != x.deployment.ID || got["logs"].([]any)[0] != "3 pages written" ||
		got["summary"] != "3 pages written" || got["source"] != "api" ||
		got["subdomain"] != x.project.Domains[0] || len(commit["sha"].(string)) != 40 || commit["ref"] != "main" {
		t.Errorf("%v", got)
	}
	if text := fmt.Sprint(got["author"], commit["message"],
		commit["filesChanged"]); text != "map[name:Docs team]Fix itmap[added:[] modified:[index.mdx] removed:[] truncated:false]" {
		t.Errorf("commit: %s", text)
	}
	early := w.do(t, ask{"POST", "/v1/project/update/" + x.folder.ID, x.key, "", nil}).want(t, 202).
		object(t)["statusId"].(string)
	if got := w.do(t, ask{"GET", "/v1/project/update-status/" + early, x.key, "", nil}).want(t, 200).
		object(t); got["summary"] != "Waiting for a worker." ||
		got["commit"].(map[string]any)["message"] != "" || got["commit"].(map[string]any)["sha"] != "" ||
		got["author"] != nil || len(got["logs"].([]any)) != 0 {
		t.Errorf("%v", got)
	}
	p := w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, x.key, "", nil}).want(t, 200).object(t)
	if live := p["live"].(map[string]any); live["deploymentId"] != x.deployment.ID {
		t.Errorf("%v", live)
	}
}

// W5: over HTTP, a signed push is accepted once, and an unsigned push never.
func TestWebhookEndpointVerifiesPushes(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	a := push(x.project, "refs/heads/main", "d-1")
	a.method = "POST"
	if got := w.do(t, a).want(t, 202).object(t); got["accepted"] != true || got["statusId"] == nil ||
		got["reason"] != nil {
		t.Errorf("%v", got)
	}
	if got := w.do(t, a).want(t, 200).object(t); got["accepted"] != false || got["statusId"] != nil ||
		got["reason"] == nil {
		t.Errorf("replay: %v", got)
	}
	a.body += " "
	w.do(t, a).want(t, 401)
	other := push(x.project, "refs/heads/other", "d-2")
	other.method = "POST"
	w.do(t, other).want(t, 200)
}
