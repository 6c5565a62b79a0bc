package adminapi_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// A7: whatever a body contains, every route responds as documented. do fails on any other status or format; 500 is
// excluded here.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		`{"domain":"docs.a.example"}`, `{"domain":"docs.a.example","paths":["a","b"],"version":"x"}`,
		`{"name":"n","domain":"n.example","source":{"path":"/srv"}}`,
		`{"name":"n","domain":"n.example","source":{"repository":"git@h.example:a/b.git","branch":"main"},"docsFolder":"d"}`, `{"domains":["a.b","c.d"],"rotateWebhookSecret":true}`,
		`{"label":"x","scopes":["read"],"expiresInDays":7,"addresses":["10.0.0.0/8"]}`, `{"branch":"main"}`,
		`{"prompt":"fix broken links","branch":"main","model":"builtin","asDraft":true}`, `{"prompt":" "}`, `{}`, `[]`,
		`null`, `"x"`, `{"a":{"a":{"a":[[[[]]]]}}}`,
		`{"name":"\u0000"}`, `{"domain":"\ud800.example"}`, `{"name":"n","name":"m"}`, `{"source":null}`, "\xff\xfe",
		`{"role":"owner"}`, `{"email":"a@b.example","role":"editor","expiresInDays":3}`, `{"deploymentId":"dep_x"}`,
		`{"expiresInDays":1e400}`, `{"expiresInDays":7.0}`, ` `, `{"domain":"docs.a.example"}x`,
	} {
		f.Add([]byte(s))
	}
	w := newWorld(f, nil)
	x := w.newTenant(f, "a", account.PlanEnterprise)
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, r := range adminapi.Routes() {
			if !takesBody(r) {
				continue
			}
			a := samples[r.OperationID].ask(x).by(r, x.key)
			a.body = string(body)
			if got := w.do(t, a); got.status >= 500 {
				t.Errorf("%s: %d %s", r.OperationID, got.status, got.body)
			}
		}
	})
}

// A7: whatever the query string contains, every list, the audit log's export and an agent's transcript respond as
// documented.
func FuzzQueries(f *testing.F) {
	for _, s := range []string{
		"", "limit=5&cursor=YmVmb3JlIDM",
		"actor=key_a&action=key.create&target=x&since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00%2B02:00",
		"format=csv", "format=ndjson&action=key",
		"after=3", "kind=preview", "status=queued", "cursor=YmVmb3JlIDA", "cursor=YmVmb3JlIC0x", "limit=%zz", "a;b",
		"since=9999-12-31T23:59:59.999999999Z", "since=0000-01-01T00:00:00-23:59", "actor=%00", "target=%ff",
	} {
		f.Add(s)
	}
	w := newWorld(f, nil)
	x := w.newTenant(f, "a", account.PlanEnterprise)
	w.rename(f, x, 3)
	f.Fuzz(func(t *testing.T, query string) {
		unsent := strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r > '~' })
		if _, err := url.Parse(w.server.URL + "/?" + query); err != nil || unsent {
			return // not a valid HTTP request
		}
		for _, name := range []string{"listEvents", "exportEvents", "listDeployments", "listAgentEntries",
			"listAgentJobs", "listStaticExportJobs", "listKeys", "listProjects", "listProposals"} {
			a := samples[name].ask(x)
			a.method, a.key, a.path = "GET", x.key, a.path+"?"+query
			if got := w.do(t, a); got.status != 200 && got.status != 400 {
				t.Errorf("%s: %d %s", a.path, got.status, got.body)
			}
		}
	})
}
