package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// linkOf returns the link that a page shows for copying.
func linkOf(t testing.TB, r *rig, page, path string) string {
	t.Helper()
	m := regexp.MustCompile(`<p class="copy" data-copy><code>([^<]+)</code></p>`).FindStringSubmatch(page)
	if m == nil || !regexp.MustCompile(`^`+regexp.QuoteMeta(r.server.URL+path+"?token=")+`[A-Za-z0-9]{43}$`).
		MatchString(html.UnescapeString(m[1])) {
		t.Fatalf("no link to %s is shown: %q\n%s", path, m, page)
	}
	return html.UnescapeString(m[1])
}

func TestLinksAreShownOnceAndWork(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		post string
		form url.Values
		path string
		says string
	}{
		{members + "/invite", url.Values{"email": {"New@Example.com"}, "role": {"editor"}, "expiresInDays": {"3"}},
			account.JoinPath, "Invitation for new@example.com"},
		{r.at("viewer", "password-link"), nil, account.NewPasswordPath, "A new password for viewer@example.com"},
	} {
		status, page := r.post("admin", c.post, c.form)
		if status != http.StatusOK || !strings.Contains(page, c.says) {
			t.Fatalf("%d %s", status, page)
		}
		link := linkOf(t, r, page, c.path)
		_, token, _ := strings.Cut(link, "?token=")
		r.wantKeptSecret(t, token)
		if status, page := r.get("", strings.TrimPrefix(link, r.server.URL)); status != http.StatusOK ||
			!strings.Contains(page, "<form") {
			t.Errorf("%s: %d %s", c.path, status, page)
		}
	}
	_, page := r.get("owner", members)
	open := regexp.MustCompile(`<tr id="(inv_[a-z2-7]+)">`).FindAllStringSubmatch(page, -1)
	if len(open) != 2 {
		t.Fatalf("open links: %q", open)
	}
	for _, o := range open {
		row := rowOf(t, page, o[1])
		want := map[string][]string{"new@example.com": {"join as editor", "in 3 days"},
			"viewer@example.com": {"set a new password", "in 1 day"}}[row[0]]
		if !slices.Equal([]string{row[1], row[3]}, want) || row[2] != "just now by admin@example.com" {
			t.Errorf("%q, want %q", row, want)
		}
	}
	for _, o := range open {
		if status, to := r.post("admin", members+"/invitations/"+o[1]+"/withdraw",
			nil); status != http.StatusSeeOther || to != members+"?did=invitation-withdrawn" {
			t.Errorf("%d %s", status, to)
		}
	}
	if _, page := r.get("owner", members); !strings.Contains(page, "There are no open links.") {
		t.Error("withdrawn links are still there")
	}
}

func TestInvalidInvitationFormIsShownAgain(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]struct {
		email, role, days string
		status            int
		id, says          string
	}{
		"no address": {"nobody", "viewer", "7", 400, "email-error", "email must be an e-mail address"},
		"hostile":    {hostile, "viewer", "7", 400, "email-error", "email must be an e-mail address"},
		"no role":    {"new@example.com", "", "7", 400, "role-error", "Unknown role"},
		"31 days": {"new@example.com", "viewer", "31", 400, "days-error",
			"expiresInDays must be between 1 and 30."},
		"no number": {"new@example.com", "viewer", "x", 400, "days-error",
			"expiresInDays must be between 1 and 30."},
		"member exists": {"viewer@example.com", "editor", "7", 409, "email-error",
			"A member with that address already exists."},
	} {
		t.Run(name, func(t *testing.T) {
			r.wantUnchanged(t, r.a, func() {
				status, page := r.post("admin", members+"/invite",
					url.Values{"email": {c.email}, "role": {c.role}, "expiresInDays": {c.days}})
				if status != c.status || !strings.Contains(page, `<p class="error" id="`+c.id+`">`+c.says) ||
					!strings.Contains(html.UnescapeString(page), `value="`+c.email+`"`) {
					t.Errorf("%d %s", status, page)
				}
				if strings.Contains(page, "<script>alert") {
					t.Error("hostile text was rendered as markup")
				}
			})
		})
	}
}
