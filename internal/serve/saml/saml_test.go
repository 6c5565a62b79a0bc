package saml_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
)

var here = saml.Endpoint{EntityID: "https://docs.example/login/saml/main/metadata",
	ACS: "https://docs.example/login/saml/main/acs"}

const (
	requestID = "_request7"
	relay     = "relay7"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// signIn sends a person to the provider and returns them with its response.
func signIn(t *testing.T, p *saml.Provider, idp *samltest.IDP, lie samltest.Lie) (saml.Assertion, error) {
	t.Helper()
	address, err := p.Begin(t.Context(), here, requestID, relay)
	if err != nil {
		t.Fatal(err)
	}
	form := idp.Answer(address, lie)
	if form.RelayState != relay || form.ACS != here.ACS {
		t.Fatalf("%+v", form)
	}
	return p.Finish(t.Context(), here, requestID, form.Response)
}

// refusal returns the public code and the cause of an error.
func refusal(t *testing.T, err error) (code, cause string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok {
		t.Fatalf("not a fault: %v", err)
	}
	if inner := errors.Unwrap(err); inner != nil {
		cause = inner.Error()
	}
	return f.Code, cause
}

func TestProviderIdentifiesPerson(t *testing.T) {
	idp := samltest.New(t, clock)
	p := saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock})
	for name, lie := range map[string]samltest.Lie{"both are signed": {}, "only the assertion": {UnsignedIn: true},
		"only the response": {Unsigned: true}, "ECDSA is not used, RSA with SHA-512 is": {
			Method: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"}} {
		who, err := signIn(t, p, idp, lie)
		if err != nil || who.Issuer != samltest.EntityID || who.Subject != "person-1" || who.Transient ||
			who.Email != "reader@acme.example" || who.Name != "The reader" ||
			!slices.Equal(who.Groups, []string{"beta", "staff"}) || who.ID == "" ||
			!who.Expires.After(noon) || who.Expires.After(noon.Add(10*time.Minute)) {
			t.Errorf("%s: %+v %v", name, who, err)
		}
	}
	address, err := p.Begin(t.Context(), here, requestID, relay)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(address); err != nil || u.Host != "id.example" || u.Query().Get("tenant") != "7" ||
		u.Query().Get("RelayState") != relay || u.Query().Get("SAMLRequest") == "" {
		t.Errorf("%s %v", address, err)
	}
}

func TestSettingsChooseAttributes(t *testing.T) {
	idp := samltest.New(t, clock)
	idp.Person.CustomAttributes = append(idp.Person.CustomAttributes, samltest.Attribute("work", "other@acme.example"),
		samltest.Attribute("nick", "Rea"), samltest.Attribute("urn:teams", "core", "core", " "))
	p := saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock, EmailAttribute: "work", NameAttribute: "nick",
		GroupsAttribute: "urn:teams"})
	who, err := signIn(t, p, idp, samltest.Lie{})
	if err != nil || who.Email != "other@acme.example" || who.Name != "Rea" || !slices.Equal(who.Groups, []string{"core"}) {
		t.Errorf("%+v %v", who, err)
	}
	p = saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock, EmailAttribute: "none", GroupsAttribute: "none"})
	if who, err = signIn(t, p, idp, samltest.Lie{}); err != nil || who.Email != "" || len(who.Groups) > 0 {
		t.Errorf("missing attributes: %+v %v", who, err)
	}
}

// Providers may have several certificates while they rotate keys. Each is accepted, regardless of which one a response
// names.
func TestProviderCanChangeKeys(t *testing.T) {
	first, second := samltest.New(t, clock), samltest.New(t, clock)
	p := saml.New(saml.Options{Metadata: first.Metadata(first.Own(), second.Own()), Now: clock})
	for _, idp := range []*samltest.IDP{first, second} {
		if _, err := signIn(t, p, idp, samltest.Lie{}); err != nil {
			t.Error(err)
		}
	}
	third := samltest.New(t, clock)
	_, err := signIn(t, p, third, samltest.Lie{})
	if code, cause := refusal(t, err); code != "saml_refused" || !strings.Contains(cause, "no key of the provider") {
		t.Errorf("an unknown key: %v %s", err, cause)
	}
	old := first.Certificate(noon.Add(-2*time.Hour), noon.Add(-time.Hour))
	_, err = signIn(t, saml.New(saml.Options{Metadata: first.Metadata(old), Now: clock}), first, samltest.Lie{})
	if _, cause := refusal(t, err); !strings.Contains(cause, "1 of 1 certificates are outside their validity") {
		t.Errorf("an expired certificate: %s", cause)
	}
}
