package config

import (
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/localdir"
)

// LocalAnywhere reports whether these settings permit projects to use any folder on this server's disk as their source,
// provided that the server has only one organization. If not, why describes the setting that forbids it.
func (s *Server) LocalAnywhere() (ok bool, why string) {
	switch {
	case s.SourcesLocal == "on":
		return true, ""
	case s.SourcesLocal != "auto":
		return false, "sources.local is " + s.SourcesLocal
	case !loopbackAddress(s.Listen):
		return false, "listen is not a loopback address"
	case !loopbackURL(s.PublicURL):
		return false, "public-url is not a loopback address"
	case len(s.TrustedProxies) > 0:
		return false, "trusted-proxies is set"
	}
	return true, ""
}

// LocalRoots returns the folders that organizations may use, or none if local sources are off.
func (s *Server) LocalRoots() []localdir.Root {
	if s.SourcesLocal == "off" {
		return nil
	}
	var list []localdir.Root
	for _, entry := range s.SourcesRoots {
		if organization, folder, ok := strings.Cut(entry, "="); ok {
			list = append(list, localdir.Root{Organization: organization, Path: folder})
		}
	}
	return list
}

func (s *Server) checkSources() error {
	bad := find("sources.roots").bad
	roots := (&Server{SourcesRoots: s.SourcesRoots}).LocalRoots()
	if len(roots) != len(s.SourcesRoots) {
		return bad("each entry must be ORG=FOLDER.")
	}
	for i, r := range roots {
		switch {
		case !id.Has(id.Organization, r.Organization):
			return bad("%q is not an organization's id; run lectern org list to see the ids.", r.Organization)
		case !filepath.IsAbs(r.Path) || filepath.Clean(r.Path) != r.Path || r.Path == "/":
			return bad(
				"%q must be the absolute path of a folder below /, without dot segments and without a trailing slash.",
				r.Path)
		}
		for _, other := range roots[:i] {
			if other.Organization != r.Organization &&
				(strings.HasPrefix(r.Path+"/", other.Path+"/") || strings.HasPrefix(other.Path+"/", r.Path+"/")) {
				return bad("%s and %s overlap, but belong to two organizations.", other.Path, r.Path)
			}
		}
	}
	return nil
}

// Shares reports whether the operator permits an organization to use one of the server's own credentials.
func (s *Server) Shares(name, organizationID string) bool {
	return slices.Contains(s.CredentialsShared, name+"="+organizationID)
}

func (s *Server) checkShared() error {
	for _, entry := range s.CredentialsShared {
		name, organization, _ := strings.Cut(entry, "=")
		if !credential.ValidName(name) || !id.Has(id.Organization, organization) {
			return find("credentials.shared").
				bad("%q must be NAME=ORG, with an organization's id; run lectern org list to see the ids.", entry)
		}
	}
	return nil
}

func loopbackAddress(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	// its address depends on the system's resolver
	return err == nil && loopbackHost(host) && !strings.Contains(strings.ToLower(host), ".localhost")
}

// loopbackURL reports whether a URL leads only to this machine. It returns true for "".
func loopbackURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (text == "" || loopbackHost(u.Hostname()))
}

func loopbackHost(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
