package siteaccess_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	"github.com/lectern-docs/lectern/internal/store"
)

// member signs a member of an organization in to the dashboard.
func (r *rig) member(email, organizationID string) siteaccess.Member {
	r.t.Helper()
	return r.memberAs(email, organizationID, account.RoleViewer)
}

func (r *rig) memberAs(email, organizationID string, role account.Role) (who siteaccess.Member) {
	r.t.Helper()
	r.tx(func(tx *store.Tx) error {
		p, err := tx.CreatePerson(r.t.Context(), account.Person{Email: email})
		if err != nil {
			return err
		}
		m, err := tx.AddMember(r.t.Context(), organizationID, email, role)
		if err != nil {
			return err
		}
		who.Members = []account.Member{m}
		s, err := tx.CreateSession(r.t.Context(), account.Session{Hash: email, PersonID: p.ID})
		who.PersonID, who.SessionID = p.ID, s.ID
		return err
	})
	return who
}

// begin goes from the site to the dashboard and returns the parameters of the request to the dashboard.
func (b *browser) begin(host, next string) url.Values {
	b.r.t.Helper()
	a := b.page("https://" + host + "/login/member?next=" + url.QueryEscape(next))
	to, err := url.Parse(a.Header.Get("Location"))
	if err != nil || to.Host != "lectern.example" || to.Path != siteaccess.DashboardPath {
		b.r.t.Fatalf("%d %v %v", a.StatusCode, a.Header, err)
	}
	return to.Query()
}

func (r *rig) handOff(who siteaccess.Member, q url.Values) string {
	r.t.Helper()
	to, err := r.readers.HandOff(r.t.Context(), who, q.Get("project"), q.Get("host"), q.Get("state"))
	r.ok(err)
	return to
}

// Members of the organization read its sites with their account, until they leave or sign out of the dashboard.
func TestMemberSignsInThroughDashboard(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	for _, mode := range []access.Mode{access.Organization, access.Password} {
		r.protect(p, mode)
		who := r.member(string(mode)+"@example.com", r.Organization.ID)
		b := r.browser()
		if form := b.page("https://" + host + "/login?next=/log"); !strings.Contains(form.text,
			`href="/login/member?next=%2Flog"`) || strings.Contains(form.text, "<form") != (mode == access.Password) {
			t.Errorf("%s: %s", mode, form.text)
		}
		a := b.page(r.handOff(who, b.begin(host, "/log")))
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/log" || !b.reads(host) {
			t.Errorf("%d %v", a.StatusCode, a.Header)
		}
		b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
		if r.reader.Anonymous || r.reader.Subject != who.PersonID {
			t.Errorf("%+v", r.reader)
		}
		r.tx(func(tx *store.Tx) error { return tx.EndSession(t.Context(), who.PersonID, who.SessionID) })
		if b.reads(host) {
			t.Error("the session is valid after the person signed out of the dashboard")
		}
	}
	who, b := r.member("leaves@example.com", r.Organization.ID), r.browser()
	b.page(r.handOff(who, b.begin(host, "/")))
	if !b.reads(host) {
		t.Fatal("no session")
	}
	r.tx(func(tx *store.Tx) error {
		m, err := tx.FindMemberByEmail(t.Context(), r.Organization.ID, "leaves@example.com")
		if err != nil {
			return err
		}
		return tx.RemoveMember(t.Context(), m)
	})
	if b.reads(host) {
		t.Error("the session is valid after the person left the organization")
	}
}

// K10: a member's session is valid no longer than the dashboard session, even if the dashboard session has expired but
// is still stored.
func TestMemberSessionEndsWithDashboardSession(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Organization)
	who, b := r.member("member@example.com", r.Organization.ID), r.browser()
	r.Advance(r.limits.Idle - time.Minute)
	b.page(r.handOff(who, b.begin(host, "/")))
	if !b.reads(host) {
		t.Fatal("no session")
	}
	r.Advance(time.Minute)
	if b.reads(host) {
		t.Error("the session is valid after the dashboard session expired")
	}
}

// A8: a guest can read the sites of projects in which they have a role. For other sites they get the same response as
// a stranger.
func TestGuestCanReadOnlyTheirProjects(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	r.protect(p, access.Organization)
	guest, b := r.memberAs("guest@example.com", r.Organization.ID, account.RoleGuest), r.browser()
	q := b.begin(host, "/")
	if _, err := r.readers.HandOff(t.Context(), guest, p.ID, host, q.Get("state")); !fault.HasCode(err, "unknown_site") {
		t.Errorf("%v", err)
	}
	m := guest.Members[0]
	r.tx(func(tx *store.Tx) error { return tx.SetProjectRole(t.Context(), m.ID, p.ID, account.RoleViewer) })
	m, err := r.Store.FindMember(t.Context(), r.Organization.ID, m.ID)
	r.ok(err)
	guest.Members[0] = m
	b.page(r.handOff(guest, q))
	if !b.reads(host) {
		t.Error("no session")
	}
	r.tx(func(tx *store.Tx) error { return tx.RemoveProjectRole(t.Context(), m.ID, p.ID) })
	if b.reads(host) {
		t.Error("the session is valid after the role was removed")
	}
}

// A8: people from another organization get no code, and the refusal is the same as for a site that does not exist.
func TestOtherOrganizationsMembersGetNoCode(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	r.protect(p, access.Organization)
	var elsewhere account.Organization
	r.tx(func(tx *store.Tx) (err error) {
		elsewhere, err = tx.CreateOrganization(t.Context(), "Elsewhere", account.PlanFree)
		return err
	})
	stranger, member := r.member("stranger@example.com", elsewhere.ID), r.member("member@example.com", r.Organization.ID)
	q := r.browser().begin(host, "/")
	_, unknown := r.readers.HandOff(t.Context(), stranger, "prj_none", "none.example.com", q.Get("state"))
	_, err := r.readers.HandOff(t.Context(), stranger, p.ID, host, q.Get("state"))
	if !fault.HasCode(err, "unknown_site") || err.Error() != unknown.Error() {
		t.Errorf("%v, want %v", err, unknown)
	}
	for name, args := range map[string][3]string{"another project's host": {p.ID, "other.example.com", q.Get("state")},
		"a host of nobody's": {p.ID, "evil.example", q.Get("state")}, "another project": {other.ID, host, q.Get("state")},
		"no state": {p.ID, host, ""}} {
		if to, err := r.readers.HandOff(t.Context(), member, args[0], args[1], args[2]); err == nil {
			t.Errorf("%s: %s", name, to)
		}
	}
}

// K10: a code works once, in the browser that requested it, on its site, for a minute.
func TestHandOffCodeIsBoundToBrowser(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	r.protect(p, access.Organization)
	r.protect(other, access.Organization)
	who := r.member("member@example.com", r.Organization.ID)
	refused := func(name string, b *browser, address string) {
		t.Helper()
		if a := b.page(address); a.StatusCode != http.StatusUnauthorized || b.session(host) != "" ||
			b.session("other.example.com") != "" || strings.Contains(a.text, canary) {
			t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
		}
	}
	b, thief := r.browser(), r.browser()
	code := r.handOff(who, b.begin(host, "/"))
	refused("a browser that asked for nothing", r.browser(), code)
	thief.begin(host, "/")
	refused("another browser", thief, code)
	thief.begin("other.example.com", "/")
	refused("another site", thief, strings.Replace(code, host, "other.example.com", 1))
	changed := strings.Replace(code, "code=", "code=A", 1)
	late := r.browser()
	lateCode := r.handOff(who, late.begin(host, "/"))
	r.Advance(61 * time.Second)
	refused("after a minute", late, lateCode)
	b.begin(host, "/")
	refused("an altered code", b, changed)
	q := b.begin(host, "/")
	kept := b.cookies(host)
	code = r.handOff(who, q)
	if a := b.page(code); a.StatusCode != http.StatusSeeOther || !b.reads(host) {
		t.Fatalf("%d %v", a.StatusCode, a.Header)
	}
	again := r.browser()
	again.setCookies(host, kept)
	refused("a second time, with everything the browser had", again, code)
}
