package dashboard_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

const webhooks = "/dashboard/settings/webhooks"

var shownSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)

// storedWebhook creates an endpoint through its form, with a pending delivery. No other test events are sent to it.
func (r *rig) storedWebhook(address string) (endpointID, deliveryID string) {
	r.t.Helper()
	status, page := r.post("admin", webhooks, values("url", address, "events", "export.link"))
	link := regexp.MustCompile(`href="` + webhooks + `/(\w+)">I have`).FindStringSubmatch(page)
	if status != http.StatusOK || link == nil {
		r.t.Fatalf("%d %s", status, page)
	}
	endpointID = link[1]
	status, where := r.post("admin", webhooks+"/"+endpointID+"/test", nil)
	if status != http.StatusSeeOther {
		r.t.Fatalf("%d %s", status, where)
	}
	deliveries, _, err := r.store.ListDeliveries(r.t.Context(), r.a.org.ID, endpointID, endpoint.Queued, store.Page{Limit: 1})
	must(r.t, err)
	return endpointID, deliveries[0].ID
}

// failDelivery ends a pending delivery after an attempt that the receiver rejected.
func (r *rig) failDelivery(endpointID, deliveryID string) {
	r.t.Helper()
	d, _, err := r.store.FindDelivery(r.t.Context(), r.a.org.ID, endpointID, deliveryID)
	must(r.t, err)
	must(r.t, r.store.EndDelivery(r.t.Context(), r.hold(task.Delivery, deliveryID), d, &endpoint.Attempt{Number: 1, At: r.clock.Now(),
		Took: 20 * time.Millisecond, Status: http.StatusTeapot, Response: "<b>no tea</b>", Error: "Status 418."},
		"Status 418.", ""))
}

// K9: an administrator adds an endpoint, sees the result of a delivery, replays it, rotates the secret, turns the
// endpoint off and deletes it. Its secret is shown once.
func TestAWebhookEndpointIsManagedByForms(t *testing.T) {
	r := newRig(t)
	wants(t, r.page("admin", webhooks), "No webhook endpoints yet", "deployment.fail")
	status, page := r.post("admin", webhooks, values("url", "https://hooks.a.example/in?token=hidden", "events",
		"export.*, deployment.fail\n", "description", "Chat", "projectId", r.a.project.ID))
	secret := shownSecret.FindString(html.UnescapeString(page))
	if status != http.StatusOK || secret == "" {
		t.Fatalf("%d %s", status, page)
	}
	r.wantKeptSecret(t, secret)
	list := r.page("admin", webhooks)
	wants(t, list, "hooks.a.example", "Chat", "export.*, deployment.fail", r.a.project.Name)
	if strings.Contains(list, "token=hidden") {
		t.Error("the list shows the whole address")
	}
	all, err := r.store.ListEndpoints(t.Context(), r.a.org.ID)
	must(t, err)
	path := webhooks + "/" + all[0].ID
	wants(t, r.page("admin", path), "token=hidden", "Nothing was sent yet")

	if status, page := r.post("admin", path, values("url", "https://hooks.a.example", "events", "export.strat")); status !=
		http.StatusBadRequest || !strings.Contains(page, "Did you mean export.start?") {
		t.Errorf("a wrong type: %d %s", status, page)
	}
	if status, where := r.post("admin", path, values("url", "https://hooks.b.example/in", "events", "export.link")); status !=
		http.StatusSeeOther {
		t.Errorf("%d %s", status, where)
	}
	wants(t, r.page("admin", webhooks), "hooks.b.example")

	if status, where := r.post("admin", path+"/test", nil); status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, where)
	}
	deliveries, _, err := r.store.ListDeliveries(t.Context(), r.a.org.ID, all[0].ID, endpoint.Queued, store.Page{Limit: 1})
	must(t, err)
	one := deliveries[0]
	wants(t, r.page("admin", path+"/deliveries/"+one.ID), "webhook.test", "queued", "There was no attempt yet.")
	r.failDelivery(all[0].ID, one.ID)
	wants(t, r.page("admin", path+"/deliveries/"+one.ID), "failed", "418", "20 ms")
	if _, page := r.get("admin", path+"/deliveries/"+one.ID); !strings.Contains(page, "&lt;b&gt;no tea&lt;/b&gt;") {
		t.Error("the response is not shown, or not as text")
	}
	wants(t, r.page("admin", path+"?status=failed"), "webhook.test", "Status 418.")
	if status, where := r.post("admin", path+"/deliveries/"+one.ID+"/replay", nil); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, where)
	}
	wants(t, r.page("admin", path+"/deliveries/"+one.ID), "queued")

	status, page = r.post("admin", path+"/rotate", nil)
	second := shownSecret.FindString(html.UnescapeString(page))
	if status != http.StatusOK || second == "" || second == secret {
		t.Errorf("%d %s", status, page)
	}
	r.wantKeptSecret(t, second)
	if status, where := r.post("admin", path+"/state", values("state", "off")); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, where)
	}
	wants(t, r.page("admin", path), "Turn on")
	if status, where := r.post("admin", path+"/delete", nil); status != http.StatusSeeOther {
		t.Errorf("%d %s", status, where)
	}
	wants(t, r.page("admin", webhooks), "No webhook endpoints yet")
	wants(t, r.page("admin", "/dashboard/settings/audit"), "added the webhook endpoint",
		"rotated the secret of the webhook endpoint", "deleted the webhook endpoint")
}

// The format is selected in the form and cannot be changed. A chat endpoint shows no secret, since chats verify no
// signatures.
func TestChatEndpointIsAddedByForm(t *testing.T) {
	r := newRig(t)
	wants(t, r.page("admin", webhooks), "Slack, Mattermost or Rocket.Chat", "Microsoft Teams", "Mail to members")
	status, where := r.post("admin", webhooks, values("format", "teams", "url", "https://teams.a.example/in", "recipients", "",
		"events", "alert.*"))
	if status != http.StatusSeeOther || strings.Contains(where, "whsec_") {
		t.Fatalf("%d %s", status, where)
	}
	all, err := r.store.ListEndpoints(t.Context(), r.a.org.ID)
	must(t, err)
	path := webhooks + "/" + all[0].ID
	page := r.page("admin", path)
	wants(t, page, "Microsoft Teams", "teams.a.example", "Send a test message")
	for _, absent := range []string{`name="format"`, `name="recipients"`, "Rotate the secret"} {
		if strings.Contains(page, absent) {
			t.Errorf("the page has %s", absent)
		}
	}
	if status, where := r.post("admin", path, values("url", "https://teams.b.example/in", "events", "alert.raise")); status !=
		http.StatusSeeOther {
		t.Errorf("%d %s", status, where)
	}
	if found, err := r.store.FindEndpoint(t.Context(), r.a.org.ID, all[0].ID); err != nil || found.Format != endpoint.Teams ||
		found.URL != "https://teams.b.example/in" {
		t.Errorf("%+v (error %v)", found, err)
	}
	if status, page := r.post("admin", webhooks, values("format", "mail", "recipients", "stranger@x.example", "events",
		"alert.*")); status != http.StatusBadRequest || !strings.Contains(page, `<option value="mail" selected>`) {
		t.Errorf("%d %s", status, page)
	}
}
