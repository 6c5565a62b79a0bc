package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/store"
)

var (
	setupKey     = regexp.MustCompile(`Or type the key: <span class="copy" data-copy><code>([A-Z2-7]{32})</code>`)
	recoveryCode = regexp.MustCompile(`(?m)^(?:.*<code>)?([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})$`)
)

// turnOn sets up a second factor through the pages and returns the secret and the recovery codes.
func (w *walker) turnOn(r *rig) (secret string, codes []string) {
	w.t.Helper()
	w.open("/dashboard/account")
	w.send("/dashboard/account/two-factor/begin")
	w.is(http.StatusOK, "Scan this", `<svg xmlns="http://www.w3.org/2000/svg"`, `href="otpauth://totp/`,
		`autocomplete="one-time-code"`)
	m := setupKey.FindStringSubmatch(w.page.body)
	if m == nil {
		w.t.Fatalf("the page has no key:\n%s", w.page.body)
	}
	w.send("/dashboard/account/two-factor/confirm", "code", "000000", "current", goodPassword)
	w.is(http.StatusBadRequest, "That is not the current code of the app.", m[1]) // the page shows the same key again
	w.send("/dashboard/account/two-factor/confirm", "code", totpCode(w.t, m[1], r.clock.Now()), "current", goodPassword)
	w.is(http.StatusOK, "they are shown only once")
	for _, c := range recoveryCode.FindAllStringSubmatch(w.page.body, -1) {
		codes = append(codes, c[1])
	}
	if len(codes) != 10 {
		w.t.Fatalf("%d recovery codes are shown:\n%s", len(codes), w.page.body)
	}
	return m[1], codes
}

func TestTwoFactorSignInNeedsACode(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	w := r.walker()
	w.signIn("owner@example.com")
	before := w.token()
	secret, codes := w.turnOn(r)
	if w.token() == before {
		t.Error("the token was not rotated (K10)")
	}
	w.send("/dashboard/account/name", "name", "Still me") // the page already belongs to the new session
	w.leads("/dashboard/account?did=name-saved")
	w.follow()
	w.is(http.StatusOK, "10 recovery codes left.", "Your name was changed.")
	if slices.ContainsFunc(codes, func(c string) bool { return strings.Contains(w.page.body, c) }) ||
		strings.Contains(w.page.body, secret) {
		t.Error("a secret is shown again")
	}
	if status, _ := r.get("owner", "/dashboard/account"); status != http.StatusSeeOther {
		t.Errorf("the person's other session: %d", status)
	}

	r.clock.Advance(time.Minute)
	other := r.walker()
	other.open("/dashboard/sign-in?next=/dashboard/projects")
	other.send("/dashboard/sign-in", "email", "owner@example.com", "password", goodPassword)
	other.is(http.StatusOK, "Six digits from your authenticator app", `autocomplete="one-time-code"`)
	if other.token() != "" {
		t.Fatal("the password alone was enough for a session")
	}
	other.send("/dashboard/sign-in/code", "code", "123")
	other.is(http.StatusUnauthorized, "That code is wrong, expired or already used.")
	other.send("/dashboard/sign-in/code", "code", totpCode(t, secret, r.clock.Now()))
	other.leads("/dashboard/projects")

	third := r.walker()
	third.signIn("owner@example.com")
	third.send("/dashboard/sign-in/code", "code", codes[0])
	third.leads("/dashboard/account?did=recovery-used")
	third.follow()
	third.is(http.StatusOK, "cannot be used again", "9 recovery codes left.")
	third.send("/dashboard/account/two-factor/codes", "current", otherPassword)
	third.is(http.StatusBadRequest, "The current password is wrong.")
	third.send("/dashboard/account/two-factor/codes", "current", goodPassword)
	third.is(http.StatusOK, "they are shown only once")
	third.send("/dashboard/account/two-factor/off", "current", goodPassword)
	third.leads("/dashboard/account?did=two-factor-off")
	last := r.walker()
	last.signIn("owner@example.com")
	last.leads("/dashboard/")

	kept := r.everything() + r.log.String()
	for _, s := range append(codes, secret, goodPassword, third.token(), before) {
		if strings.Contains(kept, s) {
			t.Errorf("%s is stored or logged", s)
		}
	}
}

func TestExpiredPendingSignInReturnsToPasswordForm(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	w := r.walker()
	w.signIn("owner@example.com")
	secret, _ := w.turnOn(r)
	r.clock.Advance(time.Minute)
	late := r.walker()
	late.signIn("owner@example.com")
	r.clock.Advance(5 * time.Minute)
	late.send("/dashboard/sign-in/code", "code", totpCode(t, secret, r.clock.Now()))
	late.is(http.StatusUnauthorized, "This took too long", `name="password"`)
	forged := r.send("", http.MethodPost, "/dashboard/sign-in/code",
		url.Values{"half": {"AAAA"}, "code": {totpCode(t, secret, r.clock.Now())}})
	if forged.status != http.StatusUnauthorized || forged.header.Get("Set-Cookie") != "" {
		t.Errorf("%d %s", forged.status, forged.header)
	}
}

// K10: changing the password rotates the token and ends the other sessions.
func TestPasswordChangeEndsOtherSessions(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	w, other := r.walker(), r.walker()
	w.signIn("owner@example.com")
	other.signIn("owner@example.com")
	before := w.token()
	w.open("/dashboard/account")
	w.send("/dashboard/account/password", "current", otherPassword, "password", otherPassword)
	w.is(http.StatusBadRequest, "The current password is wrong.")
	w.send("/dashboard/account/password", "current", goodPassword, "password", "short")
	w.is(http.StatusBadRequest, "at least 12 characters", `id="new-password-error"`)
	w.send("/dashboard/account/password", "current", goodPassword, "password", otherPassword)
	w.leads("/dashboard/account?did=password-changed")
	w.follow()
	w.is(http.StatusOK, "Your password was changed.")
	if w.token() == before || strings.Contains(w.page.header.Get("Location"), w.token()) {
		t.Error("the token was not rotated")
	}
	other.open("/dashboard/account")
	other.leads("/dashboard/sign-in?next=%2Fdashboard%2Faccount")
	events := strings.Join(r.auditEvents(r.a.org.ID), "\n")
	if !strings.Contains(events, r.people["owner"].member.ID+" member.password ") {
		t.Errorf("the audit log lacks it:\n%s", events)
	}
}

func TestPeopleSeeAndEndTheirSessions(t *testing.T) {
	r := newRig(t)
	r.withPassword("owner")
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateSession(t.Context(), account.Session{Hash: account.TokenHash("x"),
			PersonID: r.people["owner"].person.ID, OrganizationID: r.a.org.ID, Method: "password",
			Address: "203.0.113.9", Agent: `<script>alert("agent")</script>`})
		return err
	}))
	w := r.walker()
	w.signIn("owner@example.com")
	w.open("/dashboard/account")
	w.is(http.StatusOK, "203.0.113.9", "Firefox on Linux", "Sign out everywhere else")
	if strings.Contains(w.page.body, "<script>alert") || !strings.Contains(w.page.body, "&lt;script&gt;alert") {
		t.Error("a browser's name was rendered as markup")
	}
	foreign, err := r.store.ListSessions(t.Context(), r.people["foreign"].person.ID)
	must(t, err)
	w.send("/dashboard/account/sessions/end", "session", foreign[0].ID)
	w.is(http.StatusNotFound, "That session has already ended.")
	if status, _ := r.get("foreign", "/dashboard/account"); status != http.StatusOK {
		t.Error("another user's session ended")
	}
	w.send("/dashboard/account/sessions/end-others")
	w.leads("/dashboard/account?did=sessions-ended")
	if status, _ := r.get("owner", "/dashboard/account"); status != http.StatusSeeOther {
		t.Errorf("the other session: %d", status)
	}
	w.follow()
	if strings.Contains(w.page.body, "203.0.113.9") || strings.Contains(w.page.body, "Sign out everywhere else") {
		t.Error("the other sessions are still listed")
	}
	w.send("/dashboard/account/sessions/end")
	w.leads("/dashboard/sign-in?did=signed-out")
	if w.token() != "" {
		t.Error("the cookie is still set")
	}
}

func TestPersonWithoutAnOrganizationSeesTheirAccount(t *testing.T) {
	r := newRig(t)
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreatePerson(t.Context(), account.Person{Email: "nobody@example.com", PasswordHash: goodHash()})
		return err
	}))
	w := r.walker()
	w.signIn("nobody@example.com")
	w.leads("/dashboard/")
	w.follow()
	w.is(http.StatusForbidden, "You are not in an organization")
	w.open("/dashboard/account")
	w.is(http.StatusOK, "nobody@example.com")
	w.send("/dashboard/sign-out")
	w.leads("/dashboard/sign-in?did=signed-out")
}
