package adminapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// An endpoint's fields are validated, and nothing from a rejected request is stored.
func TestWebhookEndpointsAreValidated(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	other := w.newTenant(t, "b", account.PlanFree)
	for _, c := range []struct{ body, field, text string }{
		{`{"url":"http://hooks.example.com/in"}`, "url", "https"},
		{`{"url":"https://user:pass@hooks.example.com/in"}`, "url", "user"},
		{`{"url":"https://hooks.example.com/in#part"}`, "url", "fragment"},
		{`{"url":"ftp://hooks.example.com/in"}`, "url", "https"},
		{`{"url":"https://hooks.example.com/` + strings.Repeat("a", 2048) + `"}`, "url", "2048"},
		{`{"url":"https://hooks.example.com","events":["export.strat"]}`, "events", "Did you mean export.start?"},
		{`{"url":"https://hooks.example.com","events":["nothing.*"]}`, "events", "export.*"},
		{`{"url":"https://hooks.example.com","description":"` + strings.Repeat("ä", 201) + `"}`, "description", "200"},
		{`{"url":"https://hooks.example.com","projectId":"` + other.project.ID + `"}`, "projectId", "not found"},
		{`{"url":"https://hooks.example.com","projectId":"prj_none"}`, "projectId", "not found"},
		{`{"events":["export.start"]}`, "url", "url"},
		{`{"url":"https://hooks.example.com","format":"irc"}`, "format", "slack"},
		{`{"url":"https://hooks.example.com","format":"slack","recipients":["a@example.com"]}`, "recipients", "mail"},
	} {
		got := w.do(t, ask{"POST", "/v1/webhook-endpoints", x.key, c.body, nil})
		if got.status != http.StatusBadRequest && got.status != http.StatusNotFound ||
			!strings.Contains(string(got.body), `"field":"`+c.field+`"`) || !strings.Contains(string(got.body), c.text) {
			t.Errorf("%s: %d %s", c.body, got.status, got.body)
		}
	}
	list := w.do(t, ask{"GET", "/v1/webhook-endpoints", x.key, "", nil}).want(t, http.StatusOK)
	if strings.Count(string(list.body), `"endpointId"`) != 1 { // the endpoint that every tenant has
		t.Errorf("refused requests left %s", list.body)
	}
}

// Only members get emails, and only about explicitly named events: nobody may use the server to email strangers.
func TestMailEndpointsAcceptOnlyMembers(t *testing.T) {
	for name, mails := range map[string]bool{"with a mail server": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
				o.Mail, o.PublicURL = mails, "https://lectern.example.com"
			})
			other := w.newTenant(t, "b", account.PlanFree)
			member, stranger := emailOf(t, w, x), emailOf(t, w, other)
			create := func(body string) reply {
				return w.do(t, ask{"POST", "/v1/webhook-endpoints", x.key, `{"format":"mail",` + body + `}`, nil})
			}
			good := `"recipients":["` + strings.ToUpper(member) + `","` + member + `"],"events":["alert.*"]`
			if !mails {
				if got := create(good).want(t, http.StatusBadRequest); !strings.Contains(string(got.body), `"field":"format"`) {
					t.Errorf("%s", got.body)
				}
				return
			}
			for _, c := range []struct{ body, field, text string }{
				{`"recipients":["` + stranger + `"],"events":["alert.*"]`, "recipients", "not the address of a member"},
				{`"recipients":["a@b\\r\\nBcc: c@d"],"events":["alert.*"]`, "recipients", ""},
				{`"recipients":[],"events":["alert.*"]`, "recipients", "1 to 20"},
				{`"recipients":["` + member + `"]`, "events", "must name its events"},
				{`"url":"https://hooks.example.com",` + good, "url", "no url"},
			} {
				if got := create(c.body).want(t, http.StatusBadRequest); !strings.Contains(string(got.body), `"field":"`+c.field+`"`) ||
					!strings.Contains(string(got.body), c.text) {
					t.Errorf("%s: %s", c.body, got.body)
				}
			}
			made := create(good).want(t, http.StatusCreated)
			if !strings.Contains(string(made.body), `"recipients":["`+member+`"]`) || !strings.Contains(string(made.body), `"url":""`) {
				t.Errorf("%s", made.body)
			}
			at := made.header.Get("Location")
			w.do(t, ask{"PATCH", at, x.key, `{"recipients":["` + stranger + `"]}`, nil}).want(t, http.StatusBadRequest)
			w.do(t, ask{"PATCH", at, x.key, `{"description":"x"}`, nil}).want(t, http.StatusOK)
			var left account.Member
			must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
				left, err = tx.AddMember(t.Context(), x.org.ID, "left@example.com", account.RoleEditor)
				return err
			}))
			w.do(t, ask{"PATCH", at, x.key, `{"recipients":["` + member + `","left@example.com"]}`, nil}).want(t, http.StatusOK)
			must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error { return tx.RemoveMember(t.Context(), left) }))
			w.do(t, ask{"PATCH", at, x.key, `{"enabled":false}`, nil}).want(t, http.StatusOK) // former members are fine
			w.do(t, ask{"PATCH", at, x.key, `{"enabled":true,"recipients":["` + member + `"]}`, nil}).want(t, http.StatusOK)
			if got := w.do(t, ask{"POST", at + "/test", x.key, "", nil}).want(t, http.StatusAccepted); !strings.Contains(
				string(got.body), `"recipient":"`+member+`"`) {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func emailOf(t *testing.T, w *world, x tenant) string {
	t.Helper()
	list, err := w.store.ListMembers(t.Context(), x.org.ID)
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return list[0].Email
}

func TestNumberOfWebhookEndpointsIsLimited(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	other := w.newTenant(t, "b", account.PlanFree)
	create := func(x tenant, n int) reply {
		return w.do(t, ask{"POST", "/v1/webhook-endpoints", x.key,
			fmt.Sprintf(`{"url":"https://hooks.example.com/%d"}`, n), nil})
	}
	for n := 1; n < endpoint.MaxEndpoints; n++ { // every tenant has one
		create(x, n).want(t, http.StatusCreated)
	}
	if got := create(x, endpoint.MaxEndpoints).want(t, http.StatusConflict); !strings.Contains(string(got.body),
		`"code":"too_many_webhook_endpoints"`) {
		t.Errorf("one too many: %s", got.body)
	}
	create(other, 0).want(t, http.StatusCreated) // the limit is per organization
}

func TestDeliveriesAreListedByState(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := w.do(t, ask{"POST", "/v1/webhook-endpoints", x.key, `{"url":"https://hooks.example.com/in"}`, nil}).
		want(t, http.StatusCreated)
	deliveries := made.header.Get("Location") + "/deliveries"
	for _, state := range []endpoint.State{endpoint.Queued, endpoint.Delivered, endpoint.Failed} {
		w.do(t, ask{"GET", deliveries + "?state=" + string(state), x.key, "", nil}).want(t, http.StatusOK)
	}
	if got := w.do(t, ask{"GET", deliveries + "?state=lost", x.key, "", nil}).want(t, http.StatusBadRequest); !strings.Contains(
		string(got.body), `"field":"state"`) {
		t.Errorf("an unknown state: %s", got.body)
	}
}
