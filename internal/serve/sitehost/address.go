package sitehost

import (
	"context"
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// sendToAddress responds to a request for a site at a path for which its pages were not built, because their links
// would be wrong there. It redirects readers to the domain of the project for which the pages were built. If there is
// no such domain, as between a change of the path and the next version, readers must wait.
func (h *Host) sendToAddress(w http.ResponseWriter, r *http.Request, s Site, t *tree) {
	origin, err := url.Parse(t.manifest.Origin)
	if err == nil && origin.Host != "" && origin.Path == t.manifest.Base {
		sites, err := h.find(r.Context(), hostname.Clean(origin.Host))
		if err != nil {
			h.broken(w, r, err)
			return
		}
		at := url.URL{Path: t.manifest.Base + "/"}
		if there, _, ok := choose(sites, &at); ok && there.ProjectID == s.ProjectID && there.Base == t.manifest.Base {
			w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
			w.Header().Set("Location", route.WithQuery(t.manifest.Origin+r.URL.EscapedPath(), r.URL.RawQuery))
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
	}
	w.Header().Set("Retry-After", "5")
	plain(w, http.StatusServiceUnavailable, "This site is being published at this address. Try again in a moment.")
}

// BasePath returns the path for which a published version's pages were built, such as /docs; "" = the root.
func (h *Host) BasePath(ctx context.Context, manifestKey string) (string, error) {
	t, err := h.tree(ctx, manifestKey)
	if err != nil {
		return "", err
	}
	return t.manifest.Base, nil
}
