package adminapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// K9: reader access is returned as it was set, without any secret; fields of another mode are rejected.
func TestReaderAccessCanBeSetAndRead(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	at := "/v1/projects/" + x.project.ID + "/reader-access"
	do := func(method, body string, want int) (out client.ReaderAccess, text string) {
		t.Helper()
		got := w.do(t, ask{method: method, path: at, body: body, key: x.key})
		if got.status != want {
			t.Fatalf("%s %s: %d %s", method, body, got.status, got.body)
		}
		if want == 200 {
			must(t, json.Unmarshal(got.body, &out))
		}
		return out, string(got.body)
	}
	if got, text := do("GET", "", 200); got.Mode != "public" || got.UpdatedAt != nil || got.JWT != nil ||
		!strings.Contains(text, `"providers":[]`) {
		t.Errorf("%s", text)
	}
	do("PUT", `{"mode":"password","password":"seven green bicycles"}`, 200)
	stored, err := w.store.FindReaderAccess(t.Context(), x.project.ID)
	if err != nil || stored.Mode != access.Password || !strings.HasPrefix(stored.PasswordHash, "$argon2id$") {
		t.Errorf("%+v (error %v)", stored, err)
	}
	do("PUT", `{"mode":"oidc","providers":[{"name":"acme","issuer":"https://id.example.com","clientId":"docs",
		"clientSecret":"s3cret-of-the-client","groups":["staff"],"emailDomains":["Example.com"]}]}`, 200)
	stored, err = w.store.FindReaderAccess(t.Context(), x.project.ID)
	if err != nil || stored.PasswordHash != "" || strings.Contains(stored.Sealed, "s3cret") {
		t.Errorf("%+v (error %v)", stored, err)
	}
	if _, err := stored.OpenSecrets([][]byte{master}); err != nil || stored.Providers[0].ClientSecret != "s3cret-of-the-client" {
		t.Errorf("%+v (error %v)", stored, err)
	}
	got, text := do("GET", "", 200)
	if len(got.Providers) != 1 || got.Providers[0].Label != "acme" || got.Providers[0].EmailDomains[0] != "example.com" ||
		strings.Contains(text, "s3cret") {
		t.Errorf("%s", text)
	}
	do("PUT", `{"mode":"saml","providers":[{"name":"acme","groups":["staff"],"saml":{
		"metadataUrl":"https://id.example.com/metadata","entityId":"docs","groupsAttribute":"teams"}}]}`, 200)
	stored, err = w.store.FindReaderAccess(t.Context(), x.project.ID)
	if err != nil || stored.Mode != access.SAML || stored.Sealed != "" {
		t.Errorf("%+v (error %v)", stored, err)
	}
	if got, text = do("GET", "", 200); got.Providers[0].SAML.MetadataURL != "https://id.example.com/metadata" ||
		got.Providers[0].SAML.EntityID != "docs" || got.Providers[0].SAML.GroupsAttribute != "teams" {
		t.Errorf("%s", text)
	}
	for name, body := range map[string]string{
		"a short password":          `{"mode":"password","password":"short"}`,
		"no password":               `{"mode":"password"}`,
		"a password elsewhere":      `{"mode":"public","password":"seven green bicycles"}`,
		"an unknown mode":           `{"mode":"friends"}`,
		"no providers":              `{"mode":"oidc","providers":[]}`,
		"two of the same name":      `{"mode":"oidc","providers":[{"name":"a","issuer":"https://a.example","clientId":"x"},{"name":"a","issuer":"https://b.example","clientId":"x"}]}`,
		"a plain http issuer":       `{"mode":"oidc","providers":[{"name":"a","issuer":"http://id.example.com","clientId":"x"}]}`,
		"an odd name":               `{"mode":"oidc","providers":[{"name":"../x","issuer":"https://a.example","clientId":"x"}]}`,
		"SAML in oidc":              `{"mode":"oidc","providers":[{"name":"a","saml":{"metadataUrl":"https://a.example"}}]}`,
		"OpenID Connect in saml":    `{"mode":"saml","providers":[{"name":"a","issuer":"https://a.example","clientId":"x"}]}`,
		"both in one":               `{"mode":"saml","providers":[{"name":"a","issuer":"https://a.example","saml":{"metadataUrl":"https://a.example"}}]}`,
		"no metadata":               `{"mode":"saml","providers":[{"name":"a","saml":{}}]}`,
		"not metadata":              `{"mode":"saml","providers":[{"name":"a","saml":{"metadata":"<a/>"}}]}`,
		"metadata over http":        `{"mode":"saml","providers":[{"name":"a","saml":{"metadataUrl":"http://a.example"}}]}`,
		"no keys":                   `{"mode":"jwt","jwt":{"loginUrl":"https://app.example","keys":[]}}`,
		"a key that cannot be read": `{"mode":"jwt","jwt":{"loginUrl":"https://app.example","keys":[{"pem":"x"}]}}`,
		"an address with scripts":   `{"mode":"jwt","jwt":{"loginUrl":"javascript:alert(1)","keys":[{"pem":"x"}]}}`,
	} {
		if _, text := do("PUT", body, 400); !strings.Contains(text, `"field"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if now, err := w.store.FindReaderAccess(t.Context(), x.project.ID); err != nil || now.Version != stored.Version {
		t.Errorf("a refused change took effect: %+v (error %v)", now, err)
	}
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 1000)
	must(t, err)
	raw, err := json.Marshal(events)
	must(t, err)
	if !strings.Contains(string(raw), `"after":"oidc"`) || strings.Contains(string(raw), "s3cret") ||
		strings.Contains(string(raw), "bicycles") {
		t.Errorf("%s", raw)
	}
}
