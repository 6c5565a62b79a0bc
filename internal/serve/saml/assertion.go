package saml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/beevik/etree"
	crewjam "github.com/crewjam/saml"
)

const (
	maxID      = 255 // bytes
	maxSubject = 255 // bytes; SAML Core 8.3.7 allows 256 for a persistent id
	maxEmail   = 254 // bytes
	maxName    = 200 // characters

	bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
)

// Assertion is a provider's one-time statement about a person.
type Assertion struct {
	ID      string    // the caller must reject a second use until Expires
	Expires time.Time // includes the leeway
	Identity
}

// Identity is a person as described by the provider. Issuer and Subject together identify a person permanently,
// unless the subject is transient.
type Identity struct {
	Issuer, Subject string
	Transient       bool   // the subject changes with each sign-in
	Email           string // "" if the provider sends none
	Name            string // "" if the provider sends none
	Groups          []string
}

// Common names of attributes, in order of preference.
var (
	usualEmail = []string{"email", "mail", "emailAddress",
		"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress", "urn:oid:0.9.2342.19200300.100.1.3"}
	usualName = []string{"displayName", "name", "http://schemas.microsoft.com/identity/claims/displayname",
		"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name", "urn:oid:2.16.840.1.113730.3.1.241", "cn"}
	usualGroups = []string{"groups", "memberOf", "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups",
		"http://schemas.xmlsoap.org/claims/Group", "urn:oid:1.3.6.1.4.1.5923.1.5.1.1"}
)

// readAssertion parses a verified assertion and checks that it is valid now, for this service provider and this
// request.
func (p *Provider) readAssertion(el *etree.Element, d *described, to Endpoint, requestID string, now time.Time) (Assertion,
	error) {
	doc := etree.NewDocument()
	doc.SetRoot(el.Copy())
	text, err := doc.WriteToBytes()
	if err != nil {
		return Assertion{}, errors.New("the assertion cannot be read")
	}
	var said crewjam.Assertion
	if err := xml.Unmarshal(text, &said); err != nil {
		return Assertion{}, errors.New("the assertion cannot be read")
	}
	switch {
	case said.Version != "2.0":
		return Assertion{}, errors.New("the assertion is not a SAML 2.0 assertion")
	case said.ID == "" || len(said.ID) > maxID:
		return Assertion{}, errors.New("the ID of the assertion is missing or too long")
	case strings.TrimSpace(said.Issuer.Value) != d.entityID:
		return Assertion{}, errors.New("the assertion has another issuer")
	case said.IssueInstant.After(now.Add(leeway)):
		return Assertion{}, errors.New("the assertion is from the future")
	case said.Subject == nil || said.Conditions == nil || len(said.AuthnStatements) == 0:
		return Assertion{}, errors.New("the assertion lacks a Subject, Conditions or an AuthnStatement")
	}
	until, err := checkConditions(said.Conditions, el, to, now)
	if err != nil {
		return Assertion{}, err
	}
	confirmed, err := checkSubject(said.Subject, to, requestID, now)
	if err != nil {
		return Assertion{}, err
	}
	for _, s := range said.AuthnStatements {
		if s.SessionNotOnOrAfter != nil && !now.Before(s.SessionNotOnOrAfter.Add(leeway)) {
			return Assertion{}, errors.New("the user's session with the provider has ended")
		}
	}
	out := Assertion{ID: said.ID, Expires: confirmed.Add(leeway)}
	if until.Before(confirmed) {
		out.Expires = until.Add(leeway)
	}
	out.Identity, err = p.identify(said, el, d)
	return out, err
}

// checkConditions checks the assertion's conditions and returns when it expires.
func checkConditions(c *crewjam.Conditions, el *etree.Element, to Endpoint, now time.Time) (until time.Time, err error) {
	switch {
	case c.NotBefore.After(now.Add(leeway)):
		return until, errors.New("the assertion is not valid yet")
	case c.NotOnOrAfter.IsZero() || !now.Before(c.NotOnOrAfter.Add(leeway)):
		return until, errors.New("the assertion has expired, or has no expiry")
	}
	restrictions := 0
	for _, conditions := range children(el, nsAssertion, "Conditions") {
		for _, r := range children(conditions, nsAssertion, "AudienceRestriction") {
			restrictions++
			if !slices.ContainsFunc(children(r, nsAssertion, "Audience"),
				func(a *etree.Element) bool { return strings.TrimSpace(a.Text()) == to.EntityID }) {
				return until, errors.New("the assertion is for another audience")
			}
		}
	}
	if restrictions == 0 {
		return until, errors.New("the assertion has no audience")
	}
	return c.NotOnOrAfter, nil
}

// checkSubject checks the assertion's subject and returns the time until which the bearer may present the assertion.
func checkSubject(s *crewjam.Subject, to Endpoint, requestID string, now time.Time) (until time.Time, err error) {
	err = errors.New("the assertion has no bearer confirmation")
	for _, c := range s.SubjectConfirmations {
		data := c.SubjectConfirmationData
		if c.Method != bearer || data == nil {
			continue
		}
		switch {
		case data.Recipient != to.ACS:
			err = errors.New("the assertion is for another recipient")
		case data.InResponseTo != requestID:
			err = errors.New("the assertion is for another request, or for none")
		case data.NotBefore.After(now.Add(leeway)):
			err = errors.New("the assertion may not be used yet")
		case data.NotOnOrAfter.IsZero() || !now.Before(data.NotOnOrAfter.Add(leeway)):
			err = errors.New("the assertion may no longer be used")
		default:
			return data.NotOnOrAfter, nil
		}
	}
	return until, err
}

// identify reads the person's identity.
func (p *Provider) identify(said crewjam.Assertion, el *etree.Element, d *described) (Identity, error) {
	who := Identity{Issuer: d.entityID}
	id := said.Subject.NameID
	for _, s := range children(el, nsAssertion, "Subject") {
		for _, n := range children(s, nsAssertion, "NameID") {
			if len(n.ChildElements()) > 0 {
				return who, errors.New("the NameID contains XML elements")
			}
		}
	}
	if id != nil {
		who.Subject = strings.TrimSpace(id.Value)
		who.Transient = id.Format == string(crewjam.TransientNameIDFormat)
	}
	if who.Subject == "" || len(who.Subject) > maxSubject || strings.ContainsFunc(who.Subject, unicode.IsControl) {
		return who, fmt.Errorf("the NameID is missing, has control characters, or is longer than %d bytes", maxSubject)
	}
	if list := attribute(said, p.opt.EmailAttribute, usualEmail); len(list) > 0 {
		who.Email = cleanEmail(list[0])
	} else if p.opt.EmailAttribute == "" && id.Format == string(crewjam.EmailAddressNameIDFormat) {
		who.Email = cleanEmail(who.Subject)
	}
	if list := attribute(said, p.opt.NameAttribute, usualName); len(list) > 0 {
		letters := []rune(strings.Join(strings.FieldsFunc(list[0], odd), " "))
		who.Name = string(letters[:min(len(letters), maxName)])
	}
	who.Groups = attribute(said, p.opt.GroupsAttribute, usualGroups)
	slices.Sort(who.Groups)
	who.Groups = slices.Compact(who.Groups)
	return who, nil
}

// attribute returns the values of the attribute named in the settings, or else of the first common one that exists.
func attribute(said crewjam.Assertion, name string, usual []string) (out []string) {
	names := usual
	if name != "" {
		names = []string{name}
	}
	for _, n := range names {
		for _, s := range said.AttributeStatements {
			for _, a := range s.Attributes {
				if a.Name != n && a.FriendlyName != n {
					continue
				}
				for _, v := range a.Values {
					if text := strings.TrimSpace(v.Value); text != "" {
						out = append(out, text)
					}
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func cleanEmail(address string) string {
	if len(address) > maxEmail || !strings.Contains(address, "@") || strings.ContainsFunc(address, odd) {
		return ""
	}
	return address
}

func odd(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
}
