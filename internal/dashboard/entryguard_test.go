package dashboard_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

// entryForms adds sign-in and account forms that would succeed without any protection.
func entryForms(s *samples) {
	r := s.r
	r.withPassword("owner")
	sessions, err := r.store.ListSessions(r.t.Context(), r.people["owner"].person.ID)
	must(r.t, err)
	maps.Copy(s.forms, map[string]url.Values{
		"/dashboard/sign-in": {"email": {"owner@example.com"}, "password": {goodPassword}},
		"/dashboard/join": {"token": {r.link(account.InviteJoin, "joining@example.com",
			account.RoleOwner, "operator")}, "password": {goodPassword}},
		"/dashboard/new-password": {"token": {r.link(account.InvitePassword, "owner@example.com", "",
			"operator")}, "password": {otherPassword}},
		"/dashboard/switch":                   {"organization": {r.b.org.ID}},
		"/dashboard/theme":                    {"theme": {"dark"}},
		"/dashboard/account/name":             {"name": {"Changed"}},
		"/dashboard/account/password":         {"current": {goodPassword}, "password": {otherPassword}},
		"/dashboard/account/two-factor/off":   {"current": {goodPassword}},
		"/dashboard/account/two-factor/codes": {"current": {goodPassword}},
		"/dashboard/account/sessions/end":     {"session": {sessions[0].ID}},
	})
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) error { // a second organization to switch to
		_, err := tx.AddMember(r.t.Context(), r.b.org.ID, "owner@example.com", account.RoleViewer)
		return err
	}))
}

// everything returns all data in the database that a form could change, including sessions.
func (r *rig) everything() string {
	r.t.Helper()
	var out strings.Builder
	rows, err := r.store.SQLite().
		QueryContext(r.t.Context(), `SELECT id, hash, organization_id FROM sessions ORDER BY id`)
	must(r.t, err)
	defer rows.Close()
	for rows.Next() {
		var id, hash, org string
		must(r.t, rows.Scan(&id, &hash, &org))
		fmt.Fprintln(&out, "session", id, hash, org)
	}
	must(r.t, rows.Err())
	return out.String() + r.dump()
}

// K10: a form without the token of its session is refused on every route, and nothing changes.
func TestEveryFormNeedsTheTokenOfItsSession(t *testing.T) {
	r := newRig(t)
	s := newSamples(r)
	entryForms(s)
	before, walked := r.everything(), 0
	for _, rt := range dashboard.Routes() {
		if rt.Method != http.MethodPost || rt.Public && rt.Pattern != "/dashboard/join" {
			continue
		}
		for name, csrf := range map[string][]string{
			"missing": nil, "empty": {""}, "wrong": {strings.Repeat("0", 64)},
			"of another session":             {account.FormToken(r.people["foreign"].token)},
			"the session's own token":        {r.people["owner"].token},
			"of another, then the right one": {"x", account.FormToken(r.people["owner"].token)},
		} {
			form := maps.Clone(s.forms[rt.Pattern])
			if form == nil {
				form = url.Values{}
			}
			if csrf != nil {
				form["csrf"] = csrf
			}
			// A correct token in the URL does not count, because URLs are logged and passed on.
			got := r.send("owner", http.MethodPost,
				s.path(rt.Pattern)+"?csrf="+account.FormToken(r.people["owner"].token), form)
			if got.status != http.StatusForbidden ||
				!strings.Contains(got.body, "This form belongs to an earlier session.") {
				t.Errorf("%s, token %s: %d", rt.Pattern, name, got.status)
			}
			walked++
		}
	}
	if after := r.everything(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
	if walked < 150 {
		t.Errorf("only %d refusals were tested", walked)
	}
}

// K10: a form that another site makes a browser send is refused on every route, including public ones, even with the
// correct token.
func TestEveryCrossSiteFormIsRefused(t *testing.T) {
	r := newRig(t)
	s := newSamples(r)
	entryForms(s)
	before := r.everything()
	for _, rt := range dashboard.Routes() {
		if rt.Method != http.MethodPost {
			continue
		}
		for _, header := range [][2]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
			{"Origin", "https://evil.example"}, {"Origin", "null"}} {
			for _, who := range []string{"owner", ""} {
				form := url.Values{"csrf": {account.FormToken(r.people["owner"].token)}}
				maps.Copy(form, s.forms[rt.Pattern])
				got := r.send(who, http.MethodPost, s.path(rt.Pattern), form,
					func(q *http.Request) { q.Header.Set(header[0], header[1]) })
				if got.status != http.StatusForbidden || !strings.Contains(got.body,
					"The form was sent by another site.") || got.header.Get("Set-Cookie") != "" {
					t.Errorf("%s with %s as %q: %d", rt.Pattern, header, who, got.status)
				}
			}
		}
	}
	if after := r.everything(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
}

// An anonymous visitor is redirected to the sign-in page, changes nothing, and learns no names.
func TestAnonymousVisitorSeesNothing(t *testing.T) {
	r := newRig(t)
	s := newSamples(r)
	entryForms(s)
	names := []string{"Zanzibar Widgets", "Quokka Instruments"}
	for i, org := range []account.Organization{r.a.org, r.b.org} {
		must(r.t, r.store.Tx(t.Context(),
			func(tx *store.Tx) error { return tx.RenameOrganization(t.Context(), org.ID, names[i]) }))
	}
	before := r.everything()
	for _, rt := range dashboard.Routes() {
		path := strings.ReplaceAll(s.path(rt.Pattern), "{rest...}", "x")
		for name, change := range map[string]func(*http.Request){
			"no cookie": func(*http.Request) {},
			"an ended session's": func(q *http.Request) {
				q.AddCookie(&http.Cookie{Name: "lectern_session", Value: strings.Repeat("Z", 43)})
			},
			"a key": func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+r.a.key) },
		} {
			var form url.Values
			if rt.Method == http.MethodPost {
				if rt.Public {
					continue // public forms have separate tests
				}
				form = maps.Clone(s.forms[rt.Pattern])
			}
			got := r.send("", rt.Method, path, form, change)
			switch {
			case rt.Method == http.MethodPost && got.status != http.StatusUnauthorized,
				rt.Pattern == "/dashboard/live" && got.status != http.StatusUnauthorized,
				rt.Method == http.MethodGet && !rt.Public && rt.Pattern != "/dashboard/live" &&
					(got.status != http.StatusSeeOther ||
						got.header.Get("Location") != "/dashboard/sign-in?next="+url.QueryEscape(path)):
				t.Errorf("%s %s with %s: %d %s", rt.Method, path, name, got.status, got.header.Get("Location"))
			}
			for _, secret := range append(names, "docs.a.example", "docs.b.example", "owner@example.com") {
				if strings.Contains(got.body, secret) {
					t.Errorf("%s %s with %s reveals %s", rt.Method, path, name, secret)
				}
			}
		}
	}
	if after := r.everything(); after != before {
		t.Errorf("something changed:\n%s", difference(before, after))
	}
}
