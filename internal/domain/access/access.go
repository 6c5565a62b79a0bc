package access

import (
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Mode is how readers of a site authenticate.
type Mode string

// The modes. All modes except Public protect every address of the site and of its previews.
const (
	Public       Mode = "public"
	Password     Mode = "password"     // one password for all readers
	Organization Mode = "organization" // members of the organization, with their account on this server
	OIDC         Mode = "oidc"         // users authenticated by the organization's identity provider (OpenID Connect)
	SAML         Mode = "saml"         // like OIDC, but with SAML 2.0
	JWT          Mode = "jwt"          // users authenticated by the organization's own application, with a signed token
)

// Modes lists the modes that can be set. A mode is listed only once it works completely.
func Modes() []Mode { return []Mode{Public, Password, Organization, OIDC, SAML, JWT} }

// Settings configure who may read a project's site. The default is public: the zero value with the project's id.
type Settings struct {
	ProjectID    string
	Mode         Mode
	PasswordHash string     // "" unless Mode is Password
	Providers    []Provider // none unless Mode is OIDC or SAML
	Handoff      Handoff    // zero unless Mode is JWT
	Sealed       string     // client secrets of Providers, encrypted; "" = none
	// Version is incremented by every change and when an operator ends all sessions. A session is valid only for
	// the version with which it was opened.
	Version   int64
	UpdatedAt time.Time // zero = never changed
}

// Protected reports whether readers must sign in. An unknown mode counts as protected, because a newer program may have
// stored it.
func (s Settings) Protected() bool { return s.Mode.Protected() }

// Protected reports whether readers must sign in.
func (m Mode) Protected() bool { return m != "" && m != Public }

// ParseMode parses the name of a mode that can be set.
func ParseMode(name string) (Mode, error) {
	if m := Mode(name); slices.Contains(Modes(), m) {
		return m, nil
	}
	hint := "Valid modes are"
	for i, m := range Modes() {
		if i > 0 {
			hint += ","
		}
		hint += " " + string(m)
	}
	return "", fault.Newf(fault.Invalid, "invalid_field", "Unknown reader access mode %q.", name).WithField("mode").
		WithHint(hint + ".")
}
