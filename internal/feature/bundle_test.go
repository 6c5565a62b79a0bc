package feature_test

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/feature"
)

// D9: what a bundle carries is told by the table of the place where it is served.
func TestABundleIsHeldAgainstTheTable(t *testing.T) {
	for _, c := range []struct {
		kind    feature.Type
		local   bool
		carried []string
		state   feature.State
		enabled bool
		beyond  []string
	}{
		{feature.Cloud, false, []string{"search"}, feature.Available, true, nil},
		{feature.ClientHosted, false, []string{"search"}, feature.Configurable, true, nil},
		{feature.ClientHosted, false, nil, feature.Configurable, false, nil},
		{feature.AirGapped, false, nil, feature.Unavailable, false, nil},
		{feature.AirGapped, false, []string{"search"}, feature.Unavailable, true, []string{"search"}},
		{feature.AirGapped, true, []string{"search"}, feature.Local, true, nil},
		{feature.AirGapped, true, []string{"analytics", "search"}, feature.Local, true, []string{"analytics"}},
	} {
		d, beyond := feature.OfBundle(c.kind, c.local, c.carried)
		if d.Type != c.kind || d.Features.Search.State != c.state || d.Features.Search.Enabled != c.enabled || !slices.Equal(beyond, c.beyond) {
			t.Errorf("%+v: %+v, beyond %v", c, d, beyond)
		}
		for _, f := range []feature.Feature{d.Features.Search, d.Features.Assistant, d.Features.Analytics, d.Features.Playground, d.Features.StaticExport} {
			if f.Reason == "" || f.State == "" {
				t.Errorf("%+v: a feature without state or reason: %+v", c, f)
			}
		}
	}
}
