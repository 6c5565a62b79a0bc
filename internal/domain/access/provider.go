package access

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Provider is an identity provider that authenticates readers of a site: with SAML if SAML is set, otherwise with
// OpenID Connect.
type Provider struct {
	Name        string   `json:"name"`  // in addresses, unique on the site
	Label       string   `json:"label"` // on the button
	Issuer      string   `json:"issuer"`
	ClientID    string   `json:"clientId"`
	Scopes      []string `json:"scopes"`      // in addition to openid email profile
	GroupsClaim string   `json:"groupsClaim"` // "" = groups
	// Groups and EmailDomains restrict which of the provider's users may read the site: those in one of the groups,
	// and those with a verified address in one of the domains. Both empty = all users.
	Groups       []string `json:"groups"`
	EmailDomains []string `json:"emailDomains"`
	// GrantGroups are the groups that readers can get from this provider. Other groups that it reports do not affect
	// which pages readers see. Empty = all groups, which is appropriate for the only provider of a site.
	GrantGroups []string      `json:"grantGroups,omitempty"`
	SAML        *SAMLSettings `json:"saml,omitempty"` // nil = OpenID Connect; otherwise Issuer to GroupsClaim are empty
	// ClientSecret is only in memory. SealSecrets encrypts it for storage. "" = a public client.
	ClientSecret string `json:"-"`
}

// SAMLSettings configures sign-in with a SAML provider. Either Metadata or MetadataURL is set.
type SAMLSettings struct {
	Metadata    string `json:"metadata,omitempty"` // the provider's metadata, in XML
	MetadataURL string `json:"metadataUrl,omitempty"`
	EntityID    string `json:"entityId,omitempty"` // of the site; "" = the address of its metadata
	// Attribute names; "" = the names that providers usually use.
	EmailAttribute  string `json:"emailAttribute,omitempty"`
	NameAttribute   string `json:"nameAttribute,omitempty"`
	GroupsAttribute string `json:"groupsAttribute,omitempty"`
}

// Admits reports whether a user whom the provider authenticated may read the site. email is "" unless the provider has
// verified it.
func (p Provider) Admits(groups []string, email string) bool {
	if len(p.Groups) == 0 && len(p.EmailDomains) == 0 {
		return true
	}
	_, domain, _ := strings.Cut(strings.ToLower(email), "@")
	return slices.ContainsFunc(p.Groups, func(g string) bool { return slices.Contains(groups, g) }) ||
		domain != "" && slices.Contains(p.EmailDomains, domain)
}

// Grant returns those of a user's groups that this provider may grant.
func (p Provider) Grant(groups []string) []string {
	if len(p.GrantGroups) == 0 {
		return groups
	}
	return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return !slices.Contains(p.GrantGroups, g) })
}

// Limits of an operator's settings.
const (
	MaxProviders = 10
	maxList      = 100
	maxText      = 200       // bytes
	maxAddress   = 2000      // bytes
	maxMetadata  = 256 << 10 // bytes
)

var providerName = lazyregexp.New(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// CleanProviders validates the providers of a site in the mode OIDC or SAML. The caller checks whether issuers and
// metadata work.
func CleanProviders(mode Mode, list []Provider) ([]Provider, error) {
	bad := func(public string) error {
		return fault.New(fault.Invalid, "invalid_field", public).WithField("providers")
	}
	if len(list) == 0 {
		return nil, fault.Newf(fault.Invalid, "missing_field", "The mode %s needs at least one provider.", mode).
			WithField("providers")
	}
	if len(list) > MaxProviders {
		return nil, bad("A site can have at most 10 providers.")
	}
	seen := map[string]bool{}
	out := slices.Clone(list)
	for i, p := range out {
		if !providerName.MatchString(p.Name) || seen[p.Name] {
			return nil, bad("Each provider needs a unique name of lower-case letters, digits and inner hyphens.")
		}
		seen[p.Name] = true
		if (p.SAML != nil) != (mode == SAML) {
			return nil, bad("In the mode saml, each provider must have the field saml; in the mode oidc, none may have it.")
		}
		var names []string
		if p.SAML != nil {
			if p.Issuer+p.ClientID+p.ClientSecret+p.GroupsClaim != "" || len(p.Scopes) > 0 {
				return nil, bad("A SAML provider must not have an issuer, client, scopes or claim.")
			}
			if len(p.SAML.Metadata) > maxMetadata || len(p.SAML.MetadataURL) > maxAddress {
				return nil, bad("The metadata, or its address, is too long.")
			}
			names = []string{p.SAML.EntityID, p.SAML.EmailAttribute, p.SAML.NameAttribute, p.SAML.GroupsAttribute}
		}
		if out[i].Label = strings.TrimSpace(p.Label); out[i].Label == "" {
			out[i].Label = p.Name
		}
		for _, texts := range [][]string{{out[i].Label, p.Issuer, p.ClientID, p.GroupsClaim}, names, p.Scopes,
			p.Groups, p.EmailDomains, p.GrantGroups} {
			if len(texts) > maxList || slices.ContainsFunc(texts, tooOdd) {
				return nil, bad("A provider's texts may have at most 200 printable characters each, and its lists at most 100 entries.")
			}
		}
		out[i].EmailDomains = nil
		for _, d := range p.EmailDomains {
			out[i].EmailDomains = append(out[i].EmailDomains, strings.ToLower(strings.TrimPrefix(d, "@")))
		}
	}
	return out, nil
}

func tooOdd(s string) bool {
	return len(s) > maxText || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// cleanHTTPS validates an address to which readers are sent.
func cleanHTTPS(text, field string) error {
	u, err := url.Parse(text)
	local := err == nil && u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(text) > maxAddress ||
		u.Scheme != "https" && !local {
		return fault.Newf(fault.Invalid, "invalid_field", "%s must be an https:// address without a user or a fragment.",
			field).WithField(field)
	}
	return nil
}

const secretsPurpose = "lectern reader access"

// SealSecrets encrypts the client secrets of a site's providers; "" if there are none.
func SealSecrets(master []byte, rand io.Reader, projectID string, list []Provider) string {
	secrets := map[string]string{}
	for _, p := range list {
		if p.ClientSecret != "" {
			secrets[p.Name] = p.ClientSecret
		}
	}
	if len(secrets) == 0 {
		return ""
	}
	return sealbox.Seal(master, rand, secretsPurpose, projectID, secrets)
}

// OpenSecrets decrypts the client secrets into the providers of the settings. stale reports whether they were sealed
// with an earlier master key.
func (s *Settings) OpenSecrets(masters [][]byte) (stale bool, err error) {
	if s.Sealed == "" {
		return false, nil
	}
	var secrets map[string]string
	stale, ok := sealbox.Open(masters, secretsPurpose, s.ProjectID, s.Sealed, &secrets)
	if !ok {
		return false, fault.New(fault.Conflict, "sealed_with_another_key",
			"The site's client secrets were encrypted with a different server secret key and cannot be read.").
			WithHint("Configure the site's providers again.")
	}
	for i := range s.Providers {
		s.Providers[i].ClientSecret = secrets[s.Providers[i].Name]
	}
	return stale, nil
}
