package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

const keys = "/dashboard/settings/keys"

// secretOf returns the new key that a page shows.
func secretOf(t testing.TB, page string) string {
	t.Helper()
	m := regexp.MustCompile(`export LECTERN_KEY=(lectern_[A-Za-z0-9]{38})\b`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no key is shown:\n%s", page)
	}
	return m[1]
}

// keyForm returns a valid form, with changes.
func keyForm(changes url.Values) url.Values {
	form := url.Values{"label": {"CI"}, "scopes": {"read"}, "expiresInDays": {"30"}, "addresses": {""}}
	for name, v := range changes {
		form[name] = v
	}
	return form
}

// newestKey returns the organization's newest key as stored.
func (r *rig) newestKey() account.Key {
	r.t.Helper()
	list, _, err := r.store.ListKeys(r.t.Context(), r.a.org.ID, store.Page{Limit: 1})
	must(r.t, err)
	return list[0]
}

// K2: the secret appears only in the response to the form, and the key has the requested properties.
func TestNewKeyIsShownOnceAndWorks(t *testing.T) {
	r := newRig(t)
	status, page := r.post("admin", keys, keyForm(url.Values{"addresses": {"127.0.0.0/8\r\n2001:db8::7\r\n"}}))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	secret := secretOf(t, page)
	if want := "export LECTERN_KEY=" + secret + "\ncurl " + r.server.URL +
		"/v1/projects \\\n"; !strings.Contains(html.UnescapeString(page), want) {
		t.Errorf("the page lacks %q", want)
	}
	r.wantKeptSecret(t, secret)

	k := r.newestKey()
	if k.Label != "CI" || fmt.Sprint(k.Scopes) != "[read]" ||
		fmt.Sprint(k.Addresses) != "[127.0.0.0/8 2001:db8::7/128]" || k.CreatedBy != r.people["admin"].member.ID {
		t.Errorf("stored %+v", k)
	}
	if want := r.clock.Now().AddDate(0, 0, 30); k.ExpiresAt == nil || !k.ExpiresAt.Equal(want) {
		t.Errorf("expires %v, want %v", k.ExpiresAt, want)
	}
	if status, _ := r.call(secret, "GET", "/v1/projects", ""); status != http.StatusOK {
		t.Errorf("reading: %d", status)
	}
	if status, _ := r.call(secret, "POST", "/v1/project/update/"+r.a.project.ID, ""); status != http.StatusForbidden {
		t.Errorf("writing without the scope: %d", status)
	}

	must(t, r.store.TouchKey(t.Context(), k.ID, r.clock.Now().Add(-3*time.Minute)))
	_, page = r.get("owner", keys)
	row := strings.Join(rowOf(t, page, k.ID), "|")
	for _, want := range []string{"CI" + account.Visible(secret) + "…|live|read|127.0.0.0/8, 2001:db8::7|just now",
		"by admin@example.com|in 1 month|3 minutes ago|"} {
		if !strings.Contains(row, want) {
			t.Errorf("row %q lacks %q", row, want)
		}
	}
}

// rowOf returns the text of each cell in the row with an id.
func rowOf(t testing.TB, page, rowID string) []string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<tr id="`+rowID+`">`)
	if !found {
		t.Fatalf("there is no row %s:\n%s", rowID, page)
	}
	row, _, _ := strings.Cut(rest, "</tr>")
	return cells(t, `id="one"><tbody><tr>`+row+`</tr></table>`, "one")[0]
}

func TestRevokedKeyIsRefusedAtOnce(t *testing.T) {
	r := newRig(t)
	_, page := r.post("admin", keys, keyForm(nil))
	secret, k := secretOf(t, page), r.newestKey()
	if status, _ := r.call(secret, "GET", "/v1/projects", ""); status != http.StatusOK {
		t.Fatalf("before: %d", status)
	}
	if status, to := r.post("admin", keys+"/"+k.ID+"/revoke", nil); status != http.StatusSeeOther ||
		to != keys+"?did=key-revoked" {
		t.Fatalf("%d %s", status, to)
	}
	if status, _ := r.call(secret, "GET", "/v1/projects", ""); status != http.StatusUnauthorized {
		t.Errorf("after: %d", status)
	}
	_, page = r.get("admin", keys+"?did=key-revoked")
	if row := rowOf(t, page, k.ID); row[1] != "revoked" || strings.Contains(page, k.ID+"/revoke") {
		t.Errorf("shown as %q", row)
	}
}

// The page offers the scope admin, shows how many keys a key has created, and revokes them with it if requested.
func TestKeyIsRevokedWithItsChildren(t *testing.T) {
	r := newRig(t)
	_, page := r.post("admin", keys, keyForm(url.Values{"label": {"parent"}, "scopes": {"read", "write", "admin"}}))
	secret, parent := secretOf(t, page), r.newestKey()
	if fmt.Sprint(parent.Scopes) != "[read write admin]" {
		t.Errorf("scopes %v", parent.Scopes)
	}
	r.clock.Advance(time.Second)
	if status, body := r.call(secret, "POST", "/v1/keys", `{"label":"child"}`); status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	child := r.newestKey()
	_, page = r.get("admin", keys)
	if row := strings.Join(rowOf(t, page, parent.ID), "|"); !strings.Contains(row, "read, write, admin") ||
		!strings.Contains(row, "(1 on this page)") {
		t.Errorf("row %q", row)
	}
	if row := strings.Join(rowOf(t, page, child.ID), "|"); !strings.Contains(row, "by parent") ||
		strings.Contains(row, "on this page") {
		t.Errorf("row %q", row)
	}
	if status, _ := r.post("admin", keys+"/"+parent.ID+"/revoke",
		url.Values{"children": {"true"}}); status != http.StatusSeeOther {
		t.Fatal(status)
	}
	_, page = r.get("admin", keys)
	for _, one := range []string{parent.ID, child.ID} {
		if row := rowOf(t, page, one); row[1] != "revoked" {
			t.Errorf("%q", row)
		}
	}
}

func TestExpiredKeyIsShownAsExpired(t *testing.T) {
	r := newRig(t)
	r.post("admin", keys, keyForm(url.Values{"expiresInDays": {"7"}}))
	k := r.newestKey()
	for _, c := range []struct {
		wait time.Duration
		want string
	}{{7*24*time.Hour - time.Microsecond, "live"}, {time.Microsecond, "expired"}} {
		r.clock.Advance(c.wait)
		// the sessions have expired since
		r.people["owner"] = r.newPerson("o"+c.want+"@example.com", r.a.org.ID, account.RoleOwner)
		_, page := r.get("owner", keys)
		if row := rowOf(t, page, k.ID); row[1] != c.want {
			t.Errorf("%q, want %s", row, c.want)
		}
	}
}

// Errors of the API are shown at their fields, the input is kept, and no key is created.
func TestInvalidKeyFormIsShownAgain(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]struct {
		change   url.Values
		id, says string
		keptAs   string
	}{
		"no scope":      {url.Values{"scopes": nil}, "scopes-error", "Choose at least one scope.", `value="CI"`},
		"unknown scope": {url.Values{"scopes": {"root"}}, "scopes-error", `Unknown scope "root".`, `value="CI"`},
		"31 days": {url.Values{"expiresInDays": {"31"}}, "expires-error",
			"expiresInDays must be 7, 30, 60 or 90, or omitted.", `value="read" checked`},
		"0 days": {url.Values{"expiresInDays": {"0"}}, "expires-error", "expiresInDays must be",
			`value="CI"`},
		"no days": {url.Values{"expiresInDays": nil}, "expires-error", "expiresInDays must be", `value="CI"`},
		"not a number": {url.Values{"expiresInDays": {"soon"}}, "expires-error", "expiresInDays must be",
			`value="CI"`},
		"no address": {url.Values{"addresses": {"10.0.0.1\nhere"}}, "addresses-error",
			`"here" is not an IP address or network.`, "10.0.0.1\nhere</textarea>"},
		"all addresses": {url.Values{"addresses": {"0.0.0.0/0"}}, "addresses-error",
			`"0.0.0.0/0" covers every address.`, "0.0.0.0/0</textarea>"},
		"too long a label": {url.Values{"label": {strings.Repeat("x", 101)}}, "label-error",
			"label may have at most 100 characters.", strings.Repeat("x", 101)},
		"hostile addresses": {url.Values{"addresses": {"</textarea><script>alert(1)</script>"}}, "addresses-error",
			"is not an IP address", "&lt;/textarea&gt;"},
	} {
		t.Run(name, func(t *testing.T) {
			r.wantUnchanged(t, r.a, func() {
				status, page := r.post("admin", keys, keyForm(c.change))
				said := regexp.MustCompile(`<p class="error" id="` + c.id + `">([^<]*)</p>`).FindStringSubmatch(page)
				if status != http.StatusBadRequest || said == nil ||
					!strings.Contains(html.UnescapeString(said[1]), c.says) {
					t.Errorf("%d, says %q, want %q", status, said, c.says)
				}
				if !strings.Contains(page, c.keptAs) || strings.Contains(page, "<script>alert") ||
					strings.Contains(page, "LECTERN_KEY=lectern") {
					t.Errorf("the page lacks %q, or has too much", c.keptAs)
				}
			})
		})
	}
}

func TestHourlyLimitOfKeysMatchesTheAPI(t *testing.T) {
	r := newRig(t)
	_, page := r.get("admin", keys)
	const limit = "An organization can create at most 10 keys per hour."
	if !strings.Contains(page, limit) {
		t.Error("the page does not show the limit")
	}
	for range 10 {
		_, page := r.post("admin", keys, keyForm(nil))
		secretOf(t, page)
		r.clock.Advance(time.Minute)
	}
	r.wantUnchanged(t, r.a, func() {
		status, page := r.post("admin", keys, keyForm(nil))
		if status != http.StatusTooManyRequests ||
			!strings.Contains(page, `<p>`+limit+`</p><p class="quiet">Try again in 50 minutes.</p>`) {
			t.Errorf("%d %s", status, page)
		}
	})
	r.clock.Advance(50*time.Minute + time.Second)
	if status, _ := r.post("admin", keys, keyForm(nil)); status != http.StatusOK {
		t.Errorf("an hour after the first: %d", status)
	}
}

// The first command shown for a key is one that its scopes permit.
func TestCommandShownWithAKeyMatchesItsScopes(t *testing.T) {
	r := newRig(t)
	for scope, want := range map[string]string{
		"read": "/v1/projects \\\n", "discovery": "curl -X POST " + r.server.URL + "/discovery/v1/search/", "write": "",
	} {
		_, page := r.post("admin", keys, keyForm(url.Values{"scopes": {scope}}))
		_, box, _ := strings.Cut(html.UnescapeString(page), "export LECTERN_KEY="+secretOf(t, page))
		box, _, _ = strings.Cut(box, "</code>")
		if want == "" && box != "" || !strings.Contains(box, want) {
			t.Errorf("%s: %q", scope, box)
		}
	}
}

func TestOnlyAdminsOfTheOrganizationManageKeys(t *testing.T) {
	r := newRig(t)
	for _, who := range []string{"viewer", "editor"} {
		r.wantUnchanged(t, r.a, func() {
			for _, try := range []func() (int, string){
				func() (int, string) { return r.get(who, keys) },
				func() (int, string) { return r.post(who, keys, keyForm(nil)) },
				func() (int, string) { return r.post(who, keys+"/"+r.a.keyID+"/revoke", nil) },
			} {
				status, page := try()
				if status != http.StatusForbidden ||
					!strings.Contains(page, "This requires the role admin; your role is "+who+".") ||
					strings.Contains(page, account.Visible(r.a.key)) {
					t.Errorf("%s: %d %s", who, status, page)
				}
			}
		})
	}
	r.wantUnchanged(t, r.a, func() {
		if status, _ := r.post("foreign", keys+"/"+r.a.keyID+"/revoke", nil); status != http.StatusNotFound {
			t.Errorf("another organization's key: %d", status)
		}
	})
	_, page := r.get("admin", keys)
	for _, p := range []string{r.a.project.ID, r.a.folder.ID} {
		if !strings.Contains(page, `<span class="copy" data-copy><code>`+p+`</code></span>`) {
			t.Errorf("the id of project %s cannot be copied", p)
		}
	}
	if strings.Contains(page, r.b.project.ID) || strings.Contains(page, r.b.keyID) {
		t.Error("the page reveals another organization")
	}
}

func TestHostileLabelIsEscaped(t *testing.T) {
	r := newRig(t)
	_, page := r.post("admin", keys, keyForm(url.Values{"label": {hostile}}))
	wantText(t, page)
	for _, path := range []string{keys, "/dashboard/settings/audit"} {
		_, page := r.get("owner", path)
		wantText(t, page)
	}
}

func TestKeyListIsPaginated(t *testing.T) {
	r := newRig(t)
	for range 60 {
		r.newKey(r.a.org.ID, nil)
	}
	seen := map[string]bool{}
	path := keys
	for pages := 0; path != "" && pages < 5; pages++ {
		_, page := r.get("admin", path)
		for _, m := range regexp.MustCompile(`<tr id="(key_[a-z2-7]+)">`).FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s is there twice", m[1])
			}
			seen[m[1]] = true
		}
		path = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(page); m != nil {
			path = keys + html.UnescapeString(m[1])
		}
	}
	if len(seen) != 61 {
		t.Errorf("%d keys", len(seen))
	}
	if status, page := r.get("admin", keys+"?cursor=nonsense"); status != http.StatusBadRequest ||
		!strings.Contains(page, "cursor") {
		t.Errorf("a wrong cursor: %d", status)
	}
}
