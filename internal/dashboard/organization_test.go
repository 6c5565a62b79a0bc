package dashboard_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

const organization = "/dashboard/settings/organization"

// setups returns deployments of each type, with different settings of the operator.
func setups() map[string]feature.Setup {
	return map[string]feature.Setup{
		"cloud": {Type: feature.Cloud, Search: "on", Analytics: "on", Assistant: "auto",
			AssistantEndpoint: true},
		"client-hosted": {Type: feature.ClientHosted, Search: "off", Analytics: "off", Assistant: "auto"},
		"air-gapped":    {Type: feature.AirGapped, Search: "on", Analytics: "on", Assistant: "auto"},
		"air-gapped, locally": {Type: feature.AirGapped, Search: "local", Analytics: "on", Assistant: "local",
			PlaygroundOrigins: true},
	}
}

// The table matches GET /v1/deployment, cell by cell, for every role.
func TestFeatureTableMatchesTheAPI(t *testing.T) {
	for name, setup := range setups() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(p *parts) { p.API.Deployment = feature.Decide(setup) })
			var said struct {
				Type, Version string
				Features      map[string]struct {
					State, Reason string
					Enabled       bool
				}
			}
			_, raw := r.call(r.a.key, "GET", "/v1/deployment", "")
			must(t, json.Unmarshal([]byte(raw), &said))
			for _, who := range []string{"owner", "viewer"} {
				status, page := r.get(who, organization)
				rows := cells(t, page, "features")
				if status != http.StatusOK || len(rows) != len(said.Features) || len(rows) != 5 {
					t.Fatalf("%d, %d rows for %d features", status, len(rows), len(said.Features))
				}
				for _, row := range rows {
					f, ok := said.Features[row[0]]
					want := []string{row[0], f.State, map[bool]string{true: "yes", false: "no"}[f.Enabled], f.Reason}
					if !ok || !slices.Equal(row, want) {
						t.Errorf("%q, the API says %q", row, want)
					}
				}
				for _, want := range []string{`<dd id="deployment-type">` + said.Type + `</dd>`,
					`<dd id="deployment-version">` + said.Version + `</dd>`} {
					if !strings.Contains(page, want) {
						t.Errorf("the page lacks %s", want)
					}
				}
			}
		})
	}
}

func (r *rig) deploymentFeatures() feature.Set {
	r.t.Helper()
	var d feature.Deployment
	_, raw := r.call(r.a.key, "GET", "/v1/deployment", "")
	must(r.t, json.Unmarshal([]byte(raw), &d))
	return d.Features
}

func TestAdminsRenameTheOrganization(t *testing.T) {
	r := newRig(t)
	if status, to := r.post("admin", organization,
		url.Values{"name": {" " + hostile + " "}}); status != http.StatusSeeOther || to != organization+"?did=renamed" {
		t.Fatalf("%d %s", status, to)
	}
	for _, path := range []string{organization, members, audit, keys, "/dashboard/analytics"} {
		_, page := r.get("owner", path)
		wantText(t, page)
	}
	for name, says := range map[string]string{"": "name",
		strings.Repeat("x", 101): "name must have 1 to 100 printable characters.", "a\x01b": "name must have"} {
		r.wantUnchanged(t, r.a, func() {
			status, page := r.post("admin", organization, url.Values{"name": {name}})
			if status != http.StatusBadRequest || !strings.Contains(page, `id="name-error">`+says) ||
				len(name) > 3 && !strings.Contains(page, `value="`+name+`"`) {
				t.Errorf("%q: %d %s", name, status, page)
			}
		})
	}
	for _, who := range []string{"viewer", "editor"} {
		if _, page := r.get(who, organization); len(actions(page, organization)) != 0 ||
			!strings.Contains(page, "Admins and owners can rename") {
			t.Errorf("%s is offered the form", who)
		}
		r.wantUnchanged(t, r.a, func() {
			if status, _ := r.post(who, organization, url.Values{"name": {"Mine"}}); status != http.StatusForbidden {
				t.Errorf("%s: %d", who, status)
			}
		})
	}
}

// The table of plans matches the API: only static exports require a plan.
func TestPlanTableMatchesTheAPI(t *testing.T) {
	for _, route := range adminapi.Routes() {
		if exports := strings.HasPrefix(route.Pattern,
			"/v1/static-export/"); exports != (route.Plan == account.PlanEnterprise) || !exports && route.Plan != "" {
			t.Errorf("%s needs the plan %q", route.Pattern, route.Plan)
		}
	}
	r := newRig(t)
	for _, plan := range []account.Plan{account.PlanFree, account.PlanEnterprise} {
		org := r.newOrganization("c", plan)
		r.people[string(plan)] = r.newPerson(string(plan)+"@example.com", org.ID, account.RoleViewer)
		_, page := r.get(string(plan), organization)
		want := []string{"Static exports and their bundles", "no", "no", "yes"}
		rows := cells(t, page, "plans")
		if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) || len(rows) < 2 {
			t.Errorf("%q", rows)
		}
		if needs := strings.Contains(page,
			"Static exports require the plan enterprise; your plan is "); needs != (plan == account.PlanFree) {
			t.Errorf("%s: %s", plan, page)
		}
		if !strings.Contains(page, "lectern org plan enterprise --organization "+org.ID) ||
			!strings.Contains(page, `<code>`+org.ID+`</code></span>`) {
			t.Error("the page lacks the command, or the id to copy")
		}
	}
}
