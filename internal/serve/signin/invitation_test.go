package signin_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

func TestLinkShowsItsPurpose(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	link := r.invite(account.InviteJoin, "new@example.com", account.RoleEditor, "operator")
	i, err := r.service.Invited(t.Context(), link)
	r.ok(err)
	if i.Organization.Name != "Acme" || i.Email != "new@example.com" || i.Role != account.RoleEditor ||
		i.Kind != account.InviteJoin || i.HasAccount {
		t.Errorf("%+v", i)
	}
	known, err := r.service.Invited(t.Context(), r.invite(account.InvitePassword, "owner@example.com", "", "mem_x"))
	r.ok(err)
	if !known.HasAccount || known.Kind != account.InvitePassword {
		t.Errorf("%+v", known)
	}
}

// A link's holder gets the link's project role along with the membership, unless they have a stronger one or the
// project was deleted.
func TestLinkGrantsItsProjectRole(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	var p, gone project.Project
	invite := func(email string, in account.ProjectRole) string {
		token := account.NewToken(rand.Reader)
		r.tx(func(tx *store.Tx) error {
			_, err := tx.CreateInvitation(ctx, account.Invitation{OrganizationID: r.org.ID, Kind: account.InviteJoin,
				Email: email, Role: account.RoleGuest, Project: in, Hash: account.TokenHash(token), CreatedBy: "operator",
				ExpiresAt: r.clock.Now().Add(time.Hour)})
			return err
		})
		return token
	}
	r.tx(func(tx *store.Tx) (err error) {
		if p, err = tx.CreateProject(ctx, project.Project{OrganizationID: r.org.ID, Name: "P"}); err == nil {
			gone, err = tx.CreateProject(ctx, project.Project{OrganizationID: r.org.ID, Name: "Gone"})
		}
		return err
	})
	_, err := r.service.Join(ctx, invite("new@example.com", account.ProjectRole{ProjectID: p.ID, Role: "editor"}),
		signin.Joining{Password: otherPassword})
	r.ok(err)
	m, err := r.store.FindMemberByEmail(ctx, r.org.ID, "new@example.com")
	r.ok(err)
	if m.Role != account.RoleGuest || m.RoleIn(p.ID) != account.RoleEditor || m.Sees(gone.ID) {
		t.Errorf("%+v", m)
	}
	r.did("new@example.com", "project.role_give", "invitation.accept", "member.join", "member.sign_in")
	late := invite("late@example.com", account.ProjectRole{ProjectID: gone.ID, Role: "viewer"})
	r.tx(func(tx *store.Tx) error { return tx.DeleteProject(ctx, r.org.ID, gone.ID) })
	_, err = r.service.Join(ctx, late, signin.Joining{Password: otherPassword})
	r.ok(err)
	r.did("late@example.com", "invitation.accept", "member.join", "member.sign_in")
}

func TestInvalidLinksGetSameResponse(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	used := r.invite(account.InviteJoin, "used@example.com", account.RoleViewer, "operator")
	_, err := r.service.Join(t.Context(), used, signin.Joining{Password: otherPassword})
	r.ok(err)
	withdrawn := r.invite(account.InviteJoin, "new@example.com", account.RoleViewer, "operator")
	r.tx(func(tx *store.Tx) error {
		i, err := tx.FindInvitation(t.Context(), account.TokenHash(withdrawn))
		if err != nil {
			return err
		}
		_, err = tx.RevokeInvitation(t.Context(), r.org.ID, i.ID)
		return err
	})
	old := r.invite(account.InviteJoin, "old@example.com", account.RoleViewer, "operator")
	r.clock.Advance(24 * time.Hour)
	join, password := r.invite(account.InviteJoin, "new@example.com", account.RoleViewer, "operator"),
		r.invite(account.InvitePassword, "owner@example.com", "", "operator")
	nobody := r.invite(account.InvitePassword, "nobody@example.com", "", "operator")
	before := r.words()
	var first *fault.Error
	for name, try := range map[string]func() error{
		"used":      func() error { _, err := r.service.Invited(t.Context(), used); return err },
		"withdrawn": func() error { _, err := r.service.Invited(t.Context(), withdrawn); return err },
		"old":       func() error { _, err := r.service.Invited(t.Context(), old); return err },
		"cut":       func() error { _, err := r.service.Invited(t.Context(), join[:40]); return err },
		"made up":   func() error { _, err := r.service.Invited(t.Context(), strings.Repeat("x", 43)); return err },
		"no secret": func() error { _, err := r.service.Invited(t.Context(), ""); return err },
		"hash":      func() error { _, err := r.service.Invited(t.Context(), account.TokenHash(join)); return err },
		"used for join": func() error {
			_, err := r.service.Join(t.Context(), used, signin.Joining{Password: otherPassword})
			return err
		},
		"other kind": func() error {
			_, err := r.service.Join(t.Context(), password, signin.Joining{Password: otherPassword})
			return err
		},
		"other kind 2": func() error {
			_, err := r.service.NewPassword(t.Context(), join, otherPassword, signin.Browser{})
			return err
		},
		"no account": func() error {
			_, err := r.service.NewPassword(t.Context(), nobody, otherPassword, signin.Browser{})
			return err
		},
	} {
		f, ok := fault.As(try())
		if !ok || f.Code != "unknown_invitation" {
			t.Errorf("%s: %v", name, f)
			continue
		}
		if first == nil {
			first = f
		}
		if *f != *first {
			t.Errorf("%s gets a different response", name)
		}
	}
	if r.words() != before {
		t.Error("a refused link changed the database")
	}
}

func TestFirstOwnerLinkWorksForAnyHolder(t *testing.T) {
	r := newRig(t)
	if any, err := r.service.HasOwner(t.Context()); any || err != nil {
		t.Fatalf("an owner already exists: %v %v", any, err)
	}
	link := r.invite(account.InviteJoin, "", account.RoleOwner, "system")
	_, err := r.service.Join(t.Context(), link, signin.Joining{Email: "no address", Password: goodPassword})
	r.refused(err, "invalid_field")
	_, err = r.service.Join(t.Context(), link, signin.Joining{Email: "owner@example.com", Password: "short"})
	r.refused(err, "weak_password")
	_, err = r.service.Join(t.Context(), link,
		signin.Joining{Email: "owner@example.com", Name: "a\x00b", Password: goodPassword})
	r.refused(err, "invalid_field")
	in, err := r.service.Join(t.Context(), link, signin.Joining{Email: " Owner@example.com", Name: " The owner ",
		Password: goodPassword, Browser: r.browser("")})
	r.ok(err)
	v := r.visit(in.Token)
	if v.Person.Email != "owner@example.com" || v.Person.Name != "The owner" || v.Membership == nil ||
		v.Membership.Member.Role != account.RoleOwner || v.Session.Method != "invitation" {
		t.Errorf("%+v", v)
	}
	if any, err := r.service.HasOwner(t.Context()); !any || err != nil {
		t.Errorf("no owner exists: %v", err)
	}
	r.did("owner@example.com", "invitation.accept", "member.join", "member.sign_in")
	r.in("owner@example.com")
}

// A server started three times has printed three links. Once there is an owner, the other two links cannot create a
// second one.
func TestUnusedFirstOwnerLinksStopWorking(t *testing.T) {
	r := newRig(t)
	links := []string{r.invite(account.InviteJoin, "", account.RoleOwner, "operator"), r.invite(account.InviteJoin, "",
		account.RoleOwner, "operator"), r.invite(account.InviteJoin, "", account.RoleOwner, "operator")}
	named := r.invite(account.InviteJoin, "new@example.com", account.RoleViewer, "operator")
	_, err := r.service.Join(t.Context(), links[1], signin.Joining{Email: "owner@example.com", Password: goodPassword})
	r.ok(err)
	for _, link := range []string{links[0], links[2]} {
		_, err := r.service.Join(t.Context(), link, signin.Joining{Email: "second@example.com", Password: goodPassword})
		r.refused(err, "unknown_invitation")
	}
	r.did("owner@example.com", "invitation.revoke", "invitation.revoke", "invitation.accept", "member.join",
		"member.sign_in")
	_, err = r.service.Join(t.Context(), named, signin.Joining{Password: goodPassword})
	r.ok(err)
	// The operator can still create a link with a command.
	later := r.invite(account.InviteJoin, "", account.RoleOwner, "operator")
	_, err = r.service.Join(t.Context(), later, signin.Joining{Email: "second@example.com", Password: goodPassword})
	r.ok(err)
}

func TestPersonalLinkWorksOnlyForItsAddress(t *testing.T) {
	r := newRig(t)
	link := r.invite(account.InviteJoin, "new@example.com", account.RoleViewer, "operator")
	in, err := r.service.Join(t.Context(), link, signin.Joining{Email: "other@example.com", Password: goodPassword})
	r.ok(err)
	if got := r.visit(in.Token).Person.Email; got != "new@example.com" {
		t.Errorf("the account is %s's", got)
	}
}

func TestExistingMemberKeepsStrongerRole(t *testing.T) {
	for _, c := range []struct{ had, link, want account.Role }{
		{account.RoleViewer, account.RoleAdmin, account.RoleAdmin}, {account.RoleAdmin, account.RoleViewer,
			account.RoleAdmin}, {account.RoleOwner, account.RoleViewer, account.RoleOwner},
	} {
		r := newRig(t)
		r.tx(func(tx *store.Tx) error {
			_, err := tx.AddMember(t.Context(), r.org.ID, "new@example.com", c.had)
			return err
		})
		in, err := r.service.Join(t.Context(), r.invite(account.InviteJoin, "new@example.com", c.link, "operator"),
			signin.Joining{Password: goodPassword})
		r.ok(err)
		if v := r.visit(in.Token); v.Membership.Member.Role != c.want || len(v.Memberships) != 1 {
			t.Errorf("%s with a link for %s is %s", c.had, c.link, v.Membership.Member.Role)
		}
	}
}

// The holder of a link for an existing account must prove that the account is theirs.
func TestLinkAloneDoesNotGrantAccountAccess(t *testing.T) {
	r := newRig(t)
	first := r.org
	r.member("owner@example.com", account.RoleOwner)
	r.member("viewer@example.com", account.RoleViewer)
	token, v := r.in("owner@example.com")
	otherToken, other := r.in("viewer@example.com")
	r.org = r.organization("Second")
	link := r.invite(account.InviteJoin, "owner@example.com", account.RoleEditor, "operator")
	for name, j := range map[string]signin.Joining{
		"a new password":       {Password: otherPassword},
		"no password":          {},
		"another's session":    {Visit: other, Browser: r.browser(otherToken)},
		"an address of theirs": {Email: "viewer@example.com", Password: otherPassword},
	} {
		_, err := r.service.Join(t.Context(), link, j)
		if !fault.HasCode(err, "wrong_credentials") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := r.store.ListMembers(t.Context(), r.org.ID); err != nil || len(list) != 0 {
		t.Fatalf("the link added a member: %v %v", list, err)
	}
	in, err := r.service.Join(t.Context(), link, signin.Joining{Visit: v, Browser: r.browser(token)})
	r.ok(err)
	now := r.visit(token)
	if in.Token != "" || now.Membership.Organization.ID != r.org.ID ||
		now.Membership.Member.Role != account.RoleEditor || len(now.Memberships) != 2 {
		t.Errorf("%+v, %+v", in, now.Membership)
	}
	r.did("owner@example.com", "invitation.accept", "member.join")

	r.org = first
	third := r.organization("Third")
	r.org = third
	byPassword, err := r.service.Join(t.Context(), r.invite(account.InviteJoin, "owner@example.com", account.RoleViewer,
		"operator"), signin.Joining{Password: goodPassword, Browser: r.browser("")})
	r.ok(err)
	if v := r.visit(byPassword.Token); v.Membership.Organization.ID != third.ID {
		t.Errorf("current organization: %s", v.Membership.Organization.Name)
	}
}

func TestLinkDoesNotBypassSecondFactor(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	secret, _, token := r.withTOTP("owner@example.com")
	first := r.org
	r.org = r.organization("Second")
	_, err := r.service.Join(t.Context(), r.invite(account.InviteJoin, "owner@example.com", account.RoleEditor,
		"operator"), signin.Joining{Password: goodPassword})
	r.refused(err, "sign_in_first")

	r.org = first
	in, err := r.service.NewPassword(t.Context(), r.invite(account.InvitePassword, "owner@example.com",
		account.RoleOwner, "mem_of_an_owner"), otherPassword, r.browser(""))
	r.ok(err)
	if in.Token != "" || in.Half == "" || r.live(token) {
		t.Errorf("%+v", in)
	}
	in, err = r.service.Second(t.Context(), in.Half, r.code(secret), r.browser(""))
	r.ok(err)
	if !r.live(in.Token) {
		t.Error("the sign-in did not succeed")
	}
}

// This is how people regain access if they have lost their phone and their recovery codes.
func TestOperatorLinkTurnsSecondFactorOff(t *testing.T) {
	r := newRig(t)
	r.member("owner@example.com", account.RoleOwner)
	_, _, token := r.withTOTP("owner@example.com")
	link := r.invite(account.InvitePassword, "owner@example.com", "", "operator")
	if i, err := r.service.Invited(t.Context(), link); err != nil || !i.EndsTwoFactor() {
		t.Errorf("EndsTwoFactor is false: %v", err)
	}
	in, err := r.service.NewPassword(t.Context(), link, otherPassword, r.browser(""))
	r.ok(err)
	p := r.person("owner@example.com")
	if !r.live(in.Token) || r.live(token) || p.TwoFactor() || len(p.Recovery) != 0 {
		t.Errorf("%+v", in)
	}
	r.did("owner@example.com", "member.sign_in", "member.totp_on", "member.totp_off", "member.password",
		"member.sign_in")
}
