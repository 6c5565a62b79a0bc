package adminapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// A11: a deprecated operation responds as before, and every response, including errors, has the dates and the
// successor. For every operation of both versions, status and body are the same with and without the deprecation.
func TestDeprecatedOperationsWorkAndNameTheirSunset(t *testing.T) {
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	all := map[string]adminapi.Deprecation{}
	for _, r := range adminapi.Routes() {
		all[r.OperationID] = adminapi.Deprecation{Since: since, Sunset: since.AddDate(1, 0, 0),
			Successor: "/v9" + r.Pattern}
	}
	plain := newWorld(t, nil)
	marked := newWorld(t, func(o *adminapi.Options) { o.Deprecated = all })
	one, two := plain.newTenant(t, "a", account.PlanEnterprise), marked.newTenant(t, "a", account.PlanEnterprise)
	versions := map[string]bool{}
	for _, r := range adminapi.Routes() {
		if r.OperationID == "deleteProject" {
			continue // the routes after it still need the project
		}
		version, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.Pattern, "/discovery"), "/"), "/")
		versions[version] = true
		before := plain.do(t, samples[r.OperationID].ask(one).by(r, one.key))
		after := marked.do(t, samples[r.OperationID].ask(two).by(r, two.key))
		if before.status != after.status {
			t.Errorf("%s: status %d became %d: %s", r.OperationID, before.status, after.status, after.body)
		}
		if before.header.Get("Deprecation") != "" || before.header.Get("Sunset") != "" {
			t.Errorf("%s is not deprecated, but has the headers: %v", r.OperationID, before.header)
		}
		announced(t, r, after.header, since)
		if r.Scope != "" {
			refused := samples[r.OperationID].ask(two).by(r, "")
			announced(t, r, marked.do(t, refused).want(t, http.StatusUnauthorized).header, since)
		}
	}
	if !versions["v1"] || !versions["v2"] {
		t.Errorf("versions tried: %v", versions)
	}
}

func announced(t *testing.T, r adminapi.Route, h http.Header, since time.Time) {
	t.Helper()
	if h.Get("Deprecation") != fmt.Sprintf("@%d", since.Unix()) || h.Get("Sunset") != "Sat, 02 Jan 2027 03:04:05 GMT" ||
		!strings.Contains(strings.Join(h.Values("Link"), ","), `</v9`+r.Pattern+`>; rel="successor-version"`) {
		t.Errorf("%s: %v", r.OperationID, h)
	}
}

// A11: exactly the operations that the server announces are marked in the description, each with a year's notice and
// an existing successor.
func TestDeprecationsAndDescriptionAgree(t *testing.T) {
	table := adminapi.Deprecations()
	patterns := map[string]bool{}
	for _, r := range adminapi.Routes() {
		patterns[r.Pattern] = true
	}
	for pattern, item := range described.at("/paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			o, ok := op.(map[string]any)
			if !ok || method == "parameters" {
				continue
			}
			name := o["operationId"].(string)
			d, listed := table[name]
			if marked, _ := o["deprecated"].(bool); marked != listed {
				t.Errorf("%s %s: deprecated is %v in the description, %v in the table", method, pattern, marked, listed)
			}
			if listed && (!patterns[d.Successor] || d.Sunset.Before(d.Since.AddDate(1, 0, 0))) {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
}
