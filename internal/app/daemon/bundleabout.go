package daemon

import (
	"encoding/json"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
)

// count adds the metrics of a bundle server.
func (s *bundleServer) count() {
	figure := func(pick func(received, refused, failed int64) int64) func() float64 {
		return func() float64 { return float64(pick(s.keeper.Counts())) }
	}
	s.metrics.Counter("lectern_bundle_received_total", "Bundles that were verified and activated.",
		figure(func(n, _, _ int64) int64 { return n }))
	s.metrics.Counter("lectern_bundle_refused_total", "Bundles that were rejected.",
		figure(func(_, n, _ int64) int64 { return n }))
	s.metrics.Counter("lectern_bundle_fetch_failures_total", "Fetches that failed.",
		figure(func(_, _, n int64) int64 { return n }))
	s.metrics.Gauge("lectern_bundle_ready", "Whether a bundle is being served.", func() float64 {
		if s.ready() {
			return 1
		}
		return 0
	})
	s.metrics.Info("lectern_bundle_info", "Always 1; its labels identify the served bundle.",
		[]string{"version", "digest", "commit", "deployment_type"}, func() map[string]string {
			r, ok := s.keeper.Shown()
			if !ok {
				return nil
			}
			return map[string]string{"version": r.Version, "digest": r.Digest, "commit": r.Commit,
				"deployment_type": string(s.Deployment)}
		})
	s.metrics.Gauge("lectern_bundle_age_seconds", "Time since the served bundle was received; 0 if none is served.",
		func() float64 {
			if r, ok := s.keeper.Shown(); ok {
				return max(0, s.Now().Sub(r.Received).Seconds())
			}
			return 0
		})
	s.metrics.Gauge("lectern_bundle_received_timestamp_seconds",
		"When the served bundle was received; 0 if none is served.", func() float64 {
			if r, ok := s.keeper.Shown(); ok {
				return float64(r.Received.Unix())
			}
			return 0
		})
	s.metrics.Gauge("lectern_bundle_source_answered_timestamp_seconds",
		"When the source last had a matching bundle; 0 if it has had none since the start.", func() float64 {
			if at := s.keeper.Answered(); !at.IsZero() {
				return float64(at.Unix())
			}
			return 0
		})
	s.metrics.Gauge("lectern_bundle_pages", "Pages of the served bundle.", func() float64 {
		r, _ := s.keeper.Shown()
		return float64(r.Pages)
	})
}

// show starts serving a version, and warns about features that this deployment should not have. It does not remove
// them: they were chosen when the bundle was exported, and pages that use them would break.
func (s *bundleServer) show(v *bundlestore.Version) {
	if _, beyond := feature.OfBundle(s.Deployment, s.Local, v.Features); len(beyond) > 0 {
		s.Logger.Warn("bundle has features that this deployment type does not include; serving it unchanged",
			"type", s.Deployment, "features", beyond, "version", v.Record.Version,
			"hint",
			"Export it with deployment.type set to this type, or allow features that run inside the site with LECTERN_FEATURES_SEARCH=local and LECTERN_FEATURES_ASSISTANT=local.")
	}
	s.host.Show(v)
}

// bundleAbout is the response of /version.
type bundleAbout struct {
	Program    string             `json:"program"`
	Deployment feature.Deployment `json:"deployment"`
	Beyond     []string           `json:"beyond"` // features of the bundle that the deployment type does not include
	Playground bundlePlayground   `json:"playground"`
	Ready      bool               `json:"ready"`
	// why it is not ready, such as a pinned version that is missing; "" if it is ready
	Waiting string              `json:"waiting"`
	Bundle  *bundlestore.Record `json:"bundle"` // null if none is served
}

// bundlePlayground describes this server's proxy for the bundle's playground.
type bundlePlayground struct {
	Proxy   bool     `json:"proxy"`   // whether the proxy is on
	Closed  bool     `json:"closed"`  // whether it permits only Origins
	Origins []string `json:"origins"` // listed by the operator
	Hosts   []string `json:"hosts"`   // host names under which it may be used, besides IP addresses and localhost
}

func (s *bundleServer) about(w http.ResponseWriter, _ *http.Request) {
	waiting := s.waiting()
	out := bundleAbout{Program: s.Version, Ready: waiting == "", Waiting: waiting,
		Playground: bundlePlayground{Proxy: s.PlaygroundProxy, Closed: s.playgroundClosed(),
			Origins: append([]string{}, s.PlaygroundOrigins...), Hosts: append([]string{}, s.PlaygroundHosts...)}}
	if r, ok := s.keeper.Shown(); ok {
		out.Bundle = &r
		out.Deployment, out.Beyond = feature.OfBundle(s.Deployment, s.Local, r.Features)
	} else {
		out.Deployment, _ = feature.OfBundle(s.Deployment, s.Local, nil)
	}
	out.Beyond = append([]string{}, out.Beyond...)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(out) // fails only if the caller has disconnected
}
