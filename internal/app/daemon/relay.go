package daemon

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// relay returns the playground's proxy, or nil if sites have none.
func (s *server) relay(proxies auth.Proxies) siteapi.Endpoint {
	offers := s.siteOffers().Playground
	if !offers.On || offers.Proxy == capability.NoProxy {
		return nil
	}
	return apiproxy.New(apiproxy.Options{Origins: offers.Origins, Closed: offers.Closed, Proxies: proxies,
		Counter: s.counter(), Now: s.Now, Logger: s.Logger,
		Count: countRelay(s.metrics), Audit: s.noteInternal})
}

// countRelay adds the metric of the playground's proxy.
func countRelay(m *telemetry.Metrics) func(outcome string) {
	count := m.Counts("lectern_playground_requests_total", "Playground requests through the server, by result.",
		"outcome")
	return func(outcome string) { count(outcome) }
}

// noteInternal records in the audit log that visitors of a site reached an API that only the operator's list permits
// (F6).
func (s *server) noteInternal(ctx context.Context, site siteapi.Site, origin string) error {
	return s.Store.Tx(ctx, func(t *store.Tx) error {
		p, err := t.FindProjectByID(ctx, site.ProjectID)
		if err != nil {
			return err
		}
		return t.Record(ctx, event.New(p.OrganizationID, "visitor", "playground.internal", p.ID, "", s.Now(),
			map[string]string{"origin": origin, "host": site.Host}))
	})
}

// relay returns the playground's proxy of a bundle server, or nil unless the operator enabled it.
func (s *bundleServer) relay() siteapi.Endpoint {
	if !s.PlaygroundProxy {
		return nil
	}
	return apiproxy.New(apiproxy.Options{Origins: s.PlaygroundOrigins, Closed: s.playgroundClosed(),
		Hosts: s.playgroundHost, Proxies: s.Proxies, Now: s.Now, Logger: s.Logger, Count: countRelay(s.metrics)})
}

// playgroundHost reports whether readers may use the proxy under the host name of the request. Otherwise an attacker
// could point a name at this server and let their pages call internal APIs (F1).
func (s *bundleServer) playgroundHost(site siteapi.Site) bool {
	return siteapi.Unborrowed(site.Host) || slices.ContainsFunc(s.PlaygroundHosts,
		func(name string) bool { return strings.EqualFold(name, strings.TrimSuffix(site.Host, ".")) })
}

// playgroundClosed reports whether only the operator's origins are permitted. On an air-gapped server, origins in the
// bundle's API descriptions are not.
func (s *bundleServer) playgroundClosed() bool { return s.Deployment == feature.AirGapped }
