package dashboard_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/event"
)

// hostile is a name that would inject a script into other people's pages, or break out of an attribute, if it were not
// escaped.
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

// wantText fails if a page does not contain the hostile text, or contains it as anything but text.
func wantText(t testing.TB, page string) {
	t.Helper()
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") ||
		strings.Contains(page, `"'><`) {
		t.Error("hostile text was rendered as markup")
	}
	if !strings.Contains(html.UnescapeString(page), hostile) {
		t.Errorf("the text is not on the page:\n%s", page)
	}
}

// records returns all events of an organization, oldest first.
func (r *rig) records(organizationID string) []event.Event {
	r.t.Helper()
	list, err := r.store.ListEvents(r.t.Context(), organizationID, 0, 10_000)
	must(r.t, err)
	return list
}

// call calls the admin API with a key and returns the status and body.
func (r *rig) call(key, method, path, body string) (int, string) {
	r.t.Helper()
	got := r.send("", method, path, nil, func(q *http.Request) {
		q.Header.Set("Authorization", "Bearer "+key)
		if body != "" {
			q.Header.Set("Content-Type", "application/json")
			q.Body, q.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		}
	})
	return got.status, got.body
}

// state returns everything that the settings pages can change, as text for comparison: the API's responses to an
// owner's key, and the audit log.
func (r *rig) state(x *tenant) string {
	r.t.Helper()
	var all strings.Builder
	for _, path := range []string{"/v1/members", "/v1/invitations", "/v1/keys?limit=100", "/v1/organization"} {
		status, body := r.call(x.key, "GET", path, "")
		if status != http.StatusOK {
			r.t.Fatalf("%s: %d %s", path, status, body)
		}
		all.WriteString(regexp.MustCompile(`"last(Used|Seen)At":[^,}]*`).ReplaceAllString(body, ""))
	}
	raw, err := json.Marshal(r.records(x.org.ID))
	must(r.t, err)
	return all.String() + string(raw)
}

// wantUnchanged fails if do changes anything in an organization.
func (r *rig) wantUnchanged(t testing.TB, x *tenant, do func()) {
	t.Helper()
	before := r.state(x)
	do()
	if after := r.state(x); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// wantKeptSecret fails if a secret that was shown once is in any page, response, log line or database file (K2).
func (r *rig) wantKeptSecret(t testing.TB, secret string) {
	t.Helper()
	for _, who := range []string{"owner", "admin"} {
		for _, path := range []string{"/dashboard/", "/dashboard/settings/keys", "/dashboard/settings/credentials",
			"/dashboard/settings/webhooks", "/dashboard/settings/members", "/dashboard/settings/audit",
			"/dashboard/settings/audit/export?format=csv", "/dashboard/settings/audit/export?format=ndjson",
			"/dashboard/settings/organization"} {
			if status, body := r.get(who, path); status != http.StatusOK || strings.Contains(body, secret) {
				t.Errorf("%s as %s: status %d, reveals the secret: %v", path, who, status, strings.Contains(body, secret))
			}
		}
	}
	for _, path := range []string{"/v1/keys", "/v1/invitations", "/v1/events"} {
		if _, body := r.call(r.a.key, "GET", path, ""); strings.Contains(body, secret) {
			t.Errorf("%s reveals the secret", path)
		}
	}
	if strings.Contains(r.log.String(), secret) {
		t.Error("the log contains the secret")
	}
	for _, name := range []string{r.dbFile, r.dbFile + "-wal"} {
		if raw, err := os.ReadFile(name); err == nil && strings.Contains(string(raw), secret) {
			t.Errorf("%s has the secret", name)
		}
	}
}

// actions returns the targets of a page's forms below a path.
func actions(page, below string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`<form method="post" action="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if rest, ok := strings.CutPrefix(m[1], below); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}

// cells returns the text of a table's cells, by row; tags inside cells are dropped.
func cells(t testing.TB, page, tableID string) (rows [][]string) {
	t.Helper()
	_, rest, found := strings.Cut(page, `id="`+tableID+`"`)
	if !found {
		t.Fatalf("there is no table %s", tableID)
	}
	table, _, _ := strings.Cut(rest, "</table>")
	_, table, _ = strings.Cut(table, "<tbody>")
	for _, row := range regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`).FindAllStringSubmatch(table, -1) {
		var one []string
		for _, cell := range regexp.MustCompile(`(?s)<td[^>]*>(.*?)</td>`).FindAllStringSubmatch(row[1], -1) {
			one = append(one, html.UnescapeString(strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).
				ReplaceAllString(cell[1], ""))))
		}
		rows = append(rows, one)
	}
	return rows
}
