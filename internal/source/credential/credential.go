package credential

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// Credential is a credential for repositories. Its text form contains no secret.
type Credential struct {
	Name string
	// the secret is used only for repositories at or below this URL; "" only for an SSH key of the server itself
	BaseURL    string
	User       string
	Password   string
	SSHKey     string     // a private key; "" for other kinds
	SSHKeyFile string     // path of a private key that the operator manages; "" for other kinds
	App        *forge.App // GitHub App, which provides a token for each repository; nil for other kinds
}

// namePattern permits names that are safe as a file name and as the suffix of an environment variable.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// ValidName reports whether a credential can have the name.
func ValidName(name string) bool { return namePattern.MatchString(name) }

// String returns the credential's name, without its secret (K9).
func (c Credential) String() string { return "credential " + c.Name }

// GoString is like String, so that %#v does not show the secret either.
func (c Credential) GoString() string { return c.String() }

// SSH reports whether the credential is a private key for SSH.
func (c Credential) SSH() bool { return c.SSHKey != "" || c.SSHKeyFile != "" }

// Covers reports whether the credential may be used for the repository: only at or below its base URL, so that a
// project cannot send it to another host or group. An SSH key of the server itself has no base URL and covers all
// repositories accessed through SSH.
func (c Credential) Covers(repository string) bool {
	if c.BaseURL == "" {
		return c.SSH() && (strings.HasPrefix(repository, "ssh://") || !strings.Contains(repository, "://"))
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return false
	}
	repo, err := url.Parse(project.Source{Repository: repository}.URL())
	if err != nil || repo.Scheme != base.Scheme || !strings.EqualFold(repo.Host, base.Host) || repo.Opaque != "" {
		return false
	}
	// A path with dot segments, plain or escaped, may resolve to another path.
	if p := strings.TrimRight(repo.Path, "/"); p != "" && path.Clean(p) != p {
		return false
	}
	return repo.Path == base.Path || strings.HasPrefix(repo.Path, base.Path+"/")
}

// Values returns the credential's secrets, so that callers can redact them.
func (c Credential) Values() []string {
	switch {
	case c.App != nil:
		return []string{c.App.PrivateKey}
	case c.SSHKey != "":
		return []string{c.SSHKey}
	case c.Password != "":
		return []string{c.Password}
	case c.User != "":
		return []string{c.User} // a token may be entered as the user name
	}
	return nil
}

// apiSuffix is the name suffix of a credential for a code host's API, for a repository that itself is accessed with an
// SSH key.
const apiSuffix = "-api"

// ForAPI returns the credential for opening pull requests on a repository: the credential with the given name or, if
// that is an SSH key, the one with the suffix -api.
func ForAPI(find func(name string) (Credential, error), name, repository string) (Credential, error) {
	found, err := find(name)
	if err == nil && found.SSH() {
		found, err = find(name + apiSuffix)
		if fault.HasCode(err, "unknown_credential") {
			return Credential{}, fault.New(fault.Invalid, "missing_credential",
				"The project's credential is an SSH key, which cannot open pull requests.").
				WithField("source.credential").
				WithHint("Also create a token with the name " + name + apiSuffix + ".")
		}
	}
	if err != nil {
		return Credential{}, err
	}
	at, err := forge.ParseRepository(repository)
	if err != nil {
		return Credential{}, err
	}
	if !found.Covers(at.Web()) {
		return Credential{}, NotFor(found.Name)
	}
	return found, nil
}

// NotFor returns the fault for a credential that does not cover a repository.
func NotFor(name string) error {
	return fault.Newf(fault.Forbidden, "credential_not_for_repository", "The credential %q is not for this repository.",
		name).
		WithField("source.credential").
		WithHint("A credential works only for the host or repositories that it was created for.")
}

// Unknown returns the fault for a credential that does not exist or belongs to another organization.
func Unknown(name string) error {
	return fault.Newf(fault.Invalid, "unknown_credential", "The organization has no credential %q.", name).
		WithField("source.credential").
		WithHint(
			"Create it in the dashboard's settings or with POST /v1/credentials. " +
				"The server's own credentials work only for organizations listed in credentials.shared.")
}
