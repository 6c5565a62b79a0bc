package daemon

import (
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// readers returns the service that identifies readers of protected sites and signs them in.
func (s *server) readers(proxies auth.Proxies, uses *auth.Uses) *siteaccess.Service {
	return siteaccess.New(siteaccess.Options{
		Store: s.Store, Counts: s.Store, Sites: s.Store, Now: s.Now, Rand: s.Rand, Log: s.Logger, Masters: s.Secrets.masters(),
		Limits: s.Config.SessionLimits(), Proxies: proxies, AllowHTTP: s.Config.DashboardHTTP == "allow",
		Keys: auth.New(auth.Options{Keys: s.Store, Masters: s.Secrets.masters(), Now: s.Now, Proxies: proxies,
			Uses: uses}),
		Outbound: s.guard.Client(outbound.Limits{}), Dashboard: s.baseURL, SiteURL: s.siteURL, PreviewDomain: s.Config.PreviewDomain,
	})
}
