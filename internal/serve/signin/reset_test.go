package signin_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

func withMail(o *signin.Options) {
	o.Mail = true
	o.Store.SetWake(func(context.Context, any, task.Lane) error { return nil })
}

// Known and unknown addresses, and those without a password, leave the same kind of row and no other trace.
func TestResetTreatsAllAddressesAlike(t *testing.T) {
	r := newRig(t, withMail)
	r.member("owner@example.com", account.RoleOwner)
	for _, email := range []string{"owner@example.com", " Nobody@Example.com "} {
		r.ok(r.service.RequestReset(t.Context(), email, r.browser("")))
	}
	list, err := r.store.ListMails(t.Context(), r.org.ID)
	if err != nil || len(list) != 2 || list[0].Kind != list[1].Kind || list[0].State != list[1].State ||
		list[0].InvitationID != "" || list[1].InvitationID != "" || list[0].Sealed != "" || list[1].Sealed != "" {
		t.Errorf("mails %+v (error %v)", list, err)
	}
	if open, err := r.store.ListInvitations(t.Context(), r.org.ID); err != nil || len(open) != 0 {
		t.Errorf("the request created links: %+v (error %v)", open, err)
	}
	if got := r.actions(""); len(got) != 0 {
		t.Errorf("the request is in the audit log: %v", got)
	}
	r.refused(r.service.RequestReset(t.Context(), "no address", r.browser("")), "invalid_field")
}

func TestResetsAreLimited(t *testing.T) {
	r := newRig(t, withMail)
	r.member("owner@example.com", account.RoleOwner)
	ask := func(email, address string) error {
		return r.service.RequestReset(t.Context(), email, signin.Browser{Address: address})
	}
	for _, email := range []string{"owner@example.com", "nobody@example.com"} {
		for i := range 3 {
			r.ok(ask(email, fmt.Sprintf("192.0.2.%d", i)))
		}
		r.refused(ask(email, "192.0.2.9"), "too_many_resets")
	}
	for i := range 20 {
		r.ok(ask(fmt.Sprintf("%d@example.com", i), "198.51.100.1"))
	}
	r.refused(ask("another@example.com", "198.51.100.1"), "too_many_resets")
	r.ok(ask("another@example.com", "198.51.100.2"))
	r.clock.Advance(time.Hour)
	r.ok(ask("owner@example.com", "198.51.100.1"))
}

func TestResetRequiresMail(t *testing.T) {
	r := newRig(t)
	r.refused(r.service.RequestReset(t.Context(), "owner@example.com", r.browser("")), "no_mail")
}

// A link sent by mail also works for members of several organizations. It works once, ends the person's sessions, and
// keeps the second factor.
func TestMailedLinkSetsPassword(t *testing.T) {
	r := newRig(t, withMail)
	r.member("owner@example.com", account.RoleOwner)
	other := r.organization("Other")
	r.tx(func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), other.ID, "owner@example.com", account.RoleOwner)
		return err
	})
	session, _ := r.in("owner@example.com")
	link := r.invite(account.InvitePassword, "owner@example.com", account.RoleOwner, account.ByThemself)
	in, err := r.service.NewPassword(t.Context(), link, otherPassword, r.browser(""))
	r.ok(err)
	if r.live(session) || !r.live(in.Token) {
		t.Error("the earlier session still works, or the new one does not")
	}
	_, err = r.service.NewPassword(t.Context(), link, goodPassword, r.browser(""))
	r.refused(err, "unknown_invitation")
	_, err = r.service.SignIn(t.Context(), r.attempt("owner@example.com", goodPassword))
	r.refused(err, "wrong_credentials")
	_, err = r.service.SignIn(t.Context(), r.attempt("owner@example.com", otherPassword))
	r.ok(err)
}

func TestMailedLinkKeepsSecondFactor(t *testing.T) {
	r := newRig(t, withMail)
	r.member("owner@example.com", account.RoleOwner)
	r.withTOTP("owner@example.com")
	link := r.invite(account.InvitePassword, "owner@example.com", account.RoleOwner, account.ByThemself)
	in, err := r.service.NewPassword(t.Context(), link, otherPassword, r.browser(""))
	r.ok(err)
	if in.Half == "" || in.Token != "" || !r.person("owner@example.com").TwoFactor() {
		t.Errorf("%+v", in)
	}
}
