package signin_test

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

func TestCorrectPasswordStartsSession(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	in, err := r.service.SignIn(t.Context(), r.attempt(" Owner@Example.com ", goodPassword))
	r.ok(err)
	v := r.visit(in.Token)
	if v.Person.Email != "owner@example.com" || v.Membership == nil || v.Membership.Organization.ID != r.org.ID ||
		v.Session.Method != "password" || v.Session.Address != "192.0.2.1" {
		t.Errorf("the visit is %+v", v)
	}
	r.did("owner@example.com", "member.sign_in")
}

// The response does not reveal which addresses have an account.
func TestEveryWrongAttemptGetsSameResponse(t *testing.T) {
	r := newRig(t, atProductionCost)
	r.member("owner@example.com", account.RoleOwner)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.CreatePerson(t.Context(),
			account.Person{Email: "provided@example.com", Issuer: "https://id.example.com", Subject: "1"})
		return err
	})
	var first *fault.Error
	for name, a := range map[string]signin.Attempt{
		"wrong password":     r.attempt("owner@example.com", otherPassword),
		"no password":        r.attempt("owner@example.com", ""),
		"unknown address":    r.attempt("nobody@example.com", goodPassword),
		"account without":    r.attempt("provided@example.com", goodPassword),
		"empty for without":  r.attempt("provided@example.com", ""),
		"no address":         r.attempt("not an address", goodPassword),
		"nothing":            r.attempt("", ""),
		"password too long":  r.attempt("owner@example.com", strings.Repeat("x", 60_000)),
		"password as a hash": r.attempt("owner@example.com", r.person("owner@example.com").PasswordHash),
	} {
		var cost uint64
		in, err := signin.Entered{}, error(nil)
		cost = spent(func() { in, err = r.service.SignIn(t.Context(), a) })
		f, ok := fault.As(err)
		if !ok || in != (signin.Entered{}) || f.Code != "wrong_credentials" || f.Kind != fault.Unauthenticated ||
			f.Public != "E-mail address or password is wrong." {
			t.Fatalf("%s: %+v, %v", name, in, err)
		}
		if first == nil {
			first = f
		}
		if !reflect.DeepEqual(f, first) {
			t.Errorf("%s gets a different response: %+v and %+v", name, f, first)
		}
		if cost < 19<<20 { // the work is measured by its memory in bytes, which a shortcut would not use
			t.Errorf("%s took %d bytes: the password was not hashed", name, cost)
		}
	}
	if got := r.actions(""); len(got) != 0 {
		t.Errorf("failures are in the audit log: %v", got)
	}
}

func spent(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestOutdatedHashIsReplacedAtSignIn(t *testing.T) {
	r := newRig(t, atProductionCost)
	p := r.member("owner@example.com", account.RoleOwner)
	// Hash of "password", with a short salt.
	p.PasswordHash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	r.tx(func(tx *store.Tx) error { return tx.UpdatePerson(t.Context(), p) })
	in := func() {
		_, err := r.service.SignIn(t.Context(), r.attempt("owner@example.com", "password"))
		r.ok(err)
	}
	in()
	now := r.person("owner@example.com").PasswordHash
	if now == p.PasswordHash || !strings.HasPrefix(now, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hash is %s", now)
	}
	in()
	if r.person("owner@example.com").PasswordHash != now {
		t.Error("a current hash was replaced")
	}
}

func TestFailuresFromOneNetworkCauseLockout(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	try := func(address, email, password string) error {
		_, err := r.service.SignIn(t.Context(),
			signin.Attempt{Email: email, Password: password, Browser: signin.Browser{Address: address}})
		return err
	}
	for i := range 30 {
		r.refused(try("2001:db8::"+string(rune('a'+i%6)), "guess"+string(rune('a'+i))+"@example.com", goodPassword),
			"wrong_credentials")
	}
	// The owner of one IPv6 address usually has the whole network.
	r.refused(try("2001:db8::ffff", "owner@example.com", goodPassword), "too_many_attempts")
	r.ok(try("2001:db8:0:1::1", "owner@example.com", goodPassword))
	r.ok(try("192.0.2.9", "owner@example.com", goodPassword))
	r.clock.Advance(15 * time.Minute)
	r.ok(try("2001:db8::a", "owner@example.com", goodPassword))
}

func TestSuccessfulSignInsAreNotLimited(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	for range 31 {
		r.in("owner@example.com")
	}
}

func TestCanceledSignInStopsWaiting(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.service.SignIn(ctx, r.attempt("owner@example.com", goodPassword)); err == nil {
		t.Error("a canceled sign-in succeeded")
	}
	r.in("owner@example.com")
}

// K10: no password or token appears in a table or a log.
func TestSecretsAreNeitherStoredNorLogged(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	_, _ = r.service.SignIn(t.Context(), r.attempt("owner@example.com", otherPassword))
	_, _ = r.service.SignIn(t.Context(), r.attempt(otherPassword, goodPassword))
	secret, recovery, token := r.withTOTP("owner@example.com")
	code := r.code(secret)
	in, err := r.service.Second(t.Context(), r.half("owner@example.com"), code, r.browser(""))
	r.ok(err)
	link := r.invite(account.InviteJoin, "new@example.com", account.RoleViewer, "operator")
	joined, err := r.service.Join(t.Context(), link, signin.Joining{Password: otherPassword, Browser: r.browser("")})
	r.ok(err)
	kept := r.words() + r.log.String()
	for name, s := range map[string]string{"password": goodPassword, "new password": otherPassword, "token": token,
		"second token": in.Token, "third token": joined.Token,
		"link": link, "secret": secret, "recovery code": recovery[0], "form token": account.FormToken(in.Token)} {
		if strings.Contains(kept, s) {
			t.Errorf("the %s is stored or logged", name)
		}
		if len(s) > 24 && strings.Contains(kept, s[:12]) {
			t.Errorf("a part of the %s is stored or logged", name)
		}
	}
	if !strings.Contains(kept, account.TokenHash(in.Token)) || !strings.Contains(r.log.String(), "sign-in failed") {
		t.Error("the test looked in the wrong place")
	}
}
