package forge

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/site"
)

// Server is a server whose kind is known.
type Server struct {
	Kind Kind
	API  string // address of the API, without a trailing slash; "" = derived from the repository's address
}

// Servers are the servers that the operator configured, by lower-case host name or host:port.
type Servers map[string]Server

var serverName = lazyregexp.New(`^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9_.-]*[a-z0-9])?)(:[0-9]{1,5})?$`)

// ParseServers parses the operator's list, whose entries are HOST=KIND or HOST=KIND@ADDRESS. HOST may have a port.
// ADDRESS is the address of the server or its API; the API's path is added if it is missing.
func ParseServers(list []string) (Servers, error) {
	out := Servers{}
	for _, entry := range list {
		host, rest, ok := strings.Cut(strings.TrimSpace(entry), "=")
		word, address, addressed := strings.Cut(rest, "@")
		shown, _, _ := strings.Cut(entry, "@") // the address could contain a password
		host = strings.ToLower(host)
		kind, valid := parseKind(word)
		if !ok || !serverName.MatchString(host) || !valid {
			return nil, fmt.Errorf("%q is not HOST=KIND or HOST=KIND@ADDRESS with one of these as KIND: %s", shown,
				strings.Join(kindNames(), ", "))
		}
		s := Server{Kind: kind}
		if addressed {
			u, err := url.Parse(address)
			if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
				u.RawQuery != "" || u.Fragment != "" {
				return nil, fmt.Errorf("%q must have an https or http address without a user name after the @", shown)
			}
			s.API = completeAPI(kind, u)
		}
		out[host] = s
	}
	return out, nil
}

// completeAPI adds the API's path unless the address already ends with it or is a host that serves only the API.
func completeAPI(kind Kind, u *url.URL) string {
	address := strings.TrimRight(u.Scheme+"://"+strings.ToLower(u.Host)+u.Path, "/")
	apiPath := driverOf(kind).apiPath
	if strings.HasSuffix(address, apiPath) || kind == GitHub && strings.HasPrefix(u.Host, "api.") {
		return address
	}
	return address + apiPath
}

// Find returns the server of a repository, with the address of its API.
func (s Servers) Find(r Repository) (Server, error) {
	for _, find := range []func(string) (Server, bool){s.find, findKnown} {
		for _, name := range []string{r.address(), bracketed(r.Host)} {
			if found, ok := find(name); ok {
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
	return Server{}, fault.Newf(fault.Invalid, "forge_unknown_host", "The kind of the code host %q is unknown.",
		r.Host).WithField("source.repository").
		WithHint("The server's operator can set it with forge.hosts, such as " + r.Host + "=gitlab.")
}

// Source returns where readers can view a repository's folder, or the zero value if its code host is unknown.
func (s Servers) Source(address, branch, folder string) site.Repository {
	r, err := ParseRepository(address)
	if err != nil {
		return site.Repository{}
	}
	server, err := s.Find(r)
	if err != nil {
		return site.Repository{}
	}
	d := driverOf(server.Kind)
	return site.Repository{Web: r.Web(), Branch: branch, Folder: folder, EditAt: d.editAt, IssueAt: d.issueAt}
}

func (s Servers) find(name string) (Server, bool) {
	found, ok := s[name]
	return found, ok
}

// findKnown returns a well-known public server.
func findKnown(name string) (Server, bool) {
	for _, d := range drivers {
		if api, ok := d.hosts[name]; ok {
			return Server{d.kind, api}, true
		}
	}
	return Server{}, false
}

// defaultAPI returns the default address of a server's API.
func (r Repository) defaultAPI(kind Kind) string {
	d := driverOf(kind)
	if d.api != "" {
		return d.api
	}
	web := "https://" + bracketed(r.Host)
	if r.Scheme != "ssh" {
		web = r.Scheme + "://" + r.address()
	}
	return web + d.apiPath
}
