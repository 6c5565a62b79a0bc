package config

import (
	"cmp"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/forge"
)

// credentialName keeps a name safe as a file's name and as the end of a variable's.
var credentialName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// credentialApp is an App's number or client id.
var credentialApp = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Credentials finds repository credentials by name. Projects hold the name only; the value stays with the operator, in the
// variable LECTERN_CREDENTIAL_<NAME> (upper case, dashes as underscores) or in a file of that name in the credentials folder.
type Credentials struct {
	env Env
	dir string // "" for none
}

// Credential opens repositories. Its text form shows no secret.
type Credential struct {
	Name       string
	BaseURL    string // only repositories at or below it may see the password; "" for an SSH key
	User       string
	Password   string
	SSHKeyFile string     // path of a private key; "" for a password
	App        *forge.App // GitHub App, which gets a password for each repository; nil for the others
}

// String names the credential without its secret (K9).
func (c Credential) String() string { return "credential " + c.Name }

// GoString is String, so that %#v shows no secret either.
func (c Credential) GoString() string { return c.String() }

// Find reads a credential. It is read anew each time, so that a rotated value is used at once.
func (c Credentials) Find(name string) (Credential, error) {
	if !credentialName.MatchString(name) {
		return Credential{}, fault.Newf(fault.Invalid, "invalid_credential", "%q cannot be a credential's name.", name).
			WithField("credential").WithHint("Names have lower-case letters, digits, dashes and underscores.")
	}
	if value, ok := c.env[EnvName("credential."+name)]; ok {
		return c.parse(name, value)
	}
	if c.dir == "" {
		return Credential{}, unknownCredential(name)
	}
	file := filepath.Join(c.dir, name)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Credential{}, unknownCredential(name)
	}
	if err != nil {
		return Credential{}, fault.Newf(fault.Internal, "unreadable_credential", "The credential %q cannot be read.", name).WithCause(err)
	}
	if strings.HasPrefix(strings.TrimSpace(string(data)), "-----BEGIN ") {
		return Credential{Name: name, SSHKeyFile: file}, nil
	}
	return c.parse(name, string(data))
}

func (c Credentials) parse(name, value string) (Credential, error) {
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return c.parseApp(name, value)
	}
	return parseCredential(name, value)
}

func unknownCredential(name string) error {
	return fault.Newf(fault.Invalid, "unknown_credential", "There is no credential %q on this server.", name).
		WithField("credential").WithHint("Its operator sets " + EnvName("credential."+name) + " or puts a file of that name into the credentials folder.")
}

func parseCredential(name, value string) (Credential, error) {
	u, err := url.Parse(strings.TrimSpace(value))
	if err != nil || u.User == nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || u.Fragment != "" {
		// The parser's error quotes the value, so it is not kept as a cause.
		return Credential{}, fault.Newf(fault.Invalid, "bad_credential", "The value of the credential %q is not a URL with a user or token.", name).
			WithField("credential").WithHint("It looks like https://user:token@host/group; an SSH private key must be a file, a GitHub App is a JSON object.")
	}
	password, _ := u.User.Password()
	base := url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: strings.TrimRight(u.Path, "/")}
	return Credential{Name: name, BaseURL: base.String(), User: u.User.Username(), Password: password}, nil
}

// Covers reports whether the credential may be used for the repository: an SSH key for any reached by SSH, a password
// only at or below its base URL, so that a project cannot carry it to another host or group.
func (c Credential) Covers(repository string) bool {
	if c.SSHKeyFile != "" {
		return strings.HasPrefix(repository, "ssh://") || !strings.Contains(repository, "://")
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || c.BaseURL == "" {
		return false
	}
	repo, err := url.Parse(repository)
	if err != nil || repo.Scheme != base.Scheme || !strings.EqualFold(repo.Host, base.Host) || repo.Opaque != "" {
		return false
	}
	// A path with dot segments, plain or escaped, may lead elsewhere than it seems to.
	if p := strings.TrimRight(repo.Path, "/"); p != "" && path.Clean(p) != p {
		return false
	}
	return repo.Path == base.Path || strings.HasPrefix(repo.Path, base.Path+"/")
}

// Values are the secrets of all credentials that can be read, for those who must keep them out of what they write.
func (c Credentials) Values() []string {
	names := map[string]bool{}
	for name := range c.env {
		if rest, ok := strings.CutPrefix(name, EnvName("credential.")); ok {
			names[strings.ToLower(rest)] = true
		}
	}
	if c.dir != "" {
		entries, _ := os.ReadDir(c.dir) // what cannot be listed cannot be used either
		for _, e := range entries {
			names[e.Name()] = true
		}
	}
	var out []string
	for name := range names {
		found, err := c.Find(name)
		switch {
		case err != nil:
		case found.App != nil:
			out = append(out, found.App.PrivateKey)
		case found.SSHKeyFile != "":
			if key, err := os.ReadFile(found.SSHKeyFile); err == nil {
				out = append(out, string(key))
			}
		case found.Password != "" || found.User != "":
			out = append(out, cmp.Or(found.Password, found.User)) // a token may stand in the user's place
		}
	}
	slices.Sort(out)
	return out
}
