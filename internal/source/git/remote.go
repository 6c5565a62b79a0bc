package git

import (
	"net/netip"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Remote is a branch and folder of a repository.
type Remote struct {
	URL        string
	Branch     string      // "" means the branch that the remote's HEAD points to; see IsPull
	Folder     string      // slash-separated path below the root; "" means the root
	Credential *Credential // nil means none
	Local      bool        // the caller has checked that this path on the server's own disk may be used
}

// Credential authenticates Lectern: a user and password (or token) for https, a private key for ssh.
type Credential struct {
	User       string // "" chooses a name that works with access tokens
	Password   string
	SSHKeyFile string
	SSHKey     string // the key itself, not a file name
}

// origin is the part of a URL that determines how git connects.
type origin struct {
	scheme string // https, http, ssh or file
	host   string // without brackets; "" for file
	base   string // scheme://host[:port], for https and http
}

var (
	sshUser  = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	hostName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?\.?$`)
	// user@host:path. A second colon directly after the first would make it helper::address, which runs a program.
	scpForm = lazyregexp.New(`^(?:([^@:/]+)@)?(\[[0-9A-Fa-f:.]+\]|[^@:/\[\]]+):([^:].*)$`)
)

// ValidateURL checks that raw is a repository URL that is safe to pass to git: https://, http://, ssh:// or
// user@host:path, and file:// or an absolute path only if local sources are allowed.
func ValidateURL(raw string, allowLocal bool) error {
	_, err := parseURL(raw, allowLocal)
	return err
}

func parseURL(raw string, allowLocal bool) (origin, error) {
	switch {
	case raw == "" || len(raw) > 2048 || !utf8.ValidString(raw):
		return origin{}, badURL("The repository URL is empty, too long or not text.")
	case strings.ContainsFunc(raw, unicode.IsControl):
		return origin{}, badURL("The repository URL has a control character.")
	case strings.HasPrefix(raw, "-"):
		return origin{}, badURL("The repository URL starts with a hyphen.")
	case strings.HasPrefix(raw, "/"):
		return local(raw, allowLocal)
	case strings.ContainsFunc(raw, unicode.IsSpace):
		return origin{}, badURL("The repository URL has a space.")
	case strings.Contains(raw, "://"):
		o, err := parseSchemeURL(raw, allowLocal)
		if err == nil && !strings.HasPrefix(raw, o.scheme+"://") {
			err = badURL("The scheme of the repository URL must be in lower case.") // git requires lower case
		}
		return o, err
	}
	m := scpForm.FindStringSubmatch(raw)
	if m == nil {
		return origin{}, unsupported()
	}
	if m[1] != "" && !sshUser.MatchString(m[1]) || strings.HasPrefix(m[3], "-") {
		return origin{}, badURL("The repository URL is not of the form user@host:path.")
	}
	host := strings.Trim(m[2], "[]")
	return origin{scheme: "ssh", host: host}, checkHost(host)
}

func parseSchemeURL(raw string, allowLocal bool) (origin, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return origin{}, badURL("The repository URL cannot be read.") // without the cause, whose text could contain a password
	}
	scheme := strings.ToLower(u.Scheme)
	if scheme == "file" {
		if u.Host != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return origin{}, badURL("A file URL may only have a path, such as file:///srv/docs.git.")
		}
		return local(u.Path, allowLocal)
	}
	if scheme != "https" && scheme != "http" && scheme != "ssh" {
		return origin{}, unsupported()
	}
	if _, has := u.User.Password(); has {
		return origin{}, fault.New(fault.Invalid, "password_in_url", "The repository URL contains a password.").
			WithField(urlField).WithHint("Remove it and store it as a credential that the project refers to.")
	}
	if name := u.User.Username(); name != "" && !sshUser.MatchString(name) || u.User != nil && name == "" {
		return origin{}, badURL("The user name in the repository URL contains characters that are not allowed.")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Trim(u.Path, "/") == "" ||
		strings.HasPrefix(u.Path, "/-") {
		return origin{}, badURL("The repository URL must have a path, and no query or fragment.")
	}
	base := &url.URL{Scheme: scheme, Host: strings.ToLower(u.Host)}
	return origin{scheme: scheme, host: u.Hostname(), base: base.String()}, checkHost(u.Hostname())
}

func local(p string, allowed bool) (origin, error) {
	if !allowed {
		return origin{}, fault.New(fault.Invalid, "local_source_not_allowed",
			"Repositories on the server's own disk are not allowed here.").
			WithField(urlField).
			WithHint("Use an https or ssh URL; the operator can allow local sources with sources.local.")
	}
	if !path.IsAbs(p) || strings.ContainsRune(p, 0) {
		return origin{}, badURL("The path of a local repository must be absolute.")
	}
	return origin{scheme: "file"}, nil
}

// LocalPath returns the path of a repository on the server's own disk; ok is false for remote repositories.
func LocalPath(raw string) (at string, ok bool) {
	if strings.HasPrefix(raw, "/") {
		return raw, true
	}
	u, err := url.Parse(raw)
	if err != nil || !strings.EqualFold(u.Scheme, "file") {
		return "", false
	}
	return u.Path, true
}

func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil && a.Zone() == "" {
		return nil
	}
	if len(host) > 253 || !hostName.MatchString(host) {
		return badURL("The repository URL has no valid host name.")
	}
	return nil
}

const urlField = "source.repository"

func badURL(text string) error {
	return fault.New(fault.Invalid, "bad_repository_url", text).WithField(urlField).
		WithHint("Use a form such as https://code.example.com/team/docs.git or git@code.example.com:team/docs.git.")
}

func unsupported() error {
	return fault.New(fault.Invalid, "unsupported_repository_url", "The repository URL's scheme is not supported.").
		WithField(urlField).
		WithHint("Use https:// or ssh://.")
}
