package access

import (
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
)

// Provider is an identity provider that identifies readers of a site: with SAML if it has SAML, else with OpenID Connect.
type Provider struct {
	Name        string   `json:"name"`  // in addresses, unique on the site
	Label       string   `json:"label"` // on the button
	Issuer      string   `json:"issuer"`
	ClientID    string   `json:"clientId"`
	Scopes      []string `json:"scopes"`      // beyond openid email profile
	GroupsClaim string   `json:"groupsClaim"` // "" = groups
	// Groups and EmailDomains say whom the site admits of the people that the provider knows: those in one of the
	// groups, and those with a verified address in one of the domains. Both empty = all of them.
	Groups       []string `json:"groups"`
	EmailDomains []string `json:"emailDomains"`
	// GrantGroups are the groups that readers can get from this provider; what else it claims has no effect on the pages
	// they see. Empty = every group, which is right for the only provider of a site.
	GrantGroups []string      `json:"grantGroups,omitempty"`
	SAML        *SAMLSettings `json:"saml,omitempty"` // nil = OpenID Connect; otherwise Issuer to GroupsClaim are empty
	// ClientSecret is in memory only; Secrets.Seal stores it. "" = a public client.
	ClientSecret string `json:"-"`
}

// SAMLSettings are how readers sign in at a SAML provider. It has Metadata or MetadataURL.
type SAMLSettings struct {
	Metadata    string `json:"metadata,omitempty"` // of the provider, in XML
	MetadataURL string `json:"metadataUrl,omitempty"`
	EntityID    string `json:"entityId,omitempty"` // of the site; "" = the address of its metadata
	// Names of attributes; "" = those that providers usually have.
	EmailAttribute  string `json:"emailAttribute,omitempty"`
	NameAttribute   string `json:"nameAttribute,omitempty"`
	GroupsAttribute string `json:"groupsAttribute,omitempty"`
}

// Admits reports whether a person whom the provider identified may read the site. email is "" unless the provider has
// verified it.
func (p Provider) Admits(groups []string, email string) bool {
	if len(p.Groups) == 0 && len(p.EmailDomains) == 0 {
		return true
	}
	_, domain, _ := strings.Cut(strings.ToLower(email), "@")
	return slices.ContainsFunc(p.Groups, func(g string) bool { return slices.Contains(groups, g) }) ||
		domain != "" && slices.Contains(p.EmailDomains, domain)
}

// Grant returns those of a person's groups that this provider may name.
func (p Provider) Grant(groups []string) []string {
	if len(p.GrantGroups) == 0 {
		return groups
	}
	return slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return !slices.Contains(p.GrantGroups, g) })
}

// Bounds of what an operator may set.
const (
	MaxProviders = 10
	maxList      = 100
	maxText      = 200       // bytes
	maxAddress   = 2000      // bytes
	maxMetadata  = 256 << 10 // bytes
)

var providerName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// CleanProviders checks the providers of a site in the mode OIDC or SAML. Whether an issuer or metadata can be used at all
// is for the caller to check.
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
			return nil, bad("Each provider needs its own name of lower-case letters, digits and inner hyphens.")
		}
		seen[p.Name] = true
		if (p.SAML != nil) != (mode == SAML) {
			return nil, bad("Providers of the mode saml have saml; those of the mode oidc do not.")
		}
		var names []string
		if p.SAML != nil {
			if p.Issuer+p.ClientID+p.ClientSecret+p.GroupsClaim != "" || len(p.Scopes) > 0 {
				return nil, bad("A SAML provider has no issuer, client, scopes and claim.")
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
				return nil, bad("Texts of a provider have at most 200 printable characters, lists at most 100 entries.")
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

// cleanHTTPS checks an address that readers are sent to.
func cleanHTTPS(text, field string) error {
	u, err := url.Parse(text)
	local := err == nil && u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(text) > maxAddress ||
		u.Scheme != "https" && !local {
		return fault.Newf(fault.Invalid, "invalid_field", "%s must be an https:// address without user and fragment.",
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

// OpenSecrets puts the client secrets back into the providers of the settings. stale is set if an earlier master key
// sealed them.
func (s *Settings) OpenSecrets(masters [][]byte) (stale bool, err error) {
	if s.Sealed == "" {
		return false, nil
	}
	var secrets map[string]string
	stale, ok := sealbox.Open(masters, secretsPurpose, s.ProjectID, s.Sealed, &secrets)
	if !ok {
		return false, fault.New(fault.Conflict, "sealed_with_another_key",
			"The client secrets of this site were stored with another secret key of the server.").
			WithHint("Set the site's providers again.")
	}
	for i := range s.Providers {
		s.Providers[i].ClientSecret = secrets[s.Providers[i].Name]
	}
	return stale, nil
}
