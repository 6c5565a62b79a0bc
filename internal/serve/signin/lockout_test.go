package signin_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// from attempts to sign in to an account from an address.
func (r *rig) from(address, email, password string) error {
	a := r.attempt(email, password)
	a.Address = address
	_, err := r.service.SignIn(r.Context(), a)
	return err
}

// attack makes n failed attempts at an account, each from a different network.
func (r *rig) attack(email string, n int) {
	r.Helper()
	for i := range n {
		r.refused(r.from(fmt.Sprintf("198.51.%d.%d", 100+i/250, i%250), email, otherPassword), "wrong_credentials")
	}
}

// knownBrowser returns the browser in which someone signed in, now at the given address.
func (r *rig) knownBrowser(in signin.Entered, address string) signin.Browser {
	r.Helper()
	w := httptest.NewRecorder()
	r.service.LetIn(w, r.request(""), in)
	q := r.request("")
	for _, c := range w.Result().Cookies() {
		if !c.HttpOnly || c.Path != "/" || c.Domain != "" {
			r.Errorf("cookie %s", c)
		}
		q.AddCookie(c)
	}
	b := r.service.Browser(q, "req_test")
	b.Address = address
	return b
}

// Wrong passwords for one account from one network lock out that network only.
func TestFailedAttemptsLockOutOnlyTheirNetwork(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	token, _ := r.in("owner@example.com")
	for range 9 {
		r.refused(r.from("198.51.100.1", "owner@example.com", otherPassword), "wrong_credentials")
	}
	r.ok(r.from("198.51.100.1", "owner@example.com", goodPassword)) // within the limit: the count starts over
	for range 10 {
		r.refused(r.from("198.51.100.1", "owner@example.com", otherPassword), "wrong_credentials")
	}
	r.clock.Advance(time.Minute)
	err := r.from("198.51.100.1", "owner@example.com", goodPassword)
	r.refused(err, "too_many_attempts")
	if f, ok := fault.As(err); !ok || f.Kind != fault.RateLimited || f.RetryAfter != 14*time.Minute ||
		f.Hint != "Try again in 14 minutes." {
		t.Errorf("%+v", f)
	}
	r.ok(r.from("198.51.100.2", "owner@example.com", goodPassword))
	if !r.live(token) {
		t.Error("failures ended the person's session")
	}
	r.clock.Advance(14*time.Minute - time.Microsecond)
	r.refused(r.from("198.51.100.1", "owner@example.com", goodPassword), "too_many_attempts")
	r.clock.Advance(time.Microsecond)
	r.ok(r.from("198.51.100.1", "owner@example.com", goodPassword))
}

// An attack from many networks slows down unknown browsers but never locks the person out, whether they use a new
// browser or a known one.
func TestAttackersCannotLockPersonOut(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	in, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.ok(err)
	r.attack("owner@example.com", 20)
	if len(r.waits) != 0 {
		t.Errorf("delays after a few failures: %v", r.waits)
	}
	r.attack("owner@example.com", 100)
	if !slices.IsSorted(r.waits) || r.waits[0] != time.Second || r.waits[len(r.waits)-1] != 8*time.Second ||
		len(r.waits) != 100 {
		t.Errorf("waits: %v", r.waits)
	}
	r.waits = nil
	r.ok(r.from("203.0.113.77", "owner@example.com", goodPassword)) // an unknown browser and network
	if !slices.Equal(r.waits, []time.Duration{8 * time.Second}) {
		t.Errorf("a new browser waited %v", r.waits)
	}
	r.waits = nil
	known := r.knownBrowser(in, "203.0.113.78")
	_, err = r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: known})
	r.ok(err)
	if len(r.waits) != 0 {
		t.Errorf("a known browser waited %v", r.waits)
	}
	// During the attack, a network has three attempts instead of ten.
	for range 3 {
		r.refused(r.from("203.0.113.79", "owner@example.com", otherPassword), "wrong_credentials")
	}
	r.refused(r.from("203.0.113.79", "owner@example.com", goodPassword), "too_many_attempts")
}

// A known browser has a separate count: its network's failures do not block it, and it has no more attempts than
// others.
func TestKnownBrowserHasSeparateFailureCount(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("other@example.com", account.RoleViewer)
	in, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.ok(err)
	const shared = "192.0.2.50"
	known := r.knownBrowser(in, shared)
	try := func(email, password string) error {
		_, err := r.service.SignIn(t.Context(), signin.Attempt{Email: email, Password: password, Browser: known})
		return err
	}
	for i := range 30 {
		r.refused(r.from(shared, fmt.Sprint("guess", i, "@example.com"), goodPassword), "wrong_credentials")
	}
	r.refused(r.from(shared, "owner@example.com", goodPassword), "too_many_attempts")
	r.ok(try("owner@example.com", goodPassword))
	r.refused(try("other@example.com", goodPassword), "too_many_attempts") // it is known only for one person
	for range 10 {
		r.refused(try("owner@example.com", otherPassword), "wrong_credentials")
	}
	r.refused(try("owner@example.com", goodPassword), "too_many_attempts")
	r.clock.Advance(15 * time.Minute)
	r.ok(try("owner@example.com", goodPassword))
	// The browser is forgotten after some time.
	r.clock.Advance(180 * 24 * time.Hour)
	r.attack("owner@example.com", 25)
	r.waits = nil
	r.ok(try("owner@example.com", goodPassword))
	if len(r.waits) != 1 {
		t.Errorf("waits: %v", r.waits)
	}
}

// Limits and waits are the same for an address without an account.
func TestLimitsDoNotRevealWhichAccountsExist(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	story := func(email string) (out []string) {
		r.waits = nil
		for i := range 70 {
			address := fmt.Sprintf("198.18.%d.7", i/12) // some networks reach their limit, some do not
			f, ok := fault.As(r.from(address+email[:1], email, otherPassword))
			if !ok {
				t.Fatal("no fault")
			}
			out = append(out, fmt.Sprint(f.Code, f.Public, f.Hint, f.RetryAfter, len(r.waits), r.waits))
		}
		return out
	}
	if with, without := story("owner@example.com"), story("nobody@example.com"); !slices.Equal(with, without) {
		t.Errorf("with an account:\n%q\nwithout:\n%q", with, without)
	}
}

// Someone who knows the password and guesses codes does not lock its owner out: a known browser and recovery codes
// still work.
func TestWrongCodesByOthersDoNotLockPersonOut(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	secret, recovery, _ := r.withTOTP("owner@example.com")
	in, err := r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), r.browser(""))
	r.ok(err)
	known := r.knownBrowser(in, "203.0.113.5")
	r.clock.Advance(time.Minute)
	stranger := signin.Browser{Address: "198.51.100.9"}
	for range 2 {
		half := r.half("owner@example.com")
		for range 5 {
			_, err := r.service.Second(t.Context(), half, "000000", stranger)
			r.refused(err, "invalid_code")
		}
	}
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), stranger)
	r.refused(err, "too_many_attempts")
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), recovery[0],
		signin.Browser{Address: "203.0.113.6"})
	r.ok(err)
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), known)
	r.ok(err)
}

// A correct password does not reset a known browser's count of wrong codes; only a correct code does.
func TestKnownBrowserHasSeparateCodeLimit(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	secret, recovery, _ := r.withTOTP("owner@example.com")
	in, err := r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), r.browser(""))
	r.ok(err)
	r.clock.Advance(time.Minute)
	known := r.knownBrowser(in, "203.0.113.5")
	try := func(code string) error {
		t.Helper()
		in, err := r.service.SignIn(t.Context(),
			signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: known})
		r.ok(err)
		_, err = r.service.Second(t.Context(), in.Half, code, known)
		return err
	}
	for range 9 {
		r.refused(try("000000"), "invalid_code")
	}
	r.ok(try(r.code(secret))) // within the limit: the count starts over
	r.clock.Advance(time.Minute)
	for range 10 {
		r.refused(try("000000"), "invalid_code")
	}
	r.refused(try("000000"), "too_many_attempts")
	r.refused(try(r.code(secret)), "too_many_attempts")
	r.refused(try(recovery[0]), "too_many_attempts")
	r.clock.Advance(15 * time.Minute)
	r.ok(try(r.code(secret)))
}

// Signing in again in a known browser does not create a second count: its old and new cookies share one.
func TestKnownBrowserKeepsCountAfterNewSignIn(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	in, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.ok(err)
	old := r.knownBrowser(in, "203.0.113.5")
	in, err = r.service.SignIn(t.Context(),
		signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: old})
	r.ok(err)
	renewed := r.knownBrowser(in, "203.0.113.5")
	for range 5 {
		for _, b := range []signin.Browser{old, renewed} {
			_, err := r.service.SignIn(t.Context(),
				signin.Attempt{Email: "owner@example.com", Password: otherPassword, Browser: b})
			r.refused(err, "wrong_credentials")
		}
	}
	for _, b := range []signin.Browser{old, renewed} {
		_, err := r.service.SignIn(t.Context(),
			signin.Attempt{Email: "owner@example.com", Password: goodPassword, Browser: b})
		r.refused(err, "too_many_attempts")
	}
}

// A password change forgets the browsers known from the old password.
func TestPasswordChangeForgetsKnownBrowsers(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	in, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.ok(err)
	known := r.knownBrowser(in, "203.0.113.5")
	_, err = r.service.ChangePassword(t.Context(), r.visit(in.Token), goodPassword, otherPassword, r.browser(in.Token))
	r.ok(err)
	for i := range 25 { // unknown browsers wait from here on
		r.refused(r.from(fmt.Sprintf("198.51.100.%d", i), "owner@example.com", goodPassword), "wrong_credentials")
	}
	waited := func(b signin.Browser) (signin.Entered, int) {
		t.Helper()
		r.waits = nil
		in, err := r.service.SignIn(t.Context(),
			signin.Attempt{Email: "owner@example.com", Password: otherPassword, Browser: b})
		r.ok(err)
		return in, len(r.waits)
	}
	in, n := waited(known)
	if n != 1 {
		t.Error("the browser is still known from the old password")
	}
	if _, n = waited(r.knownBrowser(in, "203.0.113.5")); n != 0 {
		t.Error("the browser is not known with the new password")
	}
}
