package daemon

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/analytics"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/eventcount"
	"github.com/lectern-docs/lectern/internal/serve/eventforward"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// openVisits starts the counter of visits to sites. It returns nil if analytics are off. When the server closes, it
// writes pending counts before the database closes.
func (s *server) openVisits(ctx context.Context) *eventcount.Counter {
	if !s.features().Features.Analytics.Enabled {
		return nil
	}
	var stored, dropped atomic.Int64
	figure := func(n *atomic.Int64) func() float64 { return func() float64 { return float64(n.Load()) } }
	s.metrics.Counter("lectern_analytics_events_total", "Reader events that were counted and stored.", figure(&stored))
	s.metrics.Counter("lectern_analytics_dropped_total",
		"Reader events that were dropped: too many at once, too many from one address, or the database was unavailable for too long.", figure(&dropped))
	c := eventcount.Open(ctx, eventcount.Options{Store: s.Store, Now: s.Now, Rand: s.Rand, Logger: s.Logger,
		Also: s.openForward(), Count: func(outcome string, n int) {
			if outcome == eventcount.Stored {
				stored.Add(int64(n))
			} else {
				dropped.Add(int64(n))
			}
		}})
	s.onClose(c.Close)
	return c
}

// openForward starts the forwarder to analytics tools. It returns nil unless the operator enabled it. Air-gapped
// servers forward nothing (F7).
func (s *server) openForward() func(audience.Event) {
	if s.Config.AnalyticsForward != "on" || feature.Type(s.Config.DeploymentType) == feature.AirGapped {
		return nil
	}
	count := s.metrics.Counts("lectern_analytics_forwarded_total",
		"Reader events forwarded to analytics tools, by result.", "outcome")
	f := eventforward.Open(eventforward.Options{Sites: s.toolsOf, GA4Secret: s.Config.AnalyticsGA4Secret, Now: s.Now,
		Logger: s.Logger,
		Client: s.guard.Public().Client(outbound.Limits{Bytes: 1 << 20, Time: 10 * time.Second, Redirects: -1}),
		Count: func(outcome string, n int) {
			for range n {
				count(outcome)
			}
		}})
	s.onClose(f.Close)
	return f.Tell
}

// toolsOf returns the analytics tools of a project's live site.
func (s *server) toolsOf(ctx context.Context, projectID string) (eventforward.Site, error) {
	p, err := s.Store.FindProjectByID(ctx, projectID)
	if err != nil || p.LiveID == "" {
		return eventforward.Site{}, err
	}
	d, err := s.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil || d.ManifestKey == "" {
		return eventforward.Site{}, err
	}
	m, err := publish.LoadManifest(ctx, s.blob, d.ManifestKey)
	return eventforward.Site{Origin: m.Origin, Tools: m.Integrations}, err
}

// recorder returns the visit counter for the endpoints of other features, or nil if nothing is counted.
func (s *server) recorder() audience.Recorder {
	if s.visits == nil {
		return nil
	}
	return s.visits
}

// watchVisits adds the analytics endpoints for pages, and the watcher that counts page reads by programs.
func (s *server) watchVisits(opt *sitehost.Options, proxies auth.Proxies) {
	if s.visits == nil {
		return
	}
	b := analytics.New(analytics.Options{Counter: s.visits, FeedbackStore: s.Store, Proxies: proxies, Now: s.Now,
		Logger: s.Logger})
	opt.Endpoints[capability.CountPath], opt.Endpoints[capability.ThumbPath], opt.Watch = b.Count(), b.Feedback(), b
}
