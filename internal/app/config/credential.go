package config

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/credential"
)

// Credentials finds the server's own repository credentials by name. Projects contain only the name; the operator
// sets the value, in the variable LECTERN_CREDENTIAL_<NAME> (upper case, dashes as underscores) or in a file of that
// name in the credentials folder.
type Credentials struct {
	env Env
	dir string // "" for none
}

// Find reads a credential. It is read each time, so that a rotated value takes effect immediately.
func (c Credentials) Find(name string) (credential.Credential, error) {
	if !credential.ValidName(name) {
		return credential.Credential{},
			fault.Newf(fault.Invalid, "invalid_credential", "%q is not a valid credential name.", name).
				WithField("credential").
				WithHint("Names may contain lower-case letters, digits, dashes and underscores.")
	}
	if value, ok := c.env[EnvName("credential."+name)]; ok {
		return c.parse(name, value)
	}
	if c.dir == "" {
		return credential.Credential{}, credential.Unknown(name)
	}
	file := filepath.Join(c.dir, name)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return credential.Credential{}, credential.Unknown(name)
	}
	if err != nil {
		return credential.Credential{}, fault.Newf(fault.Internal, "unreadable_credential",
			"The credential %q cannot be read.", name).WithCause(err)
	}
	if strings.HasPrefix(strings.TrimSpace(string(data)), "-----BEGIN ") {
		return credential.Credential{Name: name, SSHKeyFile: file}, nil
	}
	return c.parse(name, string(data))
}

func (c Credentials) parse(name, value string) (credential.Credential, error) {
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return c.parseApp(name, value)
	}
	return parseCredential(name, value)
}

func parseCredential(name, value string) (credential.Credential, error) {
	u, err := url.Parse(strings.TrimSpace(value))
	if err != nil || u.User == nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" ||
		u.Fragment != "" {
		// The parser's error quotes the value, so it is not kept as the cause.
		return credential.Credential{}, fault.Newf(fault.Invalid, "bad_credential",
			"The value of the credential %q is not a URL with a user name or token.", name).
			WithField("credential").
			WithHint(
				"Write it as https://user:token@host/group. An SSH private key must be a file; a GitHub App must be a JSON object.")
	}
	password, _ := u.User.Password()
	base := url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: strings.TrimRight(u.Path, "/")}
	return credential.Credential{Name: name, BaseURL: base.String(), User: u.User.Username(), Password: password}, nil
}

// Names returns the sorted names of all credentials.
func (c Credentials) Names() []string {
	names := map[string]bool{}
	for name := range c.env {
		if rest, ok := strings.CutPrefix(name, EnvName("credential.")); ok {
			names[strings.ToLower(rest)] = true
		}
	}
	if c.dir != "" {
		entries, _ := os.ReadDir(c.dir) // a folder that cannot be listed contains no usable credentials
		for _, e := range entries {
			names[e.Name()] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Values returns the secrets of all readable credentials, for redaction.
func (c Credentials) Values() []string {
	var out []string
	for _, name := range c.Names() {
		found, err := c.Find(name)
		switch {
		case err != nil:
		case found.SSHKeyFile != "":
			if key, err := os.ReadFile(found.SSHKeyFile); err == nil {
				out = append(out, string(key))
			}
		default:
			out = append(out, found.Values()...)
		}
	}
	slices.Sort(out)
	return out
}
