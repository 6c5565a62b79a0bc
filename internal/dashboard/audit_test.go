package dashboard_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
)

const audit = "/dashboard/settings/audit"

// rename creates an event with a person as its actor.
func (r *rig) rename(who, name string) {
	r.t.Helper()
	if status, page := r.post(who, "/dashboard/settings/organization",
		url.Values{"name": {name}}); status != http.StatusSeeOther {
		r.t.Fatalf("%d %s", status, page)
	}
}

// shownEvents returns the ids of the events on a page, in order.
func shownEvents(page string) (ids []string) {
	for _, m := range regexp.MustCompile(`<tr id="(evt_[a-z2-7]+)">`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// busyRig has events of several people on three days: two by the owner on the 4th, one by the admin on the 5th, and on
// the 6th one by a key and one by the owner about a member.
func busyRig(t *testing.T) *rig {
	r := newRig(t)
	r.rename("owner", "one")
	r.rename("owner", "two")
	r.clock.Advance(24 * time.Hour)
	r.people["admin"] = r.newPerson("later@example.com", r.a.org.ID, "admin")
	r.rename("admin", "three")
	r.clock.Advance(24 * time.Hour)
	r.people["owner"] = r.newPerson("latest@example.com", r.a.org.ID, "owner")
	if status, body := r.call(r.a.key, "PATCH", "/v1/organization", `{"name":"four"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	r.post("owner", r.at("viewer", "role"), url.Values{"role": {"editor"}})
	return r
}

// A filter shows the API's events for it, newest first, and the API call shown next to it has the same filter.
func TestAuditLogFiltersReachTheAPI(t *testing.T) {
	r := busyRig(t)
	all := r.records(r.a.org.ID)
	var ends []string // events of the work that the rig contains from the start, newest first
	for len(all) > 0 && all[0].Actor == "system" {
		ends, all = append([]string{all[0].ID}, ends...), all[1:]
	}
	if len(all) != 5 || len(ends) == 0 {
		t.Fatalf("%d events after %d ends", len(all), len(ends))
	}
	id := func(n int) string { return all[n-1].ID }
	for name, c := range map[string]struct {
		query, call string
		want        []string
	}{
		"everything": {"", "/v1/events", append([]string{id(5), id(4), id(3), id(2), id(1)}, ends...)},
		"actor": {"actor=" + r.people["admin"].member.ID, "/v1/events?actor=" + r.people["admin"].member.ID,
			[]string{id(3)}},
		"key":  {"actor=" + r.a.keyID, "/v1/events?actor=" + r.a.keyID, []string{id(4)}},
		"noun": {"action=member", "/v1/events?action=member", []string{id(5)}},
		"action": {"action=organization.rename", "/v1/events?action=organization.rename",
			[]string{id(4), id(3), id(2), id(1)}},
		"target": {"target=" + r.people["viewer"].member.ID, "/v1/events?target=" + r.people["viewer"].member.ID,
			[]string{id(5)}},
		"since": {"since=2026-03-05", "/v1/events?since=2026-03-05T00%3A00%3A00Z", []string{id(5), id(4), id(3)}},
		"until": {"until=2026-03-05", "/v1/events?until=2026-03-06T00%3A00%3A00Z",
			append([]string{id(3), id(2), id(1)}, ends...)},
		"a day": {"since=2026-03-05&until=2026-03-05",
			"/v1/events?since=2026-03-05T00%3A00%3A00Z&until=2026-03-06T00%3A00%3A00Z", []string{id(3)}},
		"two": {"action=organization&since=2026-03-06",
			"/v1/events?action=organization&since=2026-03-06T00%3A00%3A00Z", []string{id(4)}},
		"nothing": {"actor=key_gone&action=never.heard", "/v1/events?action=never.heard&actor=key_gone", nil},
		"empty words": {"actor=&action=&target=&since=&until=", "/v1/events",
			append([]string{id(5), id(4), id(3), id(2), id(1)}, ends...)},
	} {
		t.Run(name, func(t *testing.T) {
			status, page := r.get("owner", audit+"?"+c.query)
			if got := shownEvents(page); status != http.StatusOK || !slices.Equal(got, c.want) {
				t.Errorf("%d, shows %q, want %q", status, got, c.want)
			}
			m := regexp.MustCompile(`curl '?` + regexp.QuoteMeta(r.server.URL) + `(/v1/events(?:\?[^'\s]*)?)'? `).
				FindStringSubmatch(html.UnescapeString(page))
			if m == nil || m[1] != c.call {
				t.Fatalf("the call is %q, want %q", m, c.call)
			}
			status, body := r.call(r.a.key, "GET", m[1], "")
			var list struct{ Events []struct{ EventID string } }
			must(t, json.Unmarshal([]byte(body), &list))
			var ids []string
			for _, e := range list.Events {
				ids = append(ids, e.EventID)
			}
			if status != http.StatusOK || !slices.Equal(ids, c.want) {
				t.Errorf("the call gets %d %q", status, ids)
			}
			if len(c.want) == 0 && !strings.Contains(page, "No matching events") {
				t.Error("the page does not say that nothing matches")
			}
		})
	}
}

func TestInvalidFilterIsReportedAtItsField(t *testing.T) {
	r := newRig(t)
	for query, want := range map[string]string{
		"since=yesterday": `id="since-error">Write a date`, "until=2026-02-30": `id="until-error">Write a date`,
		"since=2026-1-1":                     `id="since-error">`,
		"until=9999-12-31":                   `id="until-error">until must be a time`,
		"target=" + strings.Repeat("x", 201): `id="target-error">target may have`,
		"cursor=nonsense":                    "cursor is not a value returned by a list.", "since=" +
			url.QueryEscape(hostile): `id="since-error">`,
	} {
		status, page := r.get("owner", audit+"?"+query)
		if status != http.StatusBadRequest || !strings.Contains(page, want) || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d %s", query, status, page)
		}
	}
	if got := r.send("owner", "GET", audit+"/export?format=csv&since=yesterday",
		nil); got.status != http.StatusBadRequest || got.header.Get("Content-Disposition") != "" {
		t.Errorf("export: %d %v", got.status, got.header)
	}
}

// Exported files are passed on exactly as the API creates them.
func TestAuditExportEqualsTheAPIsFile(t *testing.T) {
	r := busyRig(t)
	for _, c := range []struct{ query, call, kind, ends string }{
		{"format=csv", "format=csv", "text/csv; charset=utf-8", ".csv"},
		{"format=ndjson", "format=ndjson", "application/x-ndjson", ".ndjson"},
		{"", "format=ndjson", "application/x-ndjson", ".ndjson"},
		{"format=csv&action=member", "format=csv&action=member", "text/csv; charset=utf-8", ".csv"},
		{"format=ndjson&since=2026-03-05&until=2026-03-05",
			"format=ndjson&since=2026-03-05T00:00:00Z&until=2026-03-06T00:00:00Z", "application/x-ndjson", ".ndjson"},
	} {
		got := r.send("owner", "GET", audit+"/export?"+c.query, nil)
		want := fmt.Sprintf(`attachment; filename="events-2026-03-06%s"`, c.ends)
		if got.status != http.StatusOK || got.header.Get("Content-Type") != c.kind ||
			got.header.Get("Content-Disposition") != want || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", c.query, got.status, got.header)
		}
		if _, body := r.call(r.a.key, "GET", "/v1/events/export?"+c.call, ""); body != got.body || body == "" {
			t.Errorf("%s:\n%s\nthe API has:\n%s", c.query, got.body, body)
		}
	}
	_, page := r.get("owner", audit+"?action=member&since=2026-03-05")
	for _, format := range []string{"csv", "ndjson"} {
		if link := `href="/dashboard/settings/audit/export?action=member&amp;format=` + format +
			`&amp;since=2026-03-05"`; !strings.Contains(page, link) {
			t.Errorf("the page lacks %s", link)
		}
	}
}

func TestAuditLogIsForAdminsOnly(t *testing.T) {
	r := newRig(t)
	r.rename("owner", "one")
	for _, path := range []string{audit, audit + "/export?format=csv", audit + "/export?format=ndjson",
		audit + "/check"} {
		for _, who := range []string{"viewer", "editor"} {
			got := r.send(who, "GET", path, nil)
			if got.status != http.StatusForbidden || got.header.Get("Content-Disposition") != "" ||
				strings.Contains(got.body, "organization.rename") {
				t.Errorf("%s as %s: %d", path, who, got.status)
			}
		}
		if got := r.send("", "GET", path, nil); got.status != http.StatusSeeOther ||
			got.body != "" && strings.Contains(got.body, "rename") {
			t.Errorf("%s as a stranger: %d %s", path, got.status, got.body)
		}
		if got := r.send("foreign", "GET", path, nil); got.status != http.StatusOK ||
			strings.Contains(got.body, r.people["owner"].member.ID) {
			t.Errorf("%s as another organization's owner: %d", path, got.status)
		}
	}
}

// A reader who goes through all pages sees each event exactly once.
func TestAuditLogIsPaginated(t *testing.T) {
	r := newRig(t)
	for i := range 120 {
		r.rename("owner", fmt.Sprint("name ", i))
	}
	r.post("owner", keys, keyForm(nil))
	var seen []string
	path := audit + "?action=organization.rename"
	for pages := 0; path != "" && pages < 10; pages++ {
		_, page := r.get("admin", path)
		seen = append(seen, shownEvents(page)...)
		path = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(page); m != nil {
			path = html.UnescapeString(m[1])
		}
	}
	slices.Sort(seen)
	if len(seen) != 120 || len(slices.Compact(seen)) != 120 {
		t.Errorf("%d events", len(seen))
	}
}

// D8: the page's button checks that the log is complete and unmodified, and shows the newest hash to keep.
func TestAuditLogIsCheckedFromThePage(t *testing.T) {
	r := busyRig(t)
	all := r.records(r.a.org.ID)
	_, page := r.get("owner", audit+"/check")
	if !strings.Contains(page, "The log is intact") || !strings.Contains(page, fmt.Sprintf("All %d events", len(all))) ||
		!strings.Contains(page, `<p class="copy" data-copy><code>`+all[len(all)-1].Hash+`</code></p>`) {
		t.Errorf("a whole log: %s", page)
	}
	db := r.store.SQLite()
	for _, statement := range []string{`DROP TRIGGER events_never_change`,
		`UPDATE events SET actor = 'key_other' WHERE sequence = 3 AND organization_id = '` + r.a.org.ID + `'`} {
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	_, page = r.get("owner", audit+"/check")
	if !strings.Contains(page, "The log was modified") || !strings.Contains(page, "Event 3 was modified.") ||
		!strings.Contains(page, all[1].Hash) || strings.Contains(page, "The log is intact") {
		t.Errorf("a changed log: %s", page)
	}
}

// Events are described in words, next to their records.
func TestEventsAreDescribedInWords(t *testing.T) {
	r := newRig(t)
	r.post("owner", r.at("viewer", "role"), url.Values{"role": {"editor"}})
	r.post("admin", keys, keyForm(nil))
	if status, body := r.call(r.a.key, "PATCH", "/v1/organization", `{"name":"<i>new</i>"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	r.post("viewer", r.at("viewer", "remove"), nil)
	_, page := r.get("owner", audit)
	var got []string
	for _, eventID := range shownEvents(page) {
		sentence, _, _ := strings.Cut(rowOf(t, page, eventID)[1], "\n")
		got = append(got, sentence)
	}
	want := []string{"viewer@example.com left the organization (editor)",
		"The key " + r.a.keyID + " renamed the organization from a to <i>new</i>",
		"admin@example.com created the API key CI with read",
		"owner@example.com changed the role of viewer@example.com from viewer to editor"}
	if got = got[:min(len(want), len(got))]; !slices.Equal(got, want) { // events of the organization's earlier work follow
		t.Errorf("%q\nwant %q", got, want)
	}
	all := r.records(r.a.org.ID)
	e := all[slices.IndexFunc(all, func(e event.Event) bool { return e.Action == "member.role" })]
	for _, raw := range []string{e.Action, e.Actor, e.Target, e.RequestID, e.Hash, e.ID,
		"<dt>before</dt><dd>viewer</dd>", "<dt>after</dt><dd>editor</dd>", "4 March 2026, 05:06:07 UTC"} {
		if !strings.Contains(page, raw) {
			t.Errorf("the record lacks %q", raw)
		}
	}
}
