package forge

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Repository is a parsed clone URL: a repository's full name on a server.
type Repository struct {
	Scheme string // https, http or ssh
	Host   string // lower case, without port
	Port   string // "" = the scheme's default
	Path   string // group/subgroup/name, without leading or trailing slashes and without .git
}

// Web returns the repository's HTTP address, for comparison with a credential's base URL. It drops an SSH port, which
// is unrelated to the web server.
func (r Repository) Web() string {
	switch r.Scheme {
	case "ssh":
		return "https://" + bracketed(r.Host) + "/" + r.Path
	default:
		return r.Scheme + "://" + r.address() + "/" + r.Path
	}
}

// address returns the host with its port, if any.
func (r Repository) address() string {
	if r.Port == "" {
		return bracketed(r.Host)
	}
	return bracketed(r.Host) + ":" + r.Port
}

func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

const maxURL = 2048

var (
	// scpForm is user@host:path; a leading slash would mean a path on the server's disk, which code hosts treat the
	// same way.
	scpForm  = lazyregexp.New(`^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([^:].*)$`)
	hostName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$`)
	partForm = lazyregexp.New(`^[A-Za-z0-9._~+-]+$`) // characters that code hosts permit in names
	portForm = lazyregexp.New(`^[0-9]{0,5}$`)
)

// ParseRepository parses a clone URL: https://, http://, ssh:// or user@host:path.
func ParseRepository(raw string) (Repository, error) {
	if raw == "" || len(raw) > maxURL || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Repository{}, noRepository()
	}
	if !strings.Contains(raw, "://") {
		m := scpForm.FindStringSubmatch(raw)
		if m == nil {
			return Repository{}, noRepository()
		}
		return newRepository("ssh", strings.Trim(m[1], "[]"), "", m[2])
	}
	u, err := url.Parse(raw)
	if err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "" ||
		u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "ssh" {
		return Repository{}, noRepository() // the parser's error is omitted because it could quote a password
	}
	if u.RawPath != "" { // escaped slashes and the like do not occur in code hosts' names
		return Repository{}, noRepository()
	}
	return newRepository(u.Scheme, u.Hostname(), u.Port(), u.Path)
}

func newRepository(scheme, host, port, path string) (Repository, error) {
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	parts := strings.Split(path, "/")
	if !validHost(host) || !portForm.MatchString(port) || len(parts) < 2 || len(parts) > 22 {
		return Repository{}, noRepository()
	}
	for _, part := range parts {
		if part == "." || part == ".." || !partForm.MatchString(part) {
			return Repository{}, noRepository()
		}
	}
	return Repository{Scheme: scheme, Host: strings.ToLower(host), Port: port, Path: path}, nil
}

func validHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return hostName.MatchString(host) || err == nil && a.Zone() == ""
}

func noRepository() error {
	return fault.New(fault.Invalid, "forge_unknown_host", "The project's repository is not on a code host.").
		WithField("source.repository").
		WithHint("Write it as https://HOST/OWNER/NAME.git or git@HOST:OWNER/NAME.git.")
}
