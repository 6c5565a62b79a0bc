package sitehost

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// program returns the endpoint for a path; nil if there is none.
func (h *Host) program(path string) siteapi.Endpoint {
	if !strings.HasPrefix(path, capability.Path) {
		return nil
	}
	for at, endpoint := range h.programs {
		if path == at || strings.HasPrefix(path, at+"/") {
			return endpoint
		}
	}
	return nil
}

// endpointSite returns a site in the form used by endpoints.
func (h *Host) endpointSite(r *http.Request, s Site, t *tree) siteapi.Site {
	return siteapi.Site{ProjectID: s.ProjectID, Host: hostname.Clean(r.Host), Origin: t.manifest.Origin,
		Preview: s.Preview, Library: h.libraryOf(s, t)}
}

// served reports a response to the watcher. It omits the site's library, because most responses are reported, and few
// watchers read pages.
func (h *Host) served(r *http.Request, s Site, t *tree, file string, status int) {
	if h.watch == nil || file != "" && !watched(file) {
		return
	}
	site := siteapi.Site{ProjectID: s.ProjectID, Host: hostname.Clean(r.Host), Preview: s.Preview}
	if t != nil {
		site.Origin = t.manifest.Origin
	}
	h.watch.Served(r, site, file, status)
}

// watched reports whether a file is a page or text, rather than a file loaded by a page.
func watched(file string) bool {
	return strings.HasSuffix(file, ".html") || strings.HasSuffix(file, ".md") || strings.HasSuffix(file, ".txt")
}

// agentSite returns the id under which MCP calls to a site are counted. A preview has its own id, so that calls to it
// do not count against the published site.
func agentSite(s Site) string {
	if s.Preview {
		return s.ProjectID + "/preview"
	}
	return s.ProjectID
}
