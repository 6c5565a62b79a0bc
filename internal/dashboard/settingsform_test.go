package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// settingsPages returns the settings pages in all their states, as seen by admins and owners.
func (r *rig) settingsPages() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	keep := func(name string, want int) func(int, string) {
		return func(status int, page string) {
			if status != want {
				r.t.Errorf("%s: %d", name, status)
			}
			out[name] = page
		}
	}
	keep("new key", 200)(r.post("owner", keys, keyForm(nil)))
	keep("wrong key", 400)(r.post("owner", keys, url.Values{"label": {strings.Repeat("x", 101)}}))
	keep("keys", 200)(r.get("owner", keys))
	keep("invited", 200)(r.post("owner", members+"/invite",
		url.Values{"email": {"guest@example.com"}, "role": {"viewer"}, "expiresInDays": {"7"}}))
	keep("wrong invitation",
		400)(r.post("owner", members+"/invite", url.Values{"email": {"x"}, "role": {"viewer"}, "expiresInDays": {"7"}}))
	keep("password link", 200)(r.post("owner", r.at("viewer", "password-link"), nil))
	keep("members", 200)(r.get("owner", members))
	keep("audit log", 200)(r.get("owner", audit))
	keep("wrong filter", 400)(r.get("owner", audit+"?since=x&until=y&target="+strings.Repeat("x", 201)))
	keep("checked", 200)(r.get("owner", audit+"/check"))
	keep("organization", 200)(r.get("owner", organization))
	keep("wrong name", 400)(r.post("owner", organization, url.Values{"name": {"a\x01"}}))
	keep("analytics", 200)(r.get("owner", "/dashboard/analytics"))
	return out
}

// Every form contains the session's token and leads to a form's route, so it works without scripts.
func TestSettingsFormsCanBeSubmitted(t *testing.T) {
	r := newRig(t)
	token := `<input type="hidden" name="csrf" value="` + account.FormToken(r.people["owner"].token) + "." +
		r.a.org.ID + `">`
	forms := 0
	for name, page := range r.settingsPages() {
		for _, m := range regexp.MustCompile(
			`(?s)<form method="post" action="(/dashboard/settings/[^"]+)"[^>]*>(.*?)</form>`).
			FindAllStringSubmatch(page, -1) {
			forms++
			if !strings.Contains(m[2], token) || !strings.Contains(m[2], "<button") {
				t.Errorf("%s: the form of %s cannot be sent: %s", name, m[1], m[2])
			}
			if status, _ := r.post("viewer", m[1], nil); status == http.StatusNotFound ||
				status == http.StatusMethodNotAllowed {
				t.Errorf("%s: a form leads to %s, which has no route", name, m[1])
			}
			if status, to := r.get("owner", m[1]); status != http.StatusOK &&
				(status != http.StatusSeeOther || to != keys && to != members) {
				t.Errorf("%s: reloading %s gives %d %s", name, m[1], status, to)
			}
		}
	}
	if forms < 50 {
		t.Errorf("only %d forms", forms)
	}
}

// C5: pages have exactly one first-level heading, no duplicate ids, a label for each field, a name for each table, and
// no inline content that the policy would block.
func TestSettingsPagesAreWellFormed(t *testing.T) {
	r := newRig(t)
	for name, page := range r.settingsPages() {
		if n := strings.Count(page, "<h1"); n != 1 {
			t.Errorf("%s: %d headings", name, n)
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s: id %s twice", name, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`aria-(?:labelledby|describedby)="([^"]*)"| for="([^"]*)"`).
			FindAllStringSubmatch(page, -1) {
			for _, ref := range strings.Fields(m[1] + " " + m[2]) {
				if !seen[ref] {
					t.Errorf("%s: nothing has the id %s", name, ref)
				}
			}
		}
		for _, field := range regexp.MustCompile(`<(?:input|select|textarea)[^>]*>`).FindAllString(page, -1) {
			id := regexp.MustCompile(` id="([^"]*)"`).FindStringSubmatch(field)
			if strings.Contains(field, `type="hidden"`) ||
				strings.Contains(field, `type="checkbox"`) && strings.Contains(page, "<label>"+field) {
				continue
			}
			if id == nil || !strings.Contains(page, ` for="`+id[1]+`"`) {
				t.Errorf("%s: no label for %s", name, field)
			}
		}
		if tables, regions := strings.Count(page, "<table"),
			strings.Count(page, `role="region" aria-label`); tables != regions {
			t.Errorf("%s: %d tables in %d named regions", name, tables, regions)
		}
		if bad := regexp.MustCompile(`(?i)<[^>]+ (style|on[a-z]+)=|<style|<script>|javascript:`).
			FindString(page); bad != "" {
			t.Errorf("%s has %s", name, bad)
		}
	}
}
