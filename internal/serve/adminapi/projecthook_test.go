package adminapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
)

// The webhook at the code host is created once, gets every new secret, and is deleted with the project.
func TestCodeHostWebhookFollowsProject(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := read[client.Project](t, w.do(t, ask{"POST", "/v1/projects", x.key,
		`{"name":"New","domain":"new.a.example","source":{"repository":"https://git.example.com/a/docs","credential":"docs-bot"},"installWebhook":true}`,
		nil}).want(t, 201))
	if i := made.Webhook.Installation; i == nil || !i.Installed || i.Code != nil {
		t.Fatalf("got %+v", i)
	}
	if got := w.code.installed("a"); !slices.Equal(got, []string{made.Webhook.URL + " " + *made.WebhookSecret}) {
		t.Fatalf("installed %v", got)
	}
	at := "/v1/projects/" + made.ProjectID
	again := read[client.InstalledWebhook](t, w.do(t, ask{"POST", at + "/webhook", x.key, "", nil}).want(t, 200))
	if again.Created || again.URL != made.Webhook.URL {
		t.Errorf("installed again: %+v", again)
	}
	turned := read[client.Project](t, w.do(t, ask{"PATCH", at, x.key, `{"rotateWebhookSecret":true}`, nil}).want(t, 200))
	if got := w.code.installed("a"); !slices.Equal(got, []string{made.Webhook.URL + " " + *turned.WebhookSecret}) ||
		*turned.WebhookSecret == *made.WebhookSecret || !turned.Webhook.Installation.Installed {
		t.Errorf("after a rotation: %v, %+v", got, turned.Webhook.Installation)
	}
	w.do(t, ask{"DELETE", at, x.key, "", nil}).want(t, 204)
	if got := w.code.installed("a"); len(got) > 0 {
		t.Errorf("after the deletion: %v", got)
	}
}

// A rotation does not create a missing webhook, and a project is created and deleted whatever its code host responds.
func TestCodeHostWebhookIsBestEffort(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID
	turned := read[client.Project](t, w.do(t, ask{"PATCH", at, x.key, `{"rotateWebhookSecret":true}`, nil}).want(t, 200))
	if turned.Webhook.Installation != nil || len(w.code.installed("a")) > 0 {
		t.Errorf("a rotation: %+v, %v", turned.Webhook.Installation, w.code.installed("a"))
	}
	w.code.set(func(h *codeHost) { h.member = true })
	if got := w.do(t, ask{"POST", at + "/webhook", x.key, "", nil}); got.status != 403 ||
		got.code(t) != "webhook_permission_missing" {
		t.Errorf("without the permission: %d %s", got.status, got.body)
	}
	w.code.set(func(h *codeHost) { h.refuse = http.StatusBadGateway })
	if got := w.do(t, ask{"POST", at + "/webhook", x.key, "", nil}); got.status != 503 || got.code(t) != "forge_busy" {
		t.Errorf("with a busy host: %d %s", got.status, got.body)
	}
	made := w.do(t, ask{"POST", "/v1/projects", x.key,
		`{"name":"New","domain":"new.a.example","source":{"repository":"https://git.example.com/a/docs","credential":"docs-bot"},"installWebhook":true}`,
		nil}).want(t, 201)
	p := read[client.Project](t, made)
	if i := p.Webhook.Installation; i == nil || i.Installed || *i.Code != "forge_busy" ||
		strings.Contains(string(made.body), "stored-secret") {
		t.Errorf("created with %+v", i)
	}
	w.do(t, ask{"DELETE", "/v1/projects/" + p.ProjectID, x.key, "", nil}).want(t, 204)
	if got := w.do(t, ask{"POST", "/v1/projects/" + x.folder.ID + "/webhook", x.key, "", nil}); got.status != 400 ||
		got.code(t) != "no_code_host" {
		t.Errorf("for a folder: %d %s", got.status, got.body)
	}
	if log := w.log.String(); strings.Contains(log, "stored-secret") ||
		strings.Contains(log, project.HookSecret(master, p.ProjectID, 1)) {
		t.Error("the log contains a secret")
	}
}
