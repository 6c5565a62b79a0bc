package adminapi_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/adminapi"
)

// A7: whatever a body holds, every route answers as documented; do fails on any other status or shape, and 500 is ruled out here.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		`{"domain":"docs.a.example"}`, `{"domain":"docs.a.example","paths":["a","b"],"version":"x"}`, `{"name":"n","domain":"n.example","source":{"path":"/srv"}}`,
		`{"name":"n","domain":"n.example","source":{"repository":"git@h.example:a/b.git","branch":"main"},"docsFolder":"d"}`, `{"domains":["a.b","c.d"],"rotateWebhookSecret":true}`,
		`{"label":"x","scopes":["read"],"expiresInDays":7,"addresses":["10.0.0.0/8"]}`, `{"branch":"main"}`, `{"prompt":"fix broken links","branch":"main","model":"builtin","asDraft":true}`, `{"prompt":" "}`, `{}`, `[]`, `null`, `"x"`, `{"a":{"a":{"a":[[[[]]]]}}}`,
		`{"name":"\u0000"}`, `{"domain":"\ud800.example"}`, `{"name":"n","name":"m"}`, `{"source":null}`, "\xff\xfe", `{"expiresInDays":1e400}`, `{"expiresInDays":7.0}`, ` `, `{"domain":"docs.a.example"}x`,
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
