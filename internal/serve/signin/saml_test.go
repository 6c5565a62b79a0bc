package signin_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	crewjam "github.com/crewjam/saml"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

const acs = "https://docs.example.com/dashboard/saml/acs"

// samlProvided returns a rig whose people sign in with a SAML provider.
func samlProvided(t *testing.T) (*rig, *samltest.IDP) {
	t.Helper()
	var r *rig
	var idp *samltest.IDP
	r = newRig(t, func(o *signin.Options) {
		idp = samltest.New(t, o.Now)
		o.IDP = &signin.IDP{Name: "Example", Roles: account.GroupRoles{Grants: []account.Grant{{Group: "staff", Role: account.RoleEditor}}},
			OrganizationID: func(context.Context) (string, error) { return r.org.ID, nil },
			Provider: &signin.SAML{Provider: saml.New(saml.Options{Metadata: idp.Metadata(), Now: o.Now}), Store: o.Store,
				Now: o.Now}}
	})
	r.member("owner@example.com", account.RoleOwner)
	return r, idp
}

// arriveBySAML simulates a visit to the provider, and returns the data that the browser returned with.
func (r *rig) arriveBySAML(idp *samltest.IDP, lie samltest.Lie) (signin.Entered, signin.Return, error) {
	r.Helper()
	address, kept, err := r.service.BeginIDP(r.Context(), acs, "/dashboard/projects")
	r.ok(err)
	form := idp.Answer(address, lie)
	if form.ACS != acs {
		r.Errorf("the response goes to %s", form.ACS)
	}
	back := signin.Return{Kept: kept, State: form.RelayState, Code: form.Response}
	in, err := r.service.FinishIDP(r.Context(), back, r.browser(""))
	return in, back, err
}

func TestMemberCanSignInWithSAML(t *testing.T) {
	r, idp := samlProvided(t)
	in, back, err := r.arriveBySAML(idp, samltest.Lie{})
	r.ok(err)
	v := r.visit(in.Token)
	if in.Next != "/dashboard/projects" || v.Person.Email != "reader@acme.example" || v.Person.Name != "The reader" ||
		v.Membership == nil || v.Membership.Member.Role != account.RoleEditor || v.Session.Method != "saml" {
		t.Errorf("%+v %+v", in, v)
	}
	again, _, err := r.arriveBySAML(idp, samltest.Lie{})
	r.ok(err)
	if r.visit(again.Token).Person.ID != v.Person.ID {
		t.Error("the second sign-in created another account")
	}
	_, err = r.service.FinishIDP(t.Context(), back, r.browser(""))
	r.refused(err, "saml_used_before")
	events, err := r.store.ListEvents(t.Context(), r.org.ID, 0, 100)
	r.ok(err)
	actors := []string{}
	for _, e := range events {
		if e.Action == "member.join" {
			actors = append(actors, e.Actor)
		}
	}
	if !slices.Equal(actors, []string{"saml"}) {
		t.Errorf("actors: %v", actors)
	}
	text, err := r.service.SAMLMetadata(acs)
	if err != nil || !strings.Contains(string(text), `entityID="https://docs.example.com/dashboard/saml/metadata"`) {
		t.Errorf("%s %v", text, err)
	}
}

// K10: a response meant for another person, server or time starts no session.
func TestRejectedSAMLResponses(t *testing.T) {
	r, idp := samlProvided(t)
	for code, lies := range map[string][]samltest.Lie{
		"saml_refused": {{Unsigned: true, UnsignedIn: true}, {Assertion: func(a *crewjam.Assertion) {
			a.Conditions.AudienceRestrictions[0].Audience.Value = "https://docs.example.com/login/saml/main/metadata"
		}}},
		"saml_transient": {{Person: func(p *crewjam.Session) { p.NameIDFormat = string(crewjam.TransientNameIDFormat) }}},
		"saml_no_role":   {{Person: func(p *crewjam.Session) { p.CustomAttributes = nil }}},
		"saml_no_email":  {{Person: func(p *crewjam.Session) { p.UserEmail = "" }}},
	} {
		for _, lie := range lies {
			in, _, err := r.arriveBySAML(idp, lie)
			r.refused(err, code)
			if in.Token != "" {
				t.Errorf("%s: %+v", code, in)
			}
		}
	}
	address, kept, err := r.service.BeginIDP(t.Context(), acs, "https://evil.example/")
	r.ok(err)
	form := idp.Answer(address, samltest.Lie{})
	_, err = r.service.FinishIDP(t.Context(), signin.Return{Kept: kept, State: "/dashboard/", Code: form.Response}, r.browser(""))
	r.refused(err, "saml_start_over")
	_, other, err := r.service.BeginIDP(t.Context(), acs, "/dashboard/")
	r.ok(err)
	if _, err = r.service.FinishIDP(t.Context(), signin.Return{Kept: other, State: form.RelayState, Code: form.Response},
		r.browser("")); err == nil {
		t.Error("another browser's response was accepted")
	}
	if _, err := r.store.FindPersonByEmail(t.Context(), "reader@acme.example"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a refused sign-in left an account behind: %v", err)
	}
}

// An account with an OpenID Connect issuer's identity is not matched by a SAML provider with the same name.
func TestSAMLAndOIDCSubjectsAreDistinct(t *testing.T) {
	r, p := provided(t, account.RoleViewer)
	who := someone("one@example.com")
	who.Issuer, who.Subject = samltest.EntityID, "person-1"
	_, err := r.arrive(p, who, "/dashboard/")
	r.ok(err)
	idp := samltest.New(t, r.clock.Now)
	r.service.IDP.Provider = &signin.SAML{Provider: saml.New(saml.Options{Metadata: idp.Metadata(), Now: r.clock.Now}),
		Store: r.store, Now: r.clock.Now}
	in, _, err := r.arriveBySAML(idp, samltest.Lie{})
	r.ok(err)
	if v := r.visit(in.Token); v.Person.Email != "reader@acme.example" {
		t.Errorf("%+v", v.Person)
	}
}
