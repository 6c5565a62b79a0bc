package signin_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

// K10: a new password ends all of the person's sessions and starts one with a new token.
func TestPasswordResetEndsEverySession(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	first, _ := r.in("owner@example.com")
	second, _ := r.in("owner@example.com")
	others, _ := r.in("viewer@example.com")
	link := r.invite(account.InvitePassword, "owner@example.com", "", "operator")
	_, err := r.service.NewPassword(t.Context(), link, "owner12345678", r.browser(""))
	r.refused(err, "weak_password")
	if !r.live(first) {
		t.Error("a refused change ended a session")
	}
	in, err := r.service.NewPassword(t.Context(), link, otherPassword, r.browser(second))
	r.ok(err)
	if r.live(first) || r.live(second) || !r.live(in.Token) || !r.live(others) {
		t.Error("the wrong sessions ended")
	}
	_, err = r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.refused(err, "wrong_credentials")
	_, err = r.service.SignIn(t.Context(), r.attempt("owner@example.com", otherPassword))
	r.ok(err)
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.password", "member.sign_in",
		"member.sign_in")
}

// K10: when people change their own password, their other sessions end; the browser used for the change stays signed
// in, with a new token.
func TestPasswordChangeRequiresOldPasswordAndRotatesSession(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	here, v := r.in("owner@example.com")
	there, _ := r.in("owner@example.com")
	change := func(current, password string) (string, error) {
		return r.service.ChangePassword(t.Context(), v, current, password, r.browser(here))
	}
	_, err := change(otherPassword, otherPassword)
	r.refused(err, "wrong_password")
	_, err = change(goodPassword, "owner@example.com")
	r.refused(err, "weak_password")
	if !r.live(here) || !r.live(there) {
		t.Error("a refused change ended a session")
	}
	token, err := change(goodPassword, otherPassword)
	r.ok(err)
	if token == here || r.live(here) || r.live(there) || !r.live(token) {
		t.Error("the wrong sessions ended")
	}
	if now := r.visit(token); now.Membership.Organization.ID != r.org.ID || now.FormToken() == v.FormToken() {
		t.Error("the old session still works, or its forms do")
	}
	_, err = change(otherPassword, goodPassword) // with the ended session
	if err == nil {
		t.Error("an ended session changed the password")
	}
	r.did("owner@example.com", "member.sign_in", "member.sign_in", "member.password")
}

func TestStolenSessionCannotGuessPassword(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	token, v := r.in("owner@example.com")
	for range 10 {
		_, err := r.service.EndTOTP(t.Context(), v, otherPassword, r.browser(token))
		r.refused(err, "wrong_password")
	}
	_, err := r.service.ChangePassword(t.Context(), v, goodPassword, otherPassword, r.browser(token))
	r.refused(err, "too_many_attempts")
	own, mine := r.in("owner@example.com") // sign-ins are counted separately
	// The owner, in a separate session, signs the thief out.
	_, err = r.service.ChangePassword(t.Context(), mine, goodPassword, otherPassword, r.browser(own))
	r.ok(err)
	if r.live(token) {
		t.Error("the stolen session still works")
	}
}

func TestPeopleCanChangeTheirName(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	token, v := r.in("owner@example.com")
	r.refused(r.service.Rename(t.Context(), v, strings.Repeat("x", 101), r.browser(token)), "invalid_field")
	r.ok(r.service.Rename(t.Context(), v, " <b>Owner</b> ", r.browser(token)))
	if got := r.visit(token).Person.Called(); got != "<b>Owner</b>" {
		t.Errorf("the name is %q", got)
	}
	r.did("owner@example.com", "member.sign_in", "member.rename")
}

// An admin's link for a new password gives access only to what the admin could give access to when the link was
// created, not to anything added later.
func TestPasswordLinkIsVoidAfterRoleIncrease(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	r.member("editor@example.com", account.RoleEditor)
	m, err := r.store.FindMemberByEmail(t.Context(), r.org.ID, "editor@example.com")
	r.ok(err)
	link := func() string {
		return r.invite(account.InvitePassword, "editor@example.com", account.RoleEditor, "mem_of_an_admin")
	}
	promoted := link()
	r.tx(func(tx *store.Tx) error { return tx.SetRole(t.Context(), m, account.RoleOwner) })
	_, err = r.service.NewPassword(t.Context(), promoted, otherPassword, r.browser(""))
	r.refused(err, "unknown_invitation")

	m.Role = account.RoleOwner
	r.tx(func(tx *store.Tx) error { return tx.SetRole(t.Context(), m, account.RoleViewer) })
	elsewhere, second := link(), r.organization("Second")
	r.tx(func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), second.ID, "editor@example.com", account.RoleViewer)
		return err
	})
	_, err = r.service.NewPassword(t.Context(), elsewhere, otherPassword, r.browser(""))
	r.refused(err, "unknown_invitation")
	if _, err := r.service.SignIn(t.Context(),
		signin.Attempt{Email: "editor@example.com", Password: goodPassword, Browser: r.browser("")}); err != nil {
		t.Errorf("the old password no longer works: %v", err)
	}
}
