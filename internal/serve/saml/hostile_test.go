package saml_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	crewjam "github.com/crewjam/saml"

	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
)

func confirmation(a *crewjam.Assertion) *crewjam.SubjectConfirmationData {
	return a.Subject.SubjectConfirmations[0].SubjectConfirmationData
}

// child returns the first child with that name.
func child(el *etree.Element, tag string) *etree.Element {
	for _, c := range el.ChildElements() {
		if c.Tag == tag {
			return c
		}
	}
	panic("no " + tag)
}

// forged returns a copy of a signed assertion, changed so that it is about someone else.
func forged(assertion *etree.Element, id string) *etree.Element {
	out := assertion.Copy()
	out.CreateAttr("ID", id)
	for _, s := range out.ChildElements() {
		if s.Tag == "Signature" {
			out.RemoveChild(s)
		}
	}
	child(child(out, "Subject"), "NameID").SetText("admin")
	return out
}

// K10: a response is accepted only if the provider signed all of it, and only for this site, this request and the
// current time.
func TestHostileResponsesAreRefused(t *testing.T) {
	idp := samltest.New(t, clock)
	p := saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock})
	assertion := func(change func(*crewjam.Assertion)) samltest.Lie { return samltest.Lie{Assertion: change} }
	wrap := func(do func(root, real *etree.Element)) samltest.Lie {
		return samltest.Lie{UnsignedIn: true, Document: func(root *etree.Element) { do(root, child(root, "Assertion")) }}
	}
	attribute := func(name, value string) samltest.Lie {
		return samltest.Lie{Response: func(root *etree.Element) { root.CreateAttr(name, value) }}
	}
	for name, c := range map[string]struct {
		lie  samltest.Lie
		want string
	}{
		"nothing is signed": {samltest.Lie{Unsigned: true, UnsignedIn: true}, "not signed"},
		"SHA-1":             {samltest.Lie{Method: "http://www.w3.org/2000/09/xmldsig#rsa-sha1"}, "SHA-1"},
		"another audience": {assertion(func(a *crewjam.Assertion) {
			a.Conditions.AudienceRestrictions[0].Audience.Value = "https://other.example"
		}), "another audience"},
		"no audience": {assertion(func(a *crewjam.Assertion) { a.Conditions.AudienceRestrictions = nil }),
			"the assertion has no audience"},
		"a second audience restriction": {assertion(func(a *crewjam.Assertion) {
			a.Conditions.AudienceRestrictions = append(a.Conditions.AudienceRestrictions,
				crewjam.AudienceRestriction{Audience: crewjam.Audience{Value: "https://other.example"}})
		}), "another audience"},
		"another recipient": {assertion(func(a *crewjam.Assertion) { confirmation(a).Recipient = "https://other.example/acs" }),
			"another recipient"},
		"no confirmation": {assertion(func(a *crewjam.Assertion) { a.Subject.SubjectConfirmations = nil }), "bearer"},
		"holder of key": {assertion(func(a *crewjam.Assertion) {
			a.Subject.SubjectConfirmations[0].Method = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"
		}), "bearer"},
		"another destination":      {attribute("Destination", "https://other.example/acs"), "another destination"},
		"no destination, signed":   {attribute("Destination", ""), "another destination"},
		"another request":          {attribute("InResponseTo", "_other"), "another request"},
		"no request":               {attribute("InResponseTo", ""), "or for none"},
		"the assertion of another": {assertion(func(a *crewjam.Assertion) { confirmation(a).InResponseTo = "_other" }), "for another request"},
		"the assertion of none":    {assertion(func(a *crewjam.Assertion) { confirmation(a).InResponseTo = "" }), "for none"},
		"another issuer":           {assertion(func(a *crewjam.Assertion) { a.Issuer.Value = "https://evil.example" }), "assertion has another issuer"},
		"another issuer around":    {samltest.Lie{Response: func(r *etree.Element) { child(r, "Issuer").SetText("x") }}, "response has another issuer"},
		"expired":                  {assertion(func(a *crewjam.Assertion) { a.Conditions.NotOnOrAfter = noon.Add(-2 * time.Minute) }), "expired"},
		"never expires":            {assertion(func(a *crewjam.Assertion) { a.Conditions.NotOnOrAfter = time.Time{} }), "expired, or has no expiry"},
		"not valid yet":            {assertion(func(a *crewjam.Assertion) { a.Conditions.NotBefore = noon.Add(2 * time.Minute) }), "not valid yet"},
		"brought too late":         {assertion(func(a *crewjam.Assertion) { confirmation(a).NotOnOrAfter = noon.Add(-2 * time.Minute) }), "no longer be used"},
		"brought too early":        {assertion(func(a *crewjam.Assertion) { confirmation(a).NotBefore = noon.Add(2 * time.Minute) }), "not be used yet"},
		"from the future":          {assertion(func(a *crewjam.Assertion) { a.IssueInstant = noon.Add(time.Hour) }), "future"},
		"no conditions":            {assertion(func(a *crewjam.Assertion) { a.Conditions = nil }), "lacks"},
		"no subject":               {assertion(func(a *crewjam.Assertion) { a.Subject = nil }), "lacks"},
		"no statement":             {assertion(func(a *crewjam.Assertion) { a.AuthnStatements = nil }), "lacks"},
		"no name":                  {assertion(func(a *crewjam.Assertion) { a.Subject.NameID = nil }), "NameID"},
		"an ended session": {assertion(func(a *crewjam.Assertion) {
			end := noon.Add(-time.Hour)
			a.AuthnStatements[0].SessionNotOnOrAfter = &end
		}), "session"},
		"another version":           {attribute("Version", "1.1"), "SAML 2.0"},
		"denied":                    {samltest.Lie{Response: func(r *etree.Element) { child(child(r, "Status"), "StatusCode").CreateAttr("Value", "urn:x:Responder") }}, "urn:x:Responder"},
		"changed after signing":     {samltest.Lie{Document: func(r *etree.Element) { r.CreateAttr("Consent", "x") }}, "no key"},
		"a changed name":            {wrap(func(_, real *etree.Element) { child(child(real, "Subject"), "NameID").SetText("admin") }), "no key"},
		"a comment in the name":     {samltest.Lie{Text: func(s string) string { return strings.Replace(s, "person-1", "person<!-- -->-1", 1) }}, "comment"},
		"an instruction":            {samltest.Lie{Text: func(s string) string { return strings.Replace(s, "person-1", "person<?x y?>-1", 1) }}, "instruction"},
		"a document type":           {samltest.Lie{Text: func(s string) string { return "<!DOCTYPE r>" + s }}, "document type"},
		"two roots":                 {samltest.Lie{Text: func(s string) string { return s + "<a/>" }}, "XML"},
		"not a response":            {samltest.Lie{Text: func(string) string { return "<a/>" }}, "not a SAML 2.0 Response"},
		"the wrong namespace":       {samltest.Lie{Text: func(s string) string { return strings.ReplaceAll(s, "SAML:2.0:protocol", "SAML:2.0:x") }}, "not a SAML 2.0 Response"},
		"too large":                 {samltest.Lie{Text: func(s string) string { return s + strings.Repeat(" ", saml.MaxResponse) }}, "larger than"},
		"too deep":                  {samltest.Lie{Text: func(string) string { return strings.Repeat("<a>", 60) + strings.Repeat("</a>", 60) }}, "levels"},
		"another encoding":          {samltest.Lie{Text: func(s string) string { return `<?xml version="1.0" encoding="utf-7"?>` + s }}, "malformed"},
		"an unknown prefix":         {samltest.Lie{Text: func(s string) string { return strings.Replace(s, "<saml:NameID", "<:NameID", 1) }}, "malformed"},
		"one ID for two":            {wrap(func(root, real *etree.Element) { root.AddChild(forged(real, real.SelectAttrValue("ID", ""))) }), "occurs twice"},
		"a second assertion":        {wrap(func(root, real *etree.Element) { root.AddChild(forged(real, "evil")) }), "exactly one assertion"},
		"a first assertion":         {wrap(func(root, real *etree.Element) { root.InsertChildAt(real.Index(), forged(real, "evil")) }), "exactly one assertion"},
		"an assertion in an object": {wrap(func(root, real *etree.Element) { hide(root, real, child(real, "Signature")) }), "exactly one assertion"},
		"an assertion in extensions": {wrap(func(root, real *etree.Element) {
			extensions := root.CreateElement("samlp:Extensions")
			root.RemoveChild(real)
			extensions.AddChild(real)
			root.AddChild(forged(real, "evil"))
		}), "exactly one assertion"},
		"the signature of another": {wrap(func(root, real *etree.Element) {
			evil := forged(real, "evil")
			evil.InsertChildAt(1, child(real, "Signature").Copy())
			root.RemoveChild(real)
			root.AddChild(evil)
		}), "for another element"},
		"two signatures": {wrap(func(_, real *etree.Element) { real.AddChild(child(real, "Signature").Copy()) }), "several signatures"},
		"two references": {wrap(func(_, real *etree.Element) {
			info := child(child(real, "Signature"), "SignedInfo")
			info.AddChild(child(info, "Reference").Copy())
		}), "several Reference"},
		"a response in a response": {samltest.Lie{UnsignedIn: true, Document: func(root *etree.Element) {
			inner := root.Copy()
			inner.CreateAttr("ID", "inner")
			inner.RemoveChild(child(inner, "Assertion"))
			root.AddChild(inner)
		}}, "exactly one assertion"},
		"encrypted": {samltest.Lie{Response: func(r *etree.Element) {
			r.RemoveChild(child(r, "Assertion"))
			r.CreateElement("saml:EncryptedAssertion").CreateAttr("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion")
		}}, "encrypted"},
	} {
		who, err := signIn(t, p, idp, c.lie)
		if err == nil {
			t.Errorf("%s: %+v", name, who)
			continue
		}
		if _, cause := refusal(t, err); !strings.Contains(cause, c.want) {
			t.Errorf("%s: the cause is %q, not %q", name, cause, c.want)
		}
		if text := err.Error(); strings.Contains(text, "person-1") || strings.Contains(text, "acme.example") {
			t.Errorf("%s: the error contains parts of the response: %s", name, text)
		}
	}
}

// hide moves the real assertion into an Object element in the signature of a forged one.
func hide(root, real, signature *etree.Element) {
	evil := forged(real, "evil")
	moved := signature.Copy()
	root.RemoveChild(real)
	moved.CreateElement("ds:Object").AddChild(real)
	evil.InsertChildAt(1, moved)
	root.AddChild(evil)
}

// Entities must not be expanded: parsing stops at a document type, before it declares any entities.
func TestEntitiesAreNotExpanded(t *testing.T) {
	idp := samltest.New(t, clock)
	p := saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock})
	bomb := `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
	_, err := signIn(t, p, idp, samltest.Lie{Text: func(s string) string {
		return bomb + strings.Replace(s, "person-1", "&b;&f;", 1)
	}})
	if _, cause := refusal(t, err); !strings.Contains(cause, "XML") {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"", "%%%", base64.StdEncoding.EncodeToString([]byte("<")), strings.Repeat("A", 1<<20)} {
		if _, err := p.Finish(t.Context(), here, requestID, text); err == nil {
			t.Errorf("%.20q was accepted", text)
		}
	}
	if err := (saml.Options{Metadata: bomb + idp.Metadata(), Now: clock}).Check(); err == nil {
		t.Error("metadata with a document type was accepted")
	}
}

func encoded(text []byte) string { return base64.StdEncoding.EncodeToString(text) }

func decoded(t testing.TB, text string) []byte {
	t.Helper()
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
