package adminapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// K9: a test reports what the code host says about a credential, but never the credential itself.
func TestCredentialTestReportsCodeHostResult(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/credentials/" + x.credential.ID + "/test"
	test := func(body string) client.CredentialTest {
		t.Helper()
		got := w.do(t, ask{"POST", at, x.key, body, nil}).want(t, 200)
		if strings.Contains(string(got.body), "stored-secret") {
			t.Errorf("the response contains the secret: %s", got.body)
		}
		return read[client.CredentialTest](t, got)
	}
	good := test(`{"repository":"https://git.example.com/a/docs.git"}`)
	if !good.Ok || *good.Host != "gitlab" || *good.Account != "bot-of-a" || good.ExpiresAt == nil || len(good.Checks) != 6 {
		t.Errorf("got %+v", good)
	}
	if plain := test(""); !plain.Ok || len(plain.Checks) != 3 {
		t.Errorf("without a repository: %+v", plain)
	}
	w.code.set(func(h *codeHost) { h.refuse = http.StatusUnauthorized })
	if bad := test(`{}`); bad.Ok || bad.Checks[0].Name != "identity" || *bad.Checks[0].Code != "forge_key_refused" {
		t.Errorf("with a wrong token: %+v", bad)
	}
	w.code.set(func(h *codeHost) { h.refuse = http.StatusBadGateway })
	if busy := test(`{}`); busy.Ok || *busy.Checks[0].Code != "forge_busy" {
		t.Errorf("with a busy host: %+v", busy)
	}
	w.do(t, ask{"POST", at, x.key, `{"repository":"https://git.example.com/b/docs"}`, nil}).want(t, 403)
	w.do(t, ask{"POST", at, x.key, `{"repository":"https://elsewhere.example.com/a/docs"}`, nil}).want(t, 403)
	w.do(t, ask{"POST", at, x.key, `{"repository":"https://git.example.com/a/` + strings.Repeat("x", 2048) + `"}`, nil}).
		want(t, 400)
	if log := w.log.String(); strings.Contains(log, "stored-secret") {
		t.Error("the log contains the secret")
	}
}

func TestRepositoriesAreListedForCredential(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	at := "/v1/credentials/" + x.credential.ID + "/repositories"
	list := func(query string) string {
		t.Helper()
		var names []string
		for _, r := range read[client.RepositoryList](t, w.do(t, ask{"GET", at + query, x.key, "", nil}).want(t, 200)).Repositories {
			names = append(names, r.Name)
		}
		return strings.Join(names, " ")
	}
	// The token could also read elsewhere/docs, but the credential may not be used for that.
	if got := list(""); got != "a/docs a/guide" {
		t.Errorf("listed %q", got)
	}
	if got := list("?search=GUI"); got != "a/guide" {
		t.Errorf("found %q", got)
	}
	first := read[client.RepositoryList](t, w.do(t, ask{"GET", at + "?limit=1", x.key, "", nil}).want(t, 200))
	if len(first.Repositories) != 1 || first.NextCursor == nil {
		t.Fatalf("first page: %+v", first)
	}
	if got := list("?limit=1&cursor=" + *first.NextCursor); got != "a/guide" {
		t.Errorf("second page %q", got)
	}
	for _, bad := range []string{"?limit=0", "?cursor=x", "?search=" + strings.Repeat("x", 101)} {
		w.do(t, ask{"GET", at + bad, x.key, "", nil}).want(t, 400)
	}
	for status, want := range map[int]int{401: 403, 404: 404, 422: 400, 502: 503} {
		w.code.set(func(h *codeHost) { h.refuse = status })
		if got := w.do(t, ask{"GET", at, x.key, "", nil}); got.status != want || strings.Contains(string(got.body), "stored-secret") {
			t.Errorf("%d from the host: %d %s", status, got.status, got.body)
		}
	}
}

func TestSSHKeysHaveNoCodeHostAPI(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	made := read[client.Credential](t, w.do(t, ask{"POST", "/v1/credentials", x.key,
		`{"name":"key","kind":"ssh-key","url":"ssh://git.example.com","secret":"-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----"}`,
		nil}).want(t, 201))
	for _, a := range []ask{{"POST", "/v1/credentials/" + made.CredentialID + "/test", x.key, "", nil},
		{"GET", "/v1/credentials/" + made.CredentialID + "/repositories", x.key, "", nil}} {
		if got := w.do(t, a); got.status != 400 || got.code(t) != "bad_credential" {
			t.Errorf("%s: %d %s", a.path, got.status, got.body)
		}
	}
}
