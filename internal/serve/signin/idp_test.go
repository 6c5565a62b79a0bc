package signin_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
)

const callback = "https://docs.example.com/dashboard/oidc/callback"

// vouching is a provider that confirms one identity for any sign-in. The protocol itself is tested in package oidc.
type vouching struct {
	who                    oidc.Identity
	nonce, verifier, state string
	fails                  error
}

func (p *vouching) Begin(_ context.Context, redirect, state, nonce, verifier string) (string, error) {
	p.state, p.nonce, p.verifier = state, nonce, verifier
	return "https://id.example.com/authorize?" + url.Values{"state": {state}, "redirect_uri": {redirect}}.Encode(),
		p.fails
}

func (p *vouching) Finish(_ context.Context, redirect, code, nonce, verifier string) (oidc.Identity, error) {
	if redirect != callback || code != "the code" || nonce != p.nonce || verifier != p.verifier {
		return oidc.Identity{}, fault.New(fault.Unauthenticated, "oidc_refused", "That does not fit.")
	}
	return p.who, p.fails
}

func someone(email string, groups ...string) oidc.Identity {
	return oidc.Identity{Issuer: "https://id.example.com", Subject: "subject of " + email, Email: email, Verified: true,
		Name: "Some One", Groups: groups}
}

// provided returns a rig with an identity provider whose groups have the roles in the table below.
func provided(t *testing.T, defaultRole account.Role) (*rig, *vouching) {
	p := &vouching{}
	var r *rig
	r = newRig(t, func(o *signin.Options) {
		o.IDP = &signin.IDP{Provider: p, Name: "Example",
			OrganizationID: func(context.Context) (string, error) { return r.org.ID, nil },
			Roles: account.GroupRoles{Default: defaultRole, Grants: []account.Grant{
				{Group: "readers", Role: account.RoleViewer}, {Group: "staff", Role: account.RoleEditor},
				{Group: "heads", Role: account.RoleOwner}}}}
	})
	return r, p
}

// arrive simulates a visit to the provider and the return from it.
func (r *rig) arrive(p *vouching, who oidc.Identity, next string) (signin.Entered, error) {
	r.Helper()
	p.who = who
	_, kept, err := r.service.BeginIDP(r.Context(), callback, next)
	r.ok(err)
	return r.service.FinishIDP(r.Context(), signin.Return{Kept: kept, State: p.state, Code: "the code"}, r.browser(""))
}

func TestProviderGroupsDetermineRole(t *testing.T) {
	for name, c := range map[string]struct {
		groups      []string
		had         account.Role // before; "" = not a member
		defaultRole account.Role
		want        account.Role // "" = refused
		events      []string     // by the provider
	}{
		"new, in a group": {[]string{"staff"}, "", "", account.RoleEditor, []string{"member.join"}},
		"new, in several": {[]string{"readers", "heads", "staff"}, "", "", account.RoleOwner,
			[]string{"member.join"}},
		"new, default beside group": {[]string{"readers"}, "", account.RoleAdmin, account.RoleViewer,
			[]string{"member.join"}},
		"new, in none, default": {[]string{"others"}, "", account.RoleViewer, account.RoleViewer,
			[]string{"member.join"}},
		"new, in none":   {[]string{"others", "Staff", "staff "}, "", "", "", nil},
		"new, no groups": {nil, "", "", "", nil},
		"member, in none": {[]string{"others"}, account.RoleAdmin, account.RoleViewer, account.RoleAdmin,
			nil},
		"member, same role": {[]string{"staff"}, account.RoleEditor, "", account.RoleEditor, nil},
		"member, raised": {[]string{"heads"}, account.RoleViewer, "", account.RoleOwner,
			[]string{"member.role"}},
		"member, lowered": {[]string{"readers"}, account.RoleAdmin, "", account.RoleViewer,
			[]string{"member.role"}},
		"owner beside others": {[]string{"readers"}, account.RoleOwner, "", account.RoleViewer,
			[]string{"member.role"}},
		"owner, lowered, to default": {[]string{"others"}, account.RoleOwner, account.RoleViewer, account.RoleOwner,
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := provided(t, c.defaultRole)
			r.member("owner@example.com", account.RoleOwner)
			if c.had != "" {
				r.member("one@example.com", c.had)
			}
			in, err := r.arrive(p, someone("one@example.com", c.groups...), "/dashboard/projects")
			if c.want == "" {
				r.refused(err, "oidc_no_role")
				if _, err := r.store.FindPersonByEmail(t.Context(), "one@example.com"); !fault.Is(err, fault.NotFound) {
					t.Error("a refused sign-in left an account behind")
				}
				if f, _ := fault.As(err); f == nil || !strings.Contains(f.Hint, "Ask") {
					t.Errorf("the error does not say whom to ask: %v", err)
				}
				return
			}
			r.ok(err)
			v := r.visit(in.Token)
			if v.Membership == nil || v.Membership.Member.Role != c.want || v.Session.Method != "oidc" ||
				in.Next != "/dashboard/projects" {
				t.Errorf("%+v at %s", v.Membership, in.Next)
			}
			if c.had != "" {
				c.events = append(c.events, "member.identity") // the account existed before
			}
			if got := r.actions("oidc"); !slices.Equal(got, c.events) {
				t.Errorf("the provider's events are %v", got)
			}
			if got := r.actions(v.Membership.Member.ID); !slices.Equal(got, []string{"member.sign_in"}) {
				t.Errorf("the member's events are %v", got)
			}
		})
	}
}

// A person who created an account with someone else's address does not get the permissions that the provider later
// gives to the address's owner.
func TestEarlierPasswordDoesNotGainProviderRole(t *testing.T) {
	for name, c := range map[string]struct {
		had   account.Role // before; "" = only a member of another organization
		group string
		kept  bool
	}{
		"raised":                         {account.RoleViewer, "heads", false},
		"from elsewhere":                 {"", "readers", false},
		"the same":                       {account.RoleOwner, "heads", true},
		"lowered":                        {account.RoleAdmin, "staff", true},
		"none of your groups has access": {account.RoleAdmin, "others", true},
		"last owner stays owner":         {account.RoleOwner, "readers", true},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := provided(t, "")
			r.member("one@example.com", c.had)
			if c.had == "" {
				elsewhere := r.organization("Elsewhere")
				r.tx(func(tx *store.Tx) error {
					_, err := tx.AddMember(t.Context(), elsewhere.ID, "one@example.com", account.RoleOwner)
					return err
				})
			}
			planted, _ := r.in("one@example.com")
			in, err := r.arrive(p, someone("one@example.com", c.group), "")
			r.ok(err)
			_, err = r.service.SignIn(t.Context(), r.attempt("one@example.com", goodPassword))
			if c.kept {
				r.ok(err)
			} else {
				r.refused(err, "wrong_credentials")
			}
			if r.live(planted) != c.kept || !r.live(in.Token) {
				t.Errorf("earlier session valid: %v; new session valid: %v", r.live(planted), r.live(in.Token))
			}
			// From now on none of this happens again.
			again, err := r.arrive(p, someone("one@example.com", c.group), "")
			r.ok(err)
			if !r.live(again.Token) || !r.live(in.Token) ||
				strings.Count(strings.Join(r.actions("oidc"), " "), "member.identity") != 1 {
				t.Errorf("%v", r.actions("oidc"))
			}
		})
	}
}

func TestProviderCannotDemoteTheLastOwner(t *testing.T) {
	r, p := provided(t, "")
	r.member("owner@example.com", account.RoleOwner)
	in, err := r.arrive(p, someone("owner@example.com", "readers"), "")
	r.ok(err)
	if role := r.visit(in.Token).Membership.Member.Role; role != account.RoleOwner ||
		!strings.Contains(r.log.String(), "last owner") {
		t.Errorf("role is now %s; log: %s", role, r.log.String())
	}
}

func TestProviderIdentityIsIssuerAndSubject(t *testing.T) {
	r, p := provided(t, account.RoleViewer)
	first, err := r.arrive(p, someone("one@example.com"), "")
	r.ok(err)
	moved := someone("one@example.com")
	moved.Email, moved.Verified = "other@example.com", false // their address changed there, and is not verified yet
	second, err := r.arrive(p, moved, "")
	r.ok(err)
	if a, b := r.visit(first.Token).Person, r.visit(second.Token).Person; a.ID != b.ID ||
		b.Email != "one@example.com" || b.Name != "Some One" || b.PasswordHash != "" {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestOnlyVerifiedAddressMatchesAccount(t *testing.T) {
	r, p := provided(t, account.RoleViewer)
	r.member("owner@example.com", account.RoleOwner)
	before := r.words()
	unverified, none, odd := someone("owner@example.com", "heads"), someone("", "heads"),
		someone("owner@example.com, x", "heads")
	unverified.Verified = false
	_, err := r.arrive(p, unverified, "")
	r.refused(err, "oidc_unverified_email")
	_, err = r.arrive(p, none, "")
	r.refused(err, "oidc_no_email")
	_, err = r.arrive(p, odd, "")
	r.refused(err, "oidc_no_email")
	if r.words() != before {
		t.Error("a refused sign-in changed the account")
	}
	in, err := r.arrive(p, someone("Owner@Example.com"), "")
	r.ok(err)
	if v := r.visit(in.Token); v.Person.Email != "owner@example.com" || v.Person.Subject == "" ||
		v.Person.PasswordHash == "" {
		t.Errorf("%+v", v.Person)
	}
	r.in("owner@example.com") // the password still works
	// The provider reassigns the address to another person: the account is not reassigned.
	heir := someone("owner@example.com")
	heir.Subject = "heir"
	_, err = r.arrive(p, heir, "")
	r.refused(err, "oidc_other_identity")
	// The operator changes the provider: people keep their accounts.
	heir.Issuer = "https://new.example.com"
	_, err = r.arrive(p, heir, "")
	r.ok(err)
}

func TestProviderReplacesSecondFactor(t *testing.T) {
	r, p := provided(t, "")
	r.member("owner@example.com", account.RoleOwner)
	r.withTOTP("owner@example.com")
	in, err := r.arrive(p, someone("owner@example.com"), "")
	r.ok(err)
	if in.Half != "" || !r.live(in.Token) {
		t.Errorf("%+v", in)
	}
}

func TestMemberOfOtherOrganizationNeedsNoGroup(t *testing.T) {
	r, p := provided(t, "")
	other := r.organization("Other")
	r.tx(func(tx *store.Tx) error {
		_, err := tx.AddMember(t.Context(), other.ID, "one@example.com", account.RoleAdmin)
		return err
	})
	in, err := r.arrive(p, someone("one@example.com"), "")
	r.ok(err)
	if v := r.visit(in.Token); v.Membership.Organization.ID != other.ID || len(v.Memberships) != 1 {
		t.Errorf("%+v", v.Membership)
	}
}

func TestInvitedPersonMaySignInWithProvider(t *testing.T) {
	r, p := provided(t, "")
	link := r.invite(account.InviteJoin, "one@example.com", account.RoleEditor, "operator")
	for name, next := range map[string]string{"elsewhere": "/dashboard/",
		"another link": "/dashboard/join?token=" + strings.Repeat("x", 43), "no link": "/dashboard/join"} {
		if _, err := r.arrive(p, someone("one@example.com"), next); !fault.HasCode(err, "oidc_no_role") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := r.arrive(p, someone("two@example.com"), "/dashboard/join?token="+link)
	r.refused(err, "oidc_no_role")
	in, err := r.arrive(p, someone("one@example.com"), "/dashboard/join?token="+link)
	r.ok(err)
	v := r.visit(in.Token)
	if v.Membership != nil {
		t.Errorf("already a member before joining: %+v", v.Membership)
	}
	_, err = r.service.Join(t.Context(), link, signin.Joining{Visit: v, Browser: r.browser(in.Token)})
	r.ok(err)
	if v := r.visit(in.Token); v.Membership == nil || v.Membership.Member.Role != account.RoleEditor {
		t.Errorf("%+v", v.Membership)
	}
}

func TestOnlyTheStartingBrowserCanFinish(t *testing.T) {
	r, p := provided(t, account.RoleViewer)
	p.who = someone("one@example.com")
	address, kept, err := r.service.BeginIDP(t.Context(), callback, "/dashboard/")
	r.ok(err)
	if strings.Contains(kept, p.state) || strings.Contains(kept, p.nonce) || strings.Contains(address, p.verifier) ||
		len(p.verifier) < 43 {
		t.Error("a secret is readable in the state")
	}
	state := p.state
	_, second, err := r.service.BeginIDP(t.Context(), callback, "/dashboard/")
	r.ok(err)
	if p.state == state {
		t.Error("two sign-ins have the same state")
	}
	for name, back := range map[string]signin.Return{
		"nothing kept":    {State: p.state, Code: "the code"},
		"another's state": {Kept: second, State: state, Code: "the code"},
		"no state":        {Kept: second, Code: "the code"},
		"no code":         {Kept: second, State: p.state},
		"changed": {Kept: second[:len(second)-1] + flip(second[len(second)-1:]), State: p.state,
			Code: "the code"},
		"another error's":    {Kept: second, State: "x", Error: "access_denied"},
		"kept is a password": {Kept: goodPassword, State: p.state, Code: "the code"},
	} {
		if _, err := r.service.FinishIDP(t.Context(), back, r.browser("")); !fault.HasCode(err, "oidc_start_over") {
			t.Errorf("%s: %v", name, err)
		}
	}
	in, err := r.service.FinishIDP(t.Context(), signin.Return{Kept: second, State: p.state, Error: "access_denied"},
		r.browser(""))
	r.refused(err, "oidc_refused")
	if in.Next != "/dashboard/" {
		t.Errorf("%+v", in)
	}
	r.clock.Advance(10 * time.Minute)
	_, err = r.service.FinishIDP(t.Context(), signin.Return{Kept: second, State: p.state, Code: "the code"},
		r.browser(""))
	r.refused(err, "oidc_start_over")
	p.fails = fault.New(fault.Unavailable, "oidc_unavailable", "The identity provider does not respond.")
	_, _, err = r.service.BeginIDP(t.Context(), callback, "/dashboard/")
	r.refused(err, "oidc_unavailable")
	_, _, err = newRig(t).service.BeginIDP(t.Context(), callback, "/dashboard/")
	r.refused(err, "no_provider")
}

func TestOIDCCookieIsSecureAndReadOnce(t *testing.T) {
	r, _ := provided(t, "")
	w, q := httptest.NewRecorder(),
		httptest.NewRequest(http.MethodGet, "https://docs.example.com/dashboard/oidc/start", nil)
	r.service.SetIDPCookie(w, q, "kept")
	c := w.Result().Cookies()[0]
	if c.Name != "__Host-lectern-oidc" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode ||
		c.MaxAge != 600 || c.Path != "/" || c.Domain != "" {
		t.Errorf("%s", c)
	}
	back := httptest.NewRequest(http.MethodGet, callback, nil)
	back.AddCookie(c)
	w = httptest.NewRecorder()
	if got := r.service.TakeIDPCookie(w, back); got != "kept" || w.Result().Cookies()[0].MaxAge != -1 {
		t.Errorf("%q, %s", got, w.Result().Cookies()[0])
	}
}
