package forge

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Kind is the API of a server.
type Kind string

// The kinds.
const (
	GitHub          Kind = "github"
	GitLab          Kind = "gitlab"
	Gitea           Kind = "gitea" // Forgejo too
	Bitbucket       Kind = "bitbucket"
	BitbucketCenter Kind = "bitbucket-data-center"
)

// Server is a server whose kind is known.
type Server struct {
	Kind Kind
	API  string // address of its API, without a final slash; "" = it follows from the repository's address
}

// Servers are those that the operator named, by host name or host:port in lower case.
type Servers map[string]Server

// apiPath is where each kind has its API.
var apiPath = map[Kind]string{GitHub: "/api/v3", GitLab: "/api/v4", Gitea: "/api/v1", BitbucketCenter: "/rest/api/1.0"}

// known are the servers that everybody uses.
var known = Servers{
	"github.com": {GitHub, "https://api.github.com"}, "www.github.com": {GitHub, "https://api.github.com"}, "ssh.github.com": {GitHub, "https://api.github.com"},
	"gitlab.com": {GitLab, "https://gitlab.com/api/v4"}, "altssh.gitlab.com": {GitLab, "https://gitlab.com/api/v4"},
	"bitbucket.org": {Bitbucket, "https://api.bitbucket.org/2.0"}, "altssh.bitbucket.org": {Bitbucket, "https://api.bitbucket.org/2.0"},
	"codeberg.org": {Gitea, "https://codeberg.org/api/v1"}, "gitea.com": {Gitea, "https://gitea.com/api/v1"},
}

var serverName = regexp.MustCompile(`^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9_.-]*[a-z0-9])?)(:[0-9]{1,5})?$`)

// ParseServers reads the operator's list, each entry HOST=KIND or HOST=KIND@ADDRESS. HOST may have a port. ADDRESS is that of the server, or
// of its API: the API's own path is added if it is not there.
func ParseServers(list []string) (Servers, error) {
	out := Servers{}
	for _, entry := range list {
		host, rest, ok := strings.Cut(strings.TrimSpace(entry), "=")
		word, address, addressed := strings.Cut(rest, "@")
		shown, _, _ := strings.Cut(entry, "@") // an address could hold a password
		host = strings.ToLower(host)
		kind, valid := parseKind(word)
		if !ok || !serverName.MatchString(host) || !valid {
			return nil, fmt.Errorf("%q is not HOST=KIND or HOST=KIND@ADDRESS with github, gitlab, gitea, forgejo, bitbucket or bitbucket-data-center as KIND", shown)
		}
		s := Server{Kind: kind}
		if addressed {
			u, err := url.Parse(address)
			if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
				return nil, fmt.Errorf("%q has no https or http address, without a user, after the @", shown)
			}
			s.API = completeAPI(kind, u)
		}
		out[host] = s
	}
	return out, nil
}

func parseKind(word string) (Kind, bool) {
	switch k := Kind(strings.ToLower(word)); k {
	case GitHub, GitLab, Gitea, Bitbucket, BitbucketCenter:
		return k, true
	case "forgejo":
		return Gitea, true
	}
	return "", false
}

// completeAPI adds the API's path, unless it is there or the address is a host for the API alone.
func completeAPI(kind Kind, u *url.URL) string {
	address := strings.TrimRight(u.Scheme+"://"+strings.ToLower(u.Host)+u.Path, "/")
	if strings.HasSuffix(address, apiPath[kind]) || kind == GitHub && strings.HasPrefix(u.Host, "api.") {
		return address
	}
	return address + apiPath[kind]
}

// Find returns the server of a repository, with the address of its API.
func (s Servers) Find(r Repository) (Server, error) {
	for _, list := range []Servers{s, known} {
		for _, name := range []string{r.address(), bracketed(r.Host)} {
			if found, ok := list[name]; ok {
				if found.API == "" {
					found.API = r.defaultAPI(found.Kind)
				}
				return found, nil
			}
		}
	}
	if strings.HasSuffix(r.Host, ".ghe.com") {
		return Server{GitHub, "https://api." + r.Host}, nil
	}
	return Server{}, fault.Newf(fault.Invalid, "forge_unknown_host", "It is not known what kind of code host %q is.", r.Host).WithField("source.repository").
		WithHint("The server's operator can say so with the setting forge.hosts, such as " + r.Host + "=gitlab.")
}

// defaultAPI is where a server has its API when nothing else was said.
func (r Repository) defaultAPI(kind Kind) string {
	if kind == Bitbucket {
		return known["bitbucket.org"].API
	}
	web := "https://" + bracketed(r.Host)
	if r.Scheme != "ssh" {
		web = r.Scheme + "://" + r.address()
	}
	return web + apiPath[kind]
}
