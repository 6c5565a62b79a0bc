package adminapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/store"
)

// An automation's fields are validated, and nothing from a rejected request is stored.
func TestAutomationsAreValidated(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID + "/automations"
	for body, field := range map[string]string{
		`{"name":"x"}`:                                          "trigger",
		`{"name":"X","trigger":"call"}`:                         "name",
		`{"name":"x","trigger":"call"}`:                         "prompt",
		`{"name":"x","trigger":"sometimes"}`:                    "trigger",
		`{"name":"x","trigger":"schedule","workflow":"format"}`: "schedule",
		`{"name":"x","trigger":"schedule","workflow":"format","schedule":{"at":"25:00"}}`:                    "schedule",
		`{"name":"x","trigger":"schedule","workflow":"format","schedule":{"at":"06:00","days":["someday"]}}`: "schedule",
		`{"name":"x","trigger":"schedule","workflow":"format","schedule":{"at":"06:00","timeZone":"Local"}}`: "schedule",
		`{"name":"x","trigger":"call","workflow":"format","prompt":"Do it."}`:                                "workflow",
		`{"name":"x","trigger":"call","workflow":"format","maxPerDay":0}`:                                    "maxPerDay",
		`{"name":"x","trigger":"call","workflow":"format","schedule":{"at":"06:00"}}`:                        "schedule",
		`{"name":"x","trigger":"label"}`:                             "label",
		`{"name":"x","trigger":"label","label":" spaced"}`:           "label",
		`{"name":"x","trigger":"comment","label":"docs"}`:            "label",
		`{"name":"x","trigger":"comment","schedule":{"at":"06:00"}}`: "schedule",
	} {
		got := w.do(t, ask{"POST", at, x.key, body, nil}).want(t, 400)
		if !strings.Contains(string(got.body), `"field":"`+field) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	if got := w.do(t, ask{"POST", at, x.key, `{"name":"on-call","trigger":"call","workflow":"format"}`, nil}).want(t, 409); got.code(t) != "automation_exists" {
		t.Errorf("%s", got.body)
	}
	for n := 1; n < automation.MaxAutomations; n++ {
		body := fmt.Sprintf(`{"name":"n%d","trigger":"call","workflow":"format"}`, n)
		w.do(t, ask{"POST", at, x.key, body, nil}).want(t, 201)
	}
	if got := w.do(t, ask{"POST", at, x.key, `{"name":"more","trigger":"call","workflow":"format"}`, nil}).want(t, 409); got.code(t) != "too_many_automations" {
		t.Errorf("%s", got.body)
	}
}

// A change leaves the other fields unchanged, but drops those that no longer apply.
func TestAutomationUpdates(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID + "/automations"
	for body, field := range map[string]string{`{"name":"b","trigger":"findings","atLeast":0}`: "atLeast",
		`{"name":"b","trigger":"release","atLeast":2}`: "atLeast", `{"name":"b","trigger":"feedback","atLeast":2}`: "schedule",
		`{"name":"b","trigger":"api","schedule":{"at":"06:30"}}`: "schedule"} {
		if got := w.do(t, ask{"POST", at, x.key, body, nil}).want(t, 400); !strings.Contains(string(got.body), `"field":"`+field) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	counted := w.do(t, ask{"POST", at, x.key, `{"name":"broken","trigger":"findings","atLeast":3}`, nil}).want(t, 201).object(t)
	changed := w.do(t, ask{"PATCH", at + "/" + counted["id"].(string), x.key, `{"trigger":"release"}`, nil}).want(t, 200).object(t)
	if counted["atLeast"] != 3.0 || changed["atLeast"] != 1.0 {
		t.Errorf("%v, then %v", counted, changed)
	}
	w.do(t, ask{"DELETE", at + "/" + counted["id"].(string), x.key, "", nil}).want(t, 204)
	made := w.do(t, ask{"POST", at, x.key, `{"name":"weekly","trigger":"gaps","schedule":{"at":"06:30","days":["tue","mon"]}}`, nil}).want(t, 201)
	if got := made.object(t); got["owner"] != x.keyID || got["nextRunAt"] == nil || got["enabled"] != true ||
		fmt.Sprint(got["schedule"].(map[string]any)["days"]) != "[mon tue]" ||
		made.header.Get("Location") != at+"/"+got["id"].(string) {
		t.Errorf("%s", made.body)
	}
	one := at + "/" + made.object(t)["id"].(string)
	patch := func(body string) map[string]any {
		t.Helper()
		return w.do(t, ask{"PATCH", one, x.key, body, nil}).want(t, 200).object(t)
	}
	w.do(t, ask{"PATCH", one, x.key, `{}`, nil}).want(t, 400)
	if got := w.do(t, ask{"PATCH", one, x.key, `{"name":"on-call"}`, nil}).want(t, 409); got.code(t) != "automation_exists" {
		t.Errorf("%s", got.body)
	}
	if got := patch(`{"workflow":"format"}`); got["workflow"] != "format" || got["prompt"] != nil {
		t.Errorf("%v", got)
	}
	if got := patch(`{"prompt":"Do it."}`); got["workflow"] != nil || got["prompt"] != "Do it." {
		t.Errorf("%v", got)
	}
	if got := patch(`{"enabled":false}`); got["nextRunAt"] != nil || got["schedule"] == nil {
		t.Errorf("%v", got)
	}
	if got := patch(`{"trigger":"call","enabled":true}`); got["nextRunAt"] != nil || got["schedule"] != nil {
		t.Errorf("%v", got)
	}
	w.do(t, ask{"DELETE", one, x.key, "", nil}).want(t, 204)
	w.do(t, ask{"GET", one, x.key, "", nil}).want(t, 404)
}

// An automation can be run manually and called by name; each decision is logged, including one not to start.
func TestAutomationRunsAreLogged(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	run := ask{"POST", x.automationPath() + "/run", x.key, `{"dryRun":true}`, nil}
	if got := w.do(t, run).want(t, 201).object(t); got["decision"] != "would_start" || got["jobId"] != nil ||
		got["cause"] != "person" || got["actor"] != x.keyID {
		t.Errorf("%v", got)
	}
	called := ask{"POST", "/v1/workflow/" + x.project.ID + "/on-call/trigger", x.key, "", nil}
	w.clock.Advance(time.Second)
	first := w.do(t, repeatable(called, "one")).want(t, 202).object(t)
	if first["schemaId"] != "on-call" || first["instanceId"] != first["jobId"] {
		t.Errorf("%v", first)
	}
	if again := w.do(t, repeatable(called, "one")).want(t, 202).object(t); again["jobId"] != first["jobId"] {
		t.Errorf("repeated: %v", again)
	}
	w.clock.Advance(time.Second)
	if got := w.do(t, repeatable(called, "two")).want(t, 409); got.code(t) != "automation_not_started" ||
		!strings.Contains(string(got.body), "still active") {
		t.Errorf("%s", got.body)
	}
	w.clock.Advance(time.Second)
	run.body = ""
	if got := w.do(t, run).want(t, 201).object(t); got["decision"] != "skipped" || got["reason"] != "agent_working" {
		t.Errorf("%v", got)
	}
	log := w.do(t, ask{"GET", x.automationPath() + "/runs?limit=3", x.key, "", nil}).want(t, 200).object(t)
	w.do(t, ask{"GET", x.automationPath() + "/runs?cursor=x", x.key, "", nil}).want(t, 400)
	w.do(t, repeatable(ask{"POST", x.automationPath() + "/run", x.key, `{"dryRun":true}`, nil}, "three")).want(t, 201)
	w.do(t, repeatable(ask{"POST", x.automationPath() + "/run", x.key, `{"dryRun":false}`, nil}, "three")).want(t, 409)
	var lines []string
	for _, one := range log["runs"].([]any) {
		r := one.(map[string]any)
		lines = append(lines, fmt.Sprint(r["cause"], " ", r["decision"]))
	}
	if got := strings.Join(lines, ", "); got != "person skipped, call skipped, call started" || log["nextCursor"] == nil {
		t.Errorf("%s, then %v", got, log["nextCursor"])
	}
	entries, err := w.store.ListAgentEntries(t.Context(), first["jobId"].(string), 0, 10)
	must(t, err)
	if len(entries) != 1 || entries[0].Author != x.keyID || entries[0].Text != "Fix broken links." {
		t.Errorf("%+v", entries)
	}
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		x.automation.Enabled = false
		_, err := tx.UpdateAutomation(t.Context(), x.automation)
		return err
	}))
	if got := w.do(t, called).want(t, 409); !strings.Contains(string(got.body), "turned off") {
		t.Errorf("%s", got.body)
	}
}

// Automations started by people on a code host may start more jobs a day, have a label only if labels start them, and
// cannot be run manually.
func TestCodeHostAutomationUpdates(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/projects/" + x.project.ID + "/automations"
	made := w.do(t, ask{"POST", at, x.key, `{"name":"labelled","trigger":"label","label":"docs-agent"}`, nil}).want(t, 201).object(t)
	if made["label"] != "docs-agent" || made["maxPerDay"] != 24.0 || made["prompt"] != nil || made["nextRunAt"] != nil {
		t.Errorf("%v", made)
	}
	one := at + "/" + made["id"].(string)
	if got := w.do(t, ask{"PATCH", one, x.key, `{"label":"other"}`, nil}).want(t, 200).object(t); got["label"] != "other" {
		t.Errorf("%v", got)
	}
	if got := w.do(t, ask{"PATCH", one, x.key, `{"trigger":"comment"}`, nil}).want(t, 200).object(t); got["label"] != nil ||
		got["trigger"] != "comment" {
		t.Errorf("%v", got)
	}
	run := w.do(t, ask{"POST", one + "/run", x.key, `{}`, nil}).want(t, 201).object(t)
	if run["decision"] != "skipped" || run["reason"] != "nothing_new" || run["jobId"] != nil {
		t.Errorf("%v", run)
	}
}
