package adminapi_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/source/credential"
)

// K9: a credential's secret is stored encrypted, and appears in no response, event or log line.
func TestCredentialIsEncryptedAndNeverShownAgain(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	const secret = "gh0st-t0ken-canary"
	shown := w.do(t, ask{"POST", "/v1/credentials", x.key,
		`{"name":"docs","kind":"token","url":"https://Git.example.com/team/","user":"bot","secret":"` + secret + `"}`,
		nil}).want(t, 201)
	for _, part := range []string{`"url":"https://git.example.com/team"`, `"kind":"token"`, `"lastUsedAt":null`,
		`"createdBy":"` + x.keyID + `"`} {
		if !strings.Contains(string(shown.body), part) {
			t.Errorf("%s lacks %s", shown.body, part)
		}
	}
	for _, bad := range []string{
		`{"name":"docs","kind":"token","url":"https://git.example.com","secret":"` + secret + `"}`,
		`{"name":"x","kind":"token","url":"https://u:` + secret + `@git.example.com","secret":"` + secret + `"}`,
		`{"name":"x","kind":"ssh-key","url":"ssh://git.example.com","secret":"` + secret + `"}`,
		`{"name":"x","kind":"github-app","appId":"1","url":"https://github.com/a","secret":"` + secret + `"}`,
		`{"name":"x","kind":"other","url":"https://git.example.com","secret":"` + secret + `"}`,
		`{"name":"X","kind":"token","url":"https://git.example.com","secret":"` + secret + `"}`,
		`{"name":"x","kind":"token","url":"https://git.example.com","secret":"` + secret + `\nmore"}`,
		`{"name":"x","kind":"token","secret":"` + secret + `"}`,
		`{"name":"x","kind":"token","url":"https://git.example.com","secret":"` + secret + `","more":1}`,
	} {
		if got := w.do(t, ask{"POST", "/v1/credentials", x.key, bad, nil}); got.status != 400 && got.status != 409 ||
			strings.Contains(string(got.body), secret) {
			t.Errorf("%s: %d %s", bad, got.status, got.body)
		}
	}
	row, err := w.store.FindCredentialByName(t.Context(), x.org.ID, "docs")
	must(t, err)
	if opened, stale, err := credential.Open([][]byte{master}, row); err != nil || stale || opened.Password != secret ||
		opened.User != "bot" || strings.Contains(row.Sealed, secret) {
		t.Errorf("%v %v %v", opened, stale, err)
	}
	other := row
	other.OrganizationID = "org_other"
	if _, _, err := credential.Open([][]byte{master}, other); err == nil {
		t.Error("a row copied to another organization was decrypted")
	}
	if other = row; other.BaseURL != "" {
		other.BaseURL = "https://evil.example.com"
		if _, _, err := credential.Open([][]byte{master}, other); err == nil {
			t.Error("a row with a different address was decrypted")
		}
	}
	for _, path := range []string{"/v1/credentials", "/v1/events", "/v1/projects"} {
		if got := w.do(t, ask{"GET", path, x.key, "", nil}).want(t, 200); strings.Contains(string(got.body), secret) {
			t.Errorf("%s reveals the secret", path)
		}
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("the log contains the secret")
	}
}

// Credentials require the scope admin, which read and write do not include.
func TestCredentialsRequireAdminScope(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	key, _ := w.newKey(t, x.org.ID,
		func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeRead, account.ScopeWrite} })
	for _, one := range []ask{
		{"GET", "/v1/credentials", key, "", nil}, {"POST", "/v1/credentials", key,
			`{"name":"x","kind":"token","url":"https://git.example.com","secret":"s"}`, nil},
		{"PUT", "/v1/credentials/" + x.credential.ID, key, `{"url":"https://git.example.com","secret":"s"}`, nil},
		{"DELETE", "/v1/credentials/" + x.credential.ID, key, "", nil},
	} {
		if got := w.do(t, one); got.status != 403 {
			t.Errorf("%s: %d %v", one.method, got.status, got.body)
		}
	}
}
