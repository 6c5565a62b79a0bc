package signin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

// K10: changes to the second factor rotate the token and end the other sessions.
func TestTurningSecondFactorOnRotatesSession(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	before, _ := r.in("owner@example.com")
	secret, recovery, token := r.withTOTP("owner@example.com")
	if r.live(before) || !r.live(token) || len(recovery) != 10 {
		t.Errorf("before %v, now %v, %d recovery codes", r.live(before), r.live(token), len(recovery))
	}
	half := r.half("owner@example.com")
	in, err := r.service.Second(t.Context(), half, " "+r.code(secret)[:3]+" "+r.code(secret)[3:], r.browser(""))
	r.ok(err)
	if !r.live(in.Token) || in.RecoveryLeft != -1 {
		t.Errorf("%+v", in)
	}
	_, err = r.service.Second(t.Context(), half, r.code(secret), r.browser(""))
	r.refused(err, "invalid_code") // the same code again
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.totp_on", "member.sign_in")
}

func TestEnrolmentCodeCannotBeReused(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	token, v := r.in("owner@example.com")
	s, err := r.service.BeginTOTP(v, "Lectern")
	r.ok(err)
	code := r.code(s.Secret)
	_, _, err = r.service.ConfirmTOTP(t.Context(), v, s.Sealed, code, goodPassword, r.browser(token))
	r.ok(err)
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), code, r.browser(""))
	r.refused(err, "invalid_code")
}

func TestRecoveryCodeWorksOnceAndReportsRemaining(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	_, recovery, _ := r.withTOTP("owner@example.com")
	in, err := r.service.Second(t.Context(), r.half("owner@example.com"), " "+strings.ToUpper(recovery[3])+" ",
		r.browser(""))
	r.ok(err)
	if in.RecoveryLeft != 9 || !r.live(in.Token) {
		t.Errorf("%+v", in)
	}
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), recovery[3], r.browser(""))
	r.refused(err, "invalid_code")
	for i, code := range recovery {
		if i == 3 {
			continue
		}
		in, err := r.service.Second(t.Context(), r.half("owner@example.com"), code, r.browser(""))
		r.ok(err)
		if want := 9 - i; i < 3 && in.RecoveryLeft != want-1 {
			t.Errorf("code %d: %d left", i, in.RecoveryLeft)
		}
	}
	if left := len(r.person("owner@example.com").Recovery); left != 0 {
		t.Errorf("%d are left", left)
	}
}

func TestNewRecoveryCodesReplaceOldOnes(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	_, old, token := r.withTOTP("owner@example.com")
	v := r.visit(token)
	_, _, err := r.service.NewRecovery(t.Context(), v, otherPassword, r.browser(token))
	r.refused(err, "wrong_password")
	next, codes, err := r.service.NewRecovery(t.Context(), v, goodPassword, r.browser(token))
	r.ok(err)
	if r.live(token) || !r.live(next) || len(codes) != 10 {
		t.Error("the session was not rotated")
	}
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), old[0], r.browser(""))
	r.refused(err, "invalid_code")
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), codes[0], r.browser(""))
	r.ok(err)
}

func TestTurningSecondFactorOffRequiresPassword(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	_, _, token := r.withTOTP("owner@example.com")
	v := r.visit(token)
	_, err := r.service.EndTOTP(t.Context(), v, "", r.browser(token))
	r.refused(err, "wrong_password")
	if !r.live(token) || !r.person("owner@example.com").TwoFactor() {
		t.Error("a refused request changed something")
	}
	next, err := r.service.EndTOTP(t.Context(), v, goodPassword, r.browser(token))
	r.ok(err)
	if r.live(token) || !r.live(next) || r.person("owner@example.com").TwoFactor() ||
		len(r.person("owner@example.com").Recovery) != 0 {
		t.Error("the second factor is still on, or the session was not rotated")
	}
	r.in("owner@example.com")
	r.did("owner@example.com", "member.sign_in", "member.totp_on", "member.totp_off", "member.sign_in")
}

func TestSecondFactorRequiresConfirmation(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	token, v := r.in("owner@example.com")
	otherToken, other := r.in("viewer@example.com")
	s, err := r.service.BeginTOTP(v, "Lectern")
	r.ok(err)
	if strings.Contains(s.Sealed, s.Secret) || !strings.Contains(s.URI, s.Secret) || !strings.HasPrefix(s.QR, "<svg") {
		t.Errorf("%+v", s)
	}
	confirm := func(v signin.Visit, token, sealed, code, password string) error {
		_, codes, err := r.service.ConfirmTOTP(t.Context(), v, sealed, code, password, r.browser(token))
		if (err == nil) != (len(codes) > 0) {
			t.Errorf("%v with %d codes", err, len(codes))
		}
		return err
	}
	r.refused(confirm(v, token, s.Sealed, "000000", goodPassword), "invalid_code")
	r.refused(confirm(v, token, s.Sealed, r.code(s.Secret), otherPassword), "wrong_password")
	r.refused(confirm(v, token, "", r.code(s.Secret), goodPassword), "start_over")
	r.refused(confirm(v, token, s.Sealed+"A", r.code(s.Secret), goodPassword), "start_over")
	r.refused(confirm(other, otherToken, s.Sealed, r.code(s.Secret), goodPassword), "start_over") // someone else's
	if r.person("owner@example.com").TwoFactor() || r.person("viewer@example.com").TwoFactor() || !r.live(token) {
		t.Error("a refused request changed something")
	}
	again, err := r.service.ResumeTOTP(v, "Lectern", s.Sealed)
	r.ok(err)
	if again != s {
		t.Error("the form for the next attempt has a different secret")
	}
	r.clock.Advance(15 * time.Minute)
	r.refused(confirm(v, token, s.Sealed, r.code(s.Secret), goodPassword), "start_over")
	s, err = r.service.BeginTOTP(v, "Lectern")
	r.ok(err)
	r.ok(confirm(v, token, s.Sealed, r.code(s.Secret), goodPassword))
	_, err = r.service.BeginTOTP(signin.Visit{Person: r.person("owner@example.com")}, "Lectern")
	r.refused(err, "second_factor_on")
}

func TestPendingSignInExpires(t *testing.T) {
	for name, kill := range map[string]func(r *rig, half *string, token string){
		"by time":      func(r *rig, _ *string, _ string) { r.clock.Advance(5 * time.Minute) },
		"by a change":  func(_ *rig, half *string, _ string) { *half = flip((*half)[:1]) + (*half)[1:] },
		"by being cut": func(_ *rig, half *string, _ string) { *half = (*half)[:len(*half)-4] },
		"by absence":   func(_ *rig, half *string, _ string) { *half = "" },
		"by another key": func(r *rig, _ *string, _ string) {
			r.options.Masters = [][]byte{olderMaster}
			r.service = signin.New(r.options)
		},
		"by another kind of sealed value": func(r *rig, half *string, token string) {
			*half = r.person("owner@example.com").TOTPSealed
		},
		"by a new password": func(r *rig, _ *string, token string) {
			_, err := r.service.ChangePassword(r.Context(), r.visit(token), goodPassword, otherPassword,
				r.browser(token))
			r.ok(err)
		},
		"by a new second factor": func(r *rig, _ *string, token string) {
			next, err := r.service.EndTOTP(r.Context(), r.visit(token), goodPassword, r.browser(token))
			r.ok(err)
			s, err := r.service.BeginTOTP(r.visit(next), "Lectern")
			r.ok(err)
			_, _, err = r.service.ConfirmTOTP(r.Context(), r.visit(next), s.Sealed, r.code(s.Secret), goodPassword,
				r.browser(next))
			r.ok(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.member("owner@example.com", account.RoleOwner)
			secret, _, token := r.withTOTP("owner@example.com")
			half := r.half("owner@example.com")
			kill(r, &half, token)
			in, err := r.service.Second(t.Context(), half, r.code(secret), r.browser(""))
			r.refused(err, "start_over")
			if in != (signin.Entered{}) {
				t.Errorf("%+v", in)
			}
		})
	}
}

// One person's pending sign-in does not work with another person's code.
func TestPendingSignInIsBoundToPerson(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	ownSecret, _, _ := r.withTOTP("owner@example.com")
	secret, recovery, _ := r.withTOTP("viewer@example.com")
	half := r.half("owner@example.com")
	for _, code := range []string{r.code(secret), recovery[0], "", "000000x"} {
		_, err := r.service.Second(t.Context(), half, code, r.browser(""))
		r.refused(err, "invalid_code")
	}
	in, err := r.service.Second(t.Context(), half, r.code(ownSecret), r.browser(""))
	r.ok(err)
	if r.visit(in.Token).Person.Email != "owner@example.com" {
		t.Error("the wrong person was signed in")
	}
}

func TestWrongCodesCauseLockout(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	secret, _, token := r.withTOTP("owner@example.com")
	half := r.half("owner@example.com")
	second := func(half, code string) error {
		_, err := r.service.Second(t.Context(), half, code, r.browser(""))
		return err
	}
	for range 5 {
		r.refused(second(half, "000000"), "invalid_code")
	}
	r.refused(second(half, r.code(secret)), "too_many_attempts") // a new sign-in is required
	half = r.half("owner@example.com")
	for range 5 {
		r.refused(second(half, "000000"), "invalid_code")
	}
	// The attacker knows the password: entering it again does not allow more codes.
	err := second(r.half("owner@example.com"), r.code(secret))
	r.refused(err, "too_many_attempts")
	if f, ok := fault.As(err); !ok || f.RetryAfter != 15*time.Minute {
		t.Errorf("%+v", f)
	}
	if !r.live(token) {
		t.Error("someone else's failures ended the person's session")
	}
	r.clock.Advance(15 * time.Minute)
	r.ok(second(r.half("owner@example.com"), r.code(secret)))
}

func TestSecondFactorsSurviveMasterKeyChange(t *testing.T) {
	r := newRig(t, func(o *signin.Options) { o.Masters = [][]byte{olderMaster} })
	r.member("owner@example.com", account.RoleOwner)
	secret, recovery, _ := r.withTOTP("owner@example.com")
	before := r.person("owner@example.com").TOTPSealed
	r.options.Masters = [][]byte{master, olderMaster}
	r.service = signin.New(r.options)
	_, err := r.service.Second(t.Context(), r.half("owner@example.com"), recovery[0], r.browser(""))
	r.ok(err)
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), r.browser(""))
	r.ok(err)
	if r.person("owner@example.com").TOTPSealed == before {
		t.Error("the secret was not re-encrypted")
	}
	r.options.Masters = [][]byte{master}
	r.service = signin.New(r.options)
	r.clock.Advance(time.Minute)
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), r.browser(""))
	r.ok(err)
	r.options.Masters = [][]byte{olderMaster}
	r.service = signin.New(r.options)
	_, err = r.service.Second(t.Context(), r.half("owner@example.com"), r.code(secret), r.browser(""))
	r.refused(err, "second_factor_lost")
}

func TestSecondFactorRequiresPassword(t *testing.T) {
	r := newRig(t)
	var p account.Person
	r.tx(func(tx *store.Tx) (err error) {
		p, err = tx.CreatePerson(t.Context(),
			account.Person{Email: "provided@example.com", Issuer: "https://id.example.com", Subject: "1"})
		return err
	})
	_, err := r.service.BeginTOTP(signin.Visit{Person: p}, "Lectern")
	r.refused(err, "no_password")
	_, err = r.service.ChangePassword(t.Context(), signin.Visit{Person: p}, "", goodPassword, r.browser(""))
	r.refused(err, "no_password")
}

// flip returns a different letter.
func flip(letter string) string {
	if letter == "A" {
		return "B"
	}
	return "A"
}
