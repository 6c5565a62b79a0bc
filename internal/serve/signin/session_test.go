package signin_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

// K10: each limit ends a session exactly when it is reached.
func TestSessionEndsAtItsLimits(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	idle, _ := r.in("owner@example.com")
	r.clock.Advance(time.Hour - time.Microsecond)
	if !r.live(idle) {
		t.Error("a session ended before the idle limit")
	}
	r.clock.Advance(time.Hour - time.Microsecond)
	if !r.live(idle) {
		t.Error("a use did not restart the idle limit")
	}
	r.clock.Advance(time.Hour)
	if r.live(idle) {
		t.Error("a session still works at the idle limit")
	}

	busy, _ := r.in("owner@example.com")
	begun := r.clock.Now()
	for r.clock.Now().Sub(begun) < 7*time.Hour+30*time.Minute {
		r.clock.Advance(30 * time.Minute)
		if !r.live(busy) {
			t.Fatal("a busy session ended early")
		}
	}
	r.clock.Advance(begun.Add(8*time.Hour - time.Microsecond).Sub(r.clock.Now()))
	if !r.live(busy) {
		t.Error("a busy session ended before the absolute limit")
	}
	r.clock.Advance(time.Microsecond)
	if r.live(busy) {
		t.Error("a busy session outlived the absolute limit")
	}
}

// K10: the current limits apply to existing sessions.
func TestLoweredLimitAppliesToExistingSessions(t *testing.T) {
	for name, lower := range map[string]func(*account.SessionLimits){
		"idle":     func(l *account.SessionLimits) { l.Idle = 10 * time.Minute },
		"absolute": func(l *account.SessionLimits) { l.Absolute = 10 * time.Minute },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.member("owner@example.com", account.RoleOwner)
			older, _ := r.in("owner@example.com")
			r.clock.Advance(9 * time.Minute)
			newer, _ := r.in("owner@example.com")
			r.clock.Advance(time.Minute)
			if !r.live(newer) {
				t.Error("a session ended early")
			}
			lower(&r.options.Limits)
			r.service = signin.New(r.options)
			if r.live(older) || !r.live(newer) {
				t.Errorf("under the lower limit: older %v, newer %v", r.live(older), r.live(newer))
			}
			r.ok(r.store.PruneSessions(t.Context(), r.options.Limits))
			left, err := r.store.ListSessions(t.Context(), r.person("owner@example.com").ID)
			r.ok(err)
			if len(left) != 1 || left[0].Hash != account.TokenHash(newer) {
				t.Errorf("%d sessions are left after pruning", len(left))
			}
		})
	}
}

// K10: every sign-in creates a new token and ends the browser's previous session, even another person's.
func TestSignInEndsPreviousBrowserSession(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	first, _ := r.in("owner@example.com")
	elsewhere, _ := r.in("owner@example.com")
	again, err := r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: r.browser(first)})
	r.ok(err)
	if again.Token == first || r.live(first) || !r.live(again.Token) || !r.live(elsewhere) {
		t.Errorf("first %v, again %v, elsewhere %v", r.live(first), r.live(again.Token), r.live(elsewhere))
	}
	other, err := r.service.SignIn(t.Context(),
		signin.Attempt{Email: "viewer@example.com", Password: goodPassword, Browser: r.browser(again.Token)})
	r.ok(err)
	if r.live(again.Token) || !r.live(other.Token) || !r.live(elsewhere) {
		t.Error("the browser has two sessions")
	}
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.sign_in", "member.sign_out")
	_, err = r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: otherPassword, Browser: r.browser(other.Token)})
	r.refused(err, "wrong_credentials")
	if !r.live(other.Token) {
		t.Error("a failed sign-in ended the existing session")
	}
}

// K10: a cookie planted by someone else is never adopted.
func TestPlantedCookieIsNeverAdopted(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	planted := strings.Repeat("A", 43)
	in, err := r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: r.browser(planted)})
	r.ok(err)
	if in.Token == planted || r.live(planted) || strings.Contains(r.words(), account.TokenHash(planted)) {
		t.Error("the planted cookie has a session")
	}
	for _, odd := range []string{"", "x", strings.Repeat("A", 44), strings.Repeat("-", 43), account.TokenHash(in.Token),
		in.Token + " "} {
		if r.live(odd) {
			t.Errorf("%q has a session", odd)
		}
	}
}

// K10: the cookie's attributes for each kind of connection.
func TestCookieAttributesMatchConnection(t *testing.T) {
	r := newRig(t, func(o *signin.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	for name, c := range map[string]struct {
		request func(*http.Request)
		secure  bool
		refused bool
	}{
		"https through a trusted proxy": {func(q *http.Request) {
			q.RemoteAddr = "10.1.2.3:99"
			q.Header.Set("X-Forwarded-Proto", "https")
			q.Header.Set("X-Forwarded-Host", "docs.example.com")
		}, true, false},
		"http on this machine":    {func(q *http.Request) {}, false, false},
		"http on 127.0.0.1":       {func(q *http.Request) { q.Host = "127.0.0.1:8080" }, false, false},
		"http on ::1":             {func(q *http.Request) { q.Host = "[::1]:8080" }, false, false},
		"http from elsewhere":     {func(q *http.Request) { q.Host = "docs.example.com" }, false, true},
		"http on another address": {func(q *http.Request) { q.Host = "192.0.2.7" }, false, true},
		"https in the words of a stranger": {func(q *http.Request) {
			q.Host = "docs.example.com"
			q.RemoteAddr = "203.0.113.9:99"
			q.Header.Set("X-Forwarded-Proto", "https")
		}, false, true},
	} {
		q := httptest.NewRequest(http.MethodPost, "http://localhost/dashboard/sign-in", nil)
		c.request(q)
		w := httptest.NewRecorder()
		r.service.SetCookie(w, q, "token")
		got := w.Result().Cookies()[0]
		wantName := "lectern_session"
		if c.secure {
			wantName = "__Host-lectern"
		}
		if got.Name != wantName || got.Secure != c.secure || !got.HttpOnly || got.SameSite != http.SameSiteLaxMode ||
			got.Path != "/" || got.Domain != "" || got.MaxAge != 8*3600 {
			t.Errorf("%s: %s", name, got)
		}
		if err := r.service.CheckTransport(q); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
		w = httptest.NewRecorder()
		r.service.ClearCookie(w, q)
		if got := w.Result().Cookies()[0]; got.Name != wantName || got.MaxAge != -1 || got.Value != "" {
			t.Errorf("%s: clearing sets %s", name, got)
		}
	}
	r.options.AllowHTTP = true
	q := httptest.NewRequest(http.MethodPost, "http://docs.example.com/dashboard/sign-in", nil)
	r.ok(signin.New(r.options).CheckTransport(q))
}

// A cookie set over plain HTTP is ignored over HTTPS, because someone on the network could have planted it.
func TestPlainHTTPCookieIsIgnoredOnHTTPS(t *testing.T) {
	r := newRig(t, func(o *signin.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	r.member("owner@example.com", account.RoleOwner)
	token, _ := r.in("owner@example.com")
	q := r.request(token)
	q.RemoteAddr = "10.1.2.3:99"
	q.Header.Set("X-Forwarded-Proto", "https")
	if _, err := r.service.Find(q); err == nil {
		t.Error("the cookie was accepted")
	}
	q.AddCookie(&http.Cookie{Name: "__Host-lectern", Value: token})
	if _, err := r.service.Find(q); err != nil {
		t.Error(err)
	}
}

func TestSignOutEndsSessionAndStreams(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	token, v := r.in("owner@example.com")
	other, _ := r.in("owner@example.com")
	caller := r.service.Caller(v)
	p, err := caller(t.Context())
	r.ok(err)
	if p.Actor() != r.memberID("owner@example.com") || p.Organization.ID != r.org.ID {
		t.Errorf("the caller is %+v", p)
	}
	r.ok(r.service.SignOut(t.Context(), v, r.browser(token)))
	if r.live(token) || !r.live(other) {
		t.Error("the wrong sessions ended")
	}
	_, err = caller(t.Context())
	r.refused(err, "session_ended")
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.sign_out")
}

func TestPeopleCanEndOnlyTheirOwnSessions(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	here, v := r.in("owner@example.com")
	there, other := r.in("owner@example.com")
	third, _ := r.in("owner@example.com")
	theirs, foreign := r.in("viewer@example.com")
	r.refused(r.service.EndSession(t.Context(), v, foreign.Session.ID, r.browser(here)), "unknown_session")
	r.ok(r.service.EndSession(t.Context(), v, other.Session.ID, r.browser(here)))
	if r.live(there) || !r.live(here) || !r.live(third) || !r.live(theirs) {
		t.Error("the wrong session ended")
	}
	r.refused(r.service.EndSession(t.Context(), v, other.Session.ID, r.browser(here)), "unknown_session")
	r.ok(r.service.EndOthers(t.Context(), v, r.browser(here)))
	if !r.live(here) || r.live(third) || !r.live(theirs) {
		t.Error("the wrong sessions ended")
	}
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.sign_in", "session.end", "session.end")
	list, err := r.service.Sessions(t.Context(), v)
	r.ok(err)
	if len(list) != 1 || list[0].ID != v.Session.ID {
		t.Errorf("%d sessions are listed", len(list))
	}
}

func TestSessionCanSwitchOnlyToOwnOrganizations(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	second, foreign := r.organization("Second"), r.organization("Foreign")
	r.clock.Advance(time.Second)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), second.ID, "owner@example.com", account.RoleViewer)
		return err
	})
	token, v := r.in("owner@example.com")
	caller := r.service.Caller(v)
	r.refused(r.service.Switch(t.Context(), v, foreign.ID), "unknown_organization")
	r.refused(r.service.Switch(t.Context(), v, ""), "unknown_organization")
	r.ok(r.service.Switch(t.Context(), v, second.ID))
	now := r.visit(token)
	if now.Membership.Organization.ID != second.ID || now.Membership.Member.Role != account.RoleViewer {
		t.Errorf("current membership: %+v", now.Membership)
	}
	_, err := caller(t.Context())
	r.refused(err, "no_membership") // a request that started for the first organization does not continue in the second
	_, again := r.in("owner@example.com")
	if again.Membership.Organization.ID != second.ID {
		t.Error("a new session has a different organization than the last one")
	}
	if names := []string{again.Memberships[0].Organization.Name,
		again.Memberships[1].Organization.Name}; !slices.Equal(names, []string{"Acme", "Second"}) {
		t.Errorf("organizations: %v", names)
	}
}

func TestPersonWithoutOrganizationCanSignIn(t *testing.T) {
	r := newRig(t)
	r.member("nobody@example.com", "")
	_, v := r.in("nobody@example.com")
	if v.Membership != nil || len(v.Memberships) != 0 {
		t.Errorf("%+v", v)
	}
	_, err := r.service.Caller(v)(t.Context())
	r.refused(err, "no_membership")
}

func TestLongUserAgentIsTruncated(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	q := r.request("")
	q.Header.Set("User-Agent", strings.Repeat("é", 5000))
	in, err := r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: r.service.Browser(q, "")})
	r.ok(err)
	if got := r.visit(in.Token).Session.Agent; got != strings.Repeat("é", 150) {
		t.Errorf("%d bytes were stored: %q", len(got), got)
	}
}
