package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

const credentials = "/dashboard/settings/credentials"

// storedCredential creates a credential through its form and returns it.
func (r *rig) storedCredential(name string) account.Credential {
	r.t.Helper()
	if status, where := r.post("admin", credentials, values("name", name, "kind", "token", "url",
		"https://git.example.com/team", "secret", "t0ken-of-"+name)); status != http.StatusSeeOther {
		r.t.Fatalf("%d %s", status, where)
	}
	found, err := r.store.FindCredentialByName(r.t.Context(), r.a.org.ID, name)
	must(r.t, err)
	return found
}

// K9: a credential's secret is in no page, response, log line or database file, whether it was stored or refused.
func TestCredentialIsStoredReplacedAndDeletedByForms(t *testing.T) {
	r := newRig(t)
	made := r.storedCredential("docs-bot")
	wants(t, r.page("admin", credentials), "docs-bot", "https://git.example.com/team", "never",
		r.people["admin"].person.Email)
	r.wantKeptSecret(t, "t0ken-of-docs-bot")
	status, page := r.post("admin", credentials, values("name", "docs-bot", "kind", "token", "url",
		"https://git.example.com/x", "secret", "refused-t0ken-value"))
	if status != http.StatusConflict || !strings.Contains(page, "A credential named") ||
		strings.Contains(page, "refused-t0ken-value") {
		t.Errorf("twice: %d %s", status, page)
	}
	r.wantKeptSecret(t, "refused-t0ken-value")
	if status, where := r.post("admin", credentials+"/"+made.ID+"/replace",
		values("url", "https://git.example.com/other", "secret", "n3w-t0ken-value")); status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, where)
	}
	wants(t, r.page("admin", credentials), "https://git.example.com/other")
	r.wantKeptSecret(t, "n3w-t0ken-value")
	if status, where := r.post("admin", credentials+"/"+made.ID+"/delete", nil); status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, where)
	}
	wants(t, r.page("admin", credentials), "No credentials yet")
	wants(t, r.page("admin", "/dashboard/settings/audit"), "stored the credential",
		"replaced the value of the credential", "deleted the credential")
}
