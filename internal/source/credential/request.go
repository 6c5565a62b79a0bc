package credential

import (
	"io"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// Request is an administrator's request to create or replace a credential.
type Request struct {
	Name   string
	Kind   account.CredentialKind
	URL    string // host, group or repository that it covers
	User   string // only for a token; "" = a name that works with access tokens
	AppID  string // only for a GitHub App
	Secret string // token, or private key in PEM
}

const (
	maxURL    = 1024     // bytes
	maxToken  = 4096     // bytes
	maxSecret = 16 << 10 // bytes of a private key
)

var (
	appID    = lazyregexp.New(`^[A-Za-z0-9._-]{1,64}$`)
	userName = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,127}$`)
)

// ValidApp reports whether text is an App's number or client id.
func ValidApp(text string) bool { return appID.MatchString(text) }

// Parse validates a request. Its faults never contain the secret.
func Parse(r Request) (Credential, error) {
	c := Credential{Name: r.Name}
	if !ValidName(r.Name) {
		return c,
			bad("name",
				"name must have 1 to 63 lower-case letters, digits, dashes and underscores, and start with a letter or digit.")
	}
	if r.Secret == "" {
		return c, fault.New(fault.Invalid, "missing_field", "secret is missing.").WithField("secret")
	}
	switch r.Kind {
	case account.CredentialToken, account.CredentialSSHKey, account.CredentialGitHubApp:
	default:
		return c, bad("kind", "kind must be token, ssh-key or github-app.")
	}
	if r.User != "" && (r.Kind != account.CredentialToken || !userName.MatchString(r.User)) {
		return c, bad("user", "user must be the login name that belongs to a token, or omitted.")
	}
	if (r.AppID != "") != (r.Kind == account.CredentialGitHubApp) || r.AppID != "" && !ValidApp(r.AppID) {
		return c, bad("appId", "appId must be the id of a GitHub App, and is only allowed for that kind.")
	}
	var err error
	switch r.Kind {
	case account.CredentialToken:
		c.User, c.Password = r.User, r.Secret
		c.BaseURL, err = baseURL(r.URL, "https", "http")
		if err == nil && (len(r.Secret) > maxToken || !utf8.ValidString(r.Secret) ||
			strings.ContainsFunc(r.Secret, unicode.IsControl)) {
			err = bad("secret", "secret must be a token or password of at most 4096 bytes, on one line.")
		}
	case account.CredentialSSHKey:
		c.SSHKey = strings.TrimSpace(strings.ReplaceAll(r.Secret, "\r\n", "\n")) + "\n"
		c.BaseURL, err = baseURL(r.URL, "ssh")
		if err == nil && !privateKey(c.SSHKey) {
			err = bad("secret", "secret must be an SSH private key without a passphrase, starting with -----BEGIN.")
		}
	case account.CredentialGitHubApp:
		c.App = &forge.App{ID: r.AppID, PrivateKey: r.Secret}
		c.BaseURL, err = baseURL(r.URL, "https")
		if err == nil && (len(r.Secret) > maxSecret || c.App.Check() != nil) {
			err = bad("secret", "secret must be the App's RSA private key in PEM.")
		}
	}
	return c, err
}

func bad(field, sentence string) error {
	return fault.New(fault.Invalid, "invalid_field", sentence).WithField(field)
}

func privateKey(text string) bool {
	return len(text) <= maxSecret && strings.HasPrefix(text, "-----BEGIN ") && strings.Contains(text,
		"PRIVATE KEY-----\n") && !strings.Contains(text, "ENCRYPTED") && !strings.ContainsRune(text, 0)
}

// baseURL normalizes the address that a credential covers. git@host:path is accepted as SSH.
func baseURL(text string, schemes ...string) (string, error) {
	u, err := url.Parse(project.Source{Repository: text}.URL())
	if err != nil || len(text) > maxURL || u.Host == "" || u.Hostname() == "" || u.RawQuery != "" || u.ForceQuery ||
		u.Fragment != "" || u.Opaque != "" {
		return "", badBase(schemes[0])
	}
	_, password := u.User.Password()
	at := strings.TrimRight(u.Path, "/")
	known := false
	for _, s := range schemes {
		known = known || u.Scheme == s
	}
	if !known || password || u.User != nil && u.Scheme != "ssh" || at != "" && path.Clean(at) != at ||
		strings.ContainsFunc(u.Path, unicode.IsControl) {
		return "", badBase(schemes[0])
	}
	return (&url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: at}).String(), nil
}

func badBase(scheme string) error {
	example := "https://git.example.com/team"
	if scheme == "ssh" {
		example = "ssh://git.example.com/team"
	}
	return fault.New(fault.Invalid, "invalid_field",
		"url must be the address of the repositories that the credential covers, without a password.").
		WithField("url").WithHint("Write it like " + example + ".")
}

// secrets are the encrypted parts of a credential.
type secrets struct {
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	SSHKey   string `json:"sshKey,omitempty"`
	AppID    string `json:"appId,omitempty"`
	AppKey   string `json:"appKey,omitempty"`
}

const purpose = "lectern credential"

// owner returns the text that binds a sealed secret to its row and address: the secret cannot be opened in another
// organization's row or for another address.
func owner(c account.Credential) string {
	return c.OrganizationID + " " + c.ID + " " + string(c.Kind) + " " + c.BaseURL
}

// Seal encrypts the secret parts of a credential for its row; the row's Sealed is ignored.
func Seal(master []byte, rand io.Reader, row account.Credential, c Credential) string {
	s := secrets{User: c.User, Password: c.Password, SSHKey: c.SSHKey}
	if c.App != nil {
		s.AppID, s.AppKey = c.App.ID, c.App.PrivateKey
	}
	return sealbox.Seal(master, rand, purpose, owner(row), s)
}

// Open decrypts a stored credential with the master key that sealed it; stale reports whether that was a previous
// master key.
func Open(masters [][]byte, row account.Credential) (c Credential, stale bool, err error) {
	var s secrets
	stale, ok := sealbox.Open(masters, purpose, owner(row), row.Sealed, &s)
	if !ok {
		return c, false, fault.Newf(fault.Internal, "unreadable_credential", "The credential %q cannot be read.",
			row.Name).
			WithHint("It was encrypted with a different server secret key. Replace its value.")
	}
	c = Credential{Name: row.Name, BaseURL: row.BaseURL, User: s.User, Password: s.Password, SSHKey: s.SSHKey}
	if s.AppID != "" {
		c.App = &forge.App{ID: s.AppID, PrivateKey: s.AppKey}
	}
	return c, stale, nil
}
