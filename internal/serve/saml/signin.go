package saml

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/beevik/etree"
	crewjam "github.com/crewjam/saml"

	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// MaxResponse is the maximum size of a response, in bytes of XML.
const MaxResponse = 256 << 10

// leeway is the permitted clock difference.
const leeway = time.Minute

// Begin returns the URL to send the browser to. requestID and relayState must be random, used only for this sign-in,
// and consist of letters and digits; requestID must start with a letter or an underscore.
func (p *Provider) Begin(ctx context.Context, to Endpoint, requestID, relayState string) (address string, err error) {
	if requestID == "" || relayState == "" {
		return "", errors.New("begin sign-in: request id or relay state is missing")
	}
	d, err := p.describe(ctx, freshLife)
	if err != nil {
		return "", explain(err)
	}
	allow := true
	request := crewjam.AuthnRequest{ID: requestID, Version: "2.0", IssueInstant: p.opt.Now().UTC(),
		Destination: d.signIn, AssertionConsumerServiceURL: to.ACS, ProtocolBinding: crewjam.HTTPPostBinding,
		Issuer:       &crewjam.Issuer{Value: to.EntityID},
		NameIDPolicy: &crewjam.NameIDPolicy{AllowCreate: &allow}}
	u, err := request.Redirect(relayState, &crewjam.ServiceProvider{})
	if err != nil {
		return "", fmt.Errorf("begin sign-in: %w", err)
	}
	return u.String(), nil
}

// Finish verifies a browser's response, in the base64 encoding in which the form contains it. to and requestID must be
// those passed to Begin. The caller must reject an assertion whose ID was used before.
func (p *Provider) Finish(ctx context.Context, to Endpoint, requestID, response string) (Assertion, error) {
	if requestID == "" {
		return Assertion{}, errors.New("finish sign-in: the request id is missing")
	}
	d, err := p.describe(ctx, freshLife)
	if err != nil {
		return Assertion{}, explain(err)
	}
	text, err := decode(response)
	if err != nil {
		return Assertion{}, explain(err)
	}
	out, err := p.read(d, to, requestID, text)
	if errors.Is(err, errKey) {
		newer, again := p.describe(ctx, retryLife)
		if again == nil && newer != d {
			out, err = p.read(newer, to, requestID, text)
		}
	}
	if err != nil {
		return Assertion{}, explain(err)
	}
	return out, nil
}

func decode(response string) ([]byte, error) {
	if len(response) > base64.StdEncoding.EncodedLen(MaxResponse)*2 { // allows for line breaks
		return nil, fmt.Errorf("the response is larger than %d bytes", MaxResponse)
	}
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(response), ""))
	if err != nil {
		return nil, errors.New("the response is not base64")
	}
	if len(text) > MaxResponse {
		return nil, fmt.Errorf("the response is larger than %d bytes", MaxResponse)
	}
	return text, nil
}

// read verifies the document and returns the content of its signed part.
func (p *Provider) read(d *described, to Endpoint, requestID string, text []byte) (Assertion, error) {
	if err := checkDocument(text, false); err != nil {
		return Assertion{}, err
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(text); err != nil || doc.Root() == nil {
		return Assertion{}, errors.New("the XML is malformed")
	}
	root := doc.Root()
	if root.Tag != "Response" || root.NamespaceURI() != nsProtocol {
		return Assertion{}, errors.New("the document is not a SAML 2.0 Response")
	}
	now := p.opt.Now()
	signed := true
	switch whole, err := verify(root, d.keys, now); {
	case err == nil:
		root = whole // everything outside the signed bytes is discarded
	case errors.Is(err, errUnsigned):
		signed = false
	default:
		return Assertion{}, fmt.Errorf("verify response: %w", err)
	}
	if err := checkResponse(root, d, to, requestID, signed); err != nil {
		return Assertion{}, err
	}
	el, err := oneAssertion(root)
	if err != nil {
		return Assertion{}, err
	}
	switch proven, err := verify(el, d.keys, now); {
	case err == nil:
		el = proven
	case errors.Is(err, errUnsigned) && signed:
	default:
		return Assertion{}, fmt.Errorf("verify assertion: %w", err)
	}
	return p.readAssertion(el, d, to, requestID, now)
}

// oneAssertion returns the assertion in a response. It rejects documents with a second or an encrypted assertion: a
// verified part must not be combined with an unverified one.
func oneAssertion(root *etree.Element) (*etree.Element, error) {
	if count(root, "EncryptedAssertion") > 0 {
		return nil, &idpfault.Mismatch{Err: errors.New("the assertion is encrypted: turn encryption off at the provider")}
	}
	list := children(root, nsAssertion, "Assertion")
	if len(list) != 1 || count(root, "Assertion") != 1 || count(root, "Response") != 1 {
		return nil, errors.New("the response does not have exactly one assertion")
	}
	return list[0], nil
}

// checkResponse checks the parts of the response outside the assertion. If the response is not signed, these parts
// cannot be trusted, but they must still match the request.
func checkResponse(root *etree.Element, d *described, to Endpoint, requestID string, signed bool) error {
	if root.SelectAttrValue("Version", "") != "2.0" {
		return errors.New("the response is not a SAML 2.0 response")
	}
	if at := root.SelectAttrValue("Destination", ""); at != to.ACS && (at != "" || signed) {
		return errors.New("the response is for another destination")
	}
	if root.SelectAttrValue("InResponseTo", "") != requestID {
		return errors.New("the response is for another request, or for none")
	}
	for _, issuer := range children(root, nsAssertion, "Issuer") {
		if strings.TrimSpace(issuer.Text()) != d.entityID {
			return errors.New("the response has another issuer")
		}
	}
	status := ""
	for _, s := range children(root, nsProtocol, "Status") {
		for _, code := range children(s, nsProtocol, "StatusCode") {
			status = code.SelectAttrValue("Value", "")
		}
	}
	if status != crewjam.StatusSuccess {
		return &denial{status}
	}
	return nil
}
