package saml

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	crewjam "github.com/crewjam/saml"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

// Limits for metadata.
const (
	MaxMetadata = 256 << 10 // bytes
	maxKeys     = 10
	minRSABits  = 2048
	maxEntityID = 1024 // bytes, SAML Metadata 2.2.1
)

// described is the provider's metadata.
type described struct {
	entityID string
	signIn   string              // HTTP-Redirect URL for browsers
	keys     []*x509.Certificate // several during key rotation
	at       time.Time           // when the metadata was read
}

// parseMetadata parses an identity provider's metadata. It does not verify a signature: the metadata is trusted
// because its text or https URL was configured by a trusted person.
func parseMetadata(text []byte, now time.Time) (*described, error) {
	if len(text) > MaxMetadata {
		return nil, fmt.Errorf("the metadata is larger than %d bytes", MaxMetadata)
	}
	if err := checkDocument(text, true); err != nil {
		return nil, fmt.Errorf("read metadata: %w", err)
	}
	list, err := entities(text)
	if err != nil {
		return nil, err
	}
	var found *crewjam.EntityDescriptor
	for i, e := range list {
		if len(e.IDPSSODescriptors) == 0 {
			continue
		}
		if found != nil {
			return nil, errors.New("the metadata describes several identity providers")
		}
		found = &list[i]
	}
	switch {
	case found == nil:
		return nil, errors.New("the metadata describes no identity provider (IDPSSODescriptor)")
	case found.EntityID == "" || len(found.EntityID) > maxEntityID:
		return nil, errors.New("the entityID of the metadata is missing or too long")
	case !found.ValidUntil.IsZero() && found.ValidUntil.Before(now):
		return nil, errors.New("the metadata has expired (validUntil)")
	}
	d := &described{entityID: found.EntityID, at: now}
	for _, role := range found.IDPSSODescriptors {
		for _, s := range role.SingleSignOnServices {
			if s.Binding == crewjam.HTTPRedirectBinding && d.signIn == "" {
				d.signIn = s.Location
			}
		}
		for _, k := range role.KeyDescriptors {
			if k.Use != "" && k.Use != "signing" {
				continue
			}
			if err := d.addKeys(k.KeyInfo); err != nil {
				return nil, err
			}
		}
	}
	if d.signIn == "" {
		return nil, errors.New("the metadata has no SingleSignOnService with the binding HTTP-Redirect")
	}
	if err := checkAddress(d.signIn); err != nil {
		return nil, fmt.Errorf("SingleSignOnService: %w", err)
	}
	if len(d.keys) == 0 || len(d.keys) > maxKeys {
		return nil, fmt.Errorf("the metadata must have 1 to %d signing certificates", maxKeys)
	}
	return d, nil
}

// entities returns the entities described by the document, either a single one or a list.
func entities(text []byte) ([]crewjam.EntityDescriptor, error) {
	var one crewjam.EntityDescriptor
	if err := xml.Unmarshal(text, &one); err == nil {
		return []crewjam.EntityDescriptor{one}, nil
	}
	var many crewjam.EntitiesDescriptor
	if err := xml.Unmarshal(text, &many); err != nil {
		return nil, errors.New("the metadata is neither a SAML 2.0 EntityDescriptor nor a SAML 2.0 EntitiesDescriptor")
	}
	return many.EntityDescriptors, nil
}

func (d *described) addKeys(info crewjam.KeyInfo) error {
	for _, c := range info.X509Data.X509Certificates {
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(c.Data), ""))
		if err != nil {
			return errors.New("a certificate in the metadata is not valid base64")
		}
		parsed, err := x509.ParseCertificate(raw)
		if err != nil {
			return errors.New("a certificate in the metadata cannot be read")
		}
		switch key := parsed.PublicKey.(type) {
		case *rsa.PublicKey:
			if key.N.BitLen() < minRSABits {
				return fmt.Errorf("a certificate in the metadata has an RSA key shorter than %d bits", minRSABits)
			}
		case *ecdsa.PublicKey:
		default:
			return errors.New("a certificate in the metadata has neither an RSA nor an ECDSA key")
		}
		d.keys = append(d.keys, parsed)
	}
	return nil
}

// checkAddress validates a URL to which browsers are sent or from which this server fetches metadata.
func checkAddress(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it must be an https:// URL without a user name or fragment")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return errors.New("http:// is only allowed on this machine")
	}
	return nil
}

func loopback(host string) bool {
	host = hostname.Clean(host)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Endpoint describes this service provider to the identity provider.
type Endpoint struct {
	EntityID string // its id at the provider, and the required audience of assertions
	ACS      string // URL to which browsers post responses
}

// Metadata returns the service provider's metadata, for the provider's administrator.
func (e Endpoint) Metadata() ([]byte, error) {
	no, yes := false, true
	out, err := xml.MarshalIndent(spMetadata{EntityID: e.EntityID, Role: spRole{
		Protocols: "urn:oasis:names:tc:SAML:2.0:protocol", AuthnRequestsSigned: no, WantAssertionsSigned: yes,
		ACS: spACS{Binding: crewjam.HTTPPostBinding, Location: e.ACS, Index: 1, Default: yes}}}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write metadata: %w", err)
	}
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

// spMetadata is the part of EntityDescriptor needed by a service provider without keys. The library's own type would
// add an expiry and bindings that are not supported here.
type spMetadata struct {
	XMLName  xml.Name `xml:"urn:oasis:names:tc:SAML:2.0:metadata EntityDescriptor"`
	EntityID string   `xml:"entityID,attr"`
	Role     spRole   `xml:"SPSSODescriptor"`
}

type spRole struct {
	Protocols            string `xml:"protocolSupportEnumeration,attr"`
	AuthnRequestsSigned  bool   `xml:",attr"`
	WantAssertionsSigned bool   `xml:",attr"`
	ACS                  spACS  `xml:"AssertionConsumerService"`
}

type spACS struct {
	Binding  string `xml:",attr"`
	Location string `xml:",attr"`
	Index    int    `xml:"index,attr"`
	Default  bool   `xml:"isDefault,attr"`
}
