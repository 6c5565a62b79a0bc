package account

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Credential is an organization's stored access to a code host. It contains the secret only in sealed form.
type Credential struct {
	ID             string
	OrganizationID string
	Name           string // unique in the organization; projects refer to it
	Kind           CredentialKind
	BaseURL        string // limits its use to repositories at or below this address
	Sealed         string
	CreatedBy      string // id of the key or member that created it
	CreatedAt      time.Time
	UpdatedAt      time.Time
	LastUsedAt     *time.Time // nil = never used; resolution of one minute
}

// CredentialKind is the way a credential authenticates.
type CredentialKind string

// The kinds of credentials.
const (
	CredentialToken  CredentialKind = "token"   // user and password or token, over https
	CredentialSSHKey CredentialKind = "ssh-key" // private key
	// private key of a GitHub App, which gets a token for one repository at a time
	CredentialGitHubApp CredentialKind = "github-app"
)

// MaxCredentials limits the credentials of an organization.
const MaxCredentials = 100

// UnknownCredential is the fault for a credential that the organization does not have. It is the same if another
// organization has one with that name or id.
func UnknownCredential() error {
	return fault.New(fault.NotFound, "unknown_credential", "Credential not found.")
}
