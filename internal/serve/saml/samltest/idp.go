package samltest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/xml"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/beevik/etree"
	crewjam "github.com/crewjam/saml"
	dsig "github.com/russellhaering/goxmldsig"
)

// URLs of the provider. There is no server: tests call Answer.
const (
	EntityID = "https://id.example/metadata"
	SignIn   = "https://id.example/sign-in?tenant=7"
)

// IDP is an identity provider that knows one person.
type IDP struct {
	Now    func() time.Time
	Person crewjam.Session

	t   testing.TB
	key *rsa.PrivateKey
	own *x509.Certificate
}

// New returns a provider with its own key.
func New(t testing.TB, now func() time.Time) *IDP {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &IDP{Now: now, t: t, key: key, Person: crewjam.Session{NameID: "person-1",
		NameIDFormat: string(crewjam.PersistentNameIDFormat), UserEmail: "reader@acme.example",
		CustomAttributes: []crewjam.Attribute{Attribute("displayName", "The reader"),
			Attribute("groups", "staff", "beta")}}}
	p.own = p.Certificate(now().Add(-time.Hour), now().Add(24*time.Hour))
	return p
}

// Attribute returns an attribute for the person.
func Attribute(name string, values ...string) crewjam.Attribute {
	out := crewjam.Attribute{Name: name}
	for _, v := range values {
		out.Values = append(out.Values, crewjam.AttributeValue{Type: "xs:string", Value: v})
	}
	return out
}

// Certificate returns a certificate for the provider's key with the given validity.
func (p *IDP) Certificate(from, until time.Time) *x509.Certificate {
	p.t.Helper()
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "id.example"}, NotBefore: from,
		NotAfter: until}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, p.key.Public(), p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := x509.ParseCertificate(raw)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// Metadata returns the provider's metadata with the given certificates, or with its own.
func (p *IDP) Metadata(keys ...*x509.Certificate) string {
	p.t.Helper()
	if len(keys) == 0 {
		keys = []*x509.Certificate{p.own}
	}
	role := crewjam.IDPSSODescriptor{SingleSignOnServices: []crewjam.Endpoint{
		{Binding: crewjam.HTTPPostBinding, Location: "https://id.example/post"},
		{Binding: crewjam.HTTPRedirectBinding, Location: SignIn}}}
	role.ProtocolSupportEnumeration = "urn:oasis:names:tc:SAML:2.0:protocol"
	for _, k := range keys {
		role.KeyDescriptors = append(role.KeyDescriptors, crewjam.KeyDescriptor{Use: "signing",
			KeyInfo: crewjam.KeyInfo{X509Data: crewjam.X509Data{X509Certificates: []crewjam.X509Certificate{
				{Data: base64.StdEncoding.EncodeToString(k.Raw)}}}}})
	}
	out, err := xml.Marshal(crewjam.EntityDescriptor{EntityID: EntityID, IDPSSODescriptors: []crewjam.IDPSSODescriptor{role}})
	if err != nil {
		p.t.Fatal(err)
	}
	return string(out)
}

// Own returns the certificate that Metadata contains by default.
func (p *IDP) Own() *x509.Certificate { return p.own }

// Lie describes how a response differs from a correct one. In a correct response, both response and assertion are
// signed.
type Lie struct {
	Person     func(*crewjam.Session)
	Assertion  func(*crewjam.Assertion) // called before signing
	Unsigned   bool                     // do not sign the assertion
	Method     string                   // signature algorithm; "" = RSA with SHA-256
	Response   func(*etree.Element)     // called with the response, which contains the assertion, before signing
	UnsignedIn bool                     // do not sign the response
	Document   func(*etree.Element)     // called after signing
	Text       func(string) string      // changes the document's text
}

// Form is the form that the provider's page posts.
type Form struct{ ACS, Response, RelayState string }

// Values returns the fields of the form.
func (f Form) Values() url.Values {
	return url.Values{"SAMLResponse": {f.Response}, "RelayState": {f.RelayState}}
}

// Answer returns the form for a browser that was sent to address.
func (p *IDP) Answer(address string, lie Lie) Form {
	p.t.Helper()
	signIn, err := url.Parse(SignIn)
	p.ok(err)
	self, err := url.Parse(EntityID)
	p.ok(err)
	idp := &crewjam.IdentityProvider{Certificate: p.own, Key: p.key, MetadataURL: *self, SSOURL: *signIn}
	request, err := crewjam.NewIdpAuthnRequest(idp, httptest.NewRequest(http.MethodGet, address, nil))
	p.ok(err)
	p.ok(xml.Unmarshal(request.RequestBuffer, &request.Request))
	request.Now = p.Now()
	if request.Request.Destination != SignIn || request.Request.Version != "2.0" {
		p.t.Fatalf("the request is %s", request.RequestBuffer)
	}
	request.ServiceProviderMetadata = &crewjam.EntityDescriptor{EntityID: request.Request.Issuer.Value}
	request.SPSSODescriptor = &crewjam.SPSSODescriptor{}
	request.ACSEndpoint = &crewjam.IndexedEndpoint{Binding: crewjam.HTTPPostBinding,
		Location: request.Request.AssertionConsumerServiceURL}
	person := p.Person
	if lie.Person != nil {
		lie.Person(&person)
	}
	person.CreateTime = p.Now()
	p.ok(crewjam.DefaultAssertionMaker{}.MakeAssertion(request, &person))
	request.Assertion.IssueInstant = p.Now()
	if lie.Assertion != nil {
		lie.Assertion(request.Assertion)
	}
	assertion := request.Assertion.Element()
	if !lie.Unsigned {
		assertion = p.sign(assertion, lie.Method)
	}
	response := (&crewjam.Response{ID: "id-" + rand.Text(), InResponseTo: request.Request.ID, Version: "2.0",
		IssueInstant: p.Now(), Destination: request.ACSEndpoint.Location, Issuer: &crewjam.Issuer{Value: EntityID},
		Status: crewjam.Status{StatusCode: crewjam.StatusCode{Value: crewjam.StatusSuccess}}}).Element()
	response.AddChild(assertion)
	if lie.Response != nil {
		lie.Response(response)
	}
	if !lie.UnsignedIn {
		response = p.sign(response, lie.Method)
	}
	if lie.Document != nil {
		lie.Document(response)
	}
	doc := etree.NewDocument()
	doc.SetRoot(response)
	text, err := doc.WriteToString()
	p.ok(err)
	if lie.Text != nil {
		text = lie.Text(text)
	}
	return Form{ACS: request.ACSEndpoint.Location, Response: base64.StdEncoding.EncodeToString([]byte(text)),
		RelayState: request.RelayState}
}

// sign places the signature where the schema requires it, after the issuer.
func (p *IDP) sign(el *etree.Element, method string) *etree.Element {
	p.t.Helper()
	if method == "" {
		method = dsig.RSASHA256SignatureMethod
	}
	ctx, err := dsig.NewSigningContext(p.key, [][]byte{p.own.Raw})
	p.ok(err)
	ctx.Canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	p.ok(ctx.SetSignatureMethod(method))
	signed, err := ctx.SignEnveloped(el)
	p.ok(err)
	last := len(signed.Child) - 1
	signature := signed.Child[last]
	signed.Child = signed.Child[:last] // the library does not set the parent of the element it appends
	signed.InsertChildAt(1, signature)
	return signed
}

func (p *IDP) ok(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}
