package feature_test

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/feature"
)

// D9: the features of a bundle follow the table of the deployment that serves it.
func TestBundleFeaturesFollowTable(t *testing.T) {
	none, both := feature.Inside{}, feature.Inside{Search: true, Assistant: true}
	for _, c := range []struct {
		kind    feature.Type
		local   feature.Inside
		carried []string
		state   feature.State
		enabled bool
		beyond  []string
	}{
		{feature.Cloud, none, []string{"search"}, feature.Available, true, nil},
		{feature.ClientHosted, none, []string{"search"}, feature.Configurable, true, nil},
		{feature.ClientHosted, none, nil, feature.Configurable, false, nil},
		{feature.AirGapped, none, nil, feature.Unavailable, false, nil},
		{feature.AirGapped, none, []string{"search"}, feature.Unavailable, true, []string{"search"}},
		{feature.AirGapped, both, []string{"search"}, feature.Local, true, nil},
		{feature.AirGapped, both, []string{"analytics", "search"}, feature.Local, true, []string{"analytics"}},
		{feature.AirGapped, feature.Inside{Search: true}, []string{"assistant", "search"}, feature.Local, true,
			[]string{"assistant"}},
		{feature.AirGapped, feature.Inside{Assistant: true}, []string{"assistant", "search"}, feature.Unavailable, true,
			[]string{"search"}},
		{feature.AirGapped, both, []string{"assistant", "playground", "search"}, feature.Local, true, nil},
	} {
		d, beyond := feature.OfBundle(c.kind, c.local, c.carried)
		if d.Type != c.kind || d.Features.Search.State != c.state || d.Features.Search.Enabled != c.enabled ||
			!slices.Equal(beyond, c.beyond) {
			t.Errorf("%+v: %+v, beyond %v", c, d, beyond)
		}
		for _, f := range []feature.Feature{d.Features.Search, d.Features.Assistant, d.Features.Analytics,
			d.Features.Playground, d.Features.StaticExport} {
			if f.Reason == "" || f.State == "" {
				t.Errorf("%+v: a feature without state or reason: %+v", c, f)
			}
		}
	}
}

// D9: the assistant of a bundle follows the same rules as search.
func TestBundleAssistantIsLocalWhenOperatorEnablesIt(t *testing.T) {
	d, beyond := feature.OfBundle(feature.AirGapped, feature.Inside{Assistant: true}, []string{"assistant"})
	if f := d.Features.Assistant; f.State != feature.Local || !f.Enabled || len(beyond) > 0 {
		t.Errorf("%+v, beyond %v", f, beyond)
	}
	d, beyond = feature.OfBundle(feature.AirGapped, feature.Inside{}, []string{"assistant"})
	if f := d.Features.Assistant; f.State != feature.Unavailable || !slices.Equal(beyond, []string{"assistant"}) {
		t.Errorf("%+v, beyond %v", f, beyond)
	}
	if d, _ = feature.OfBundle(feature.AirGapped, feature.Inside{Assistant: true}, nil); d.Features.Assistant.Enabled {
		t.Errorf("%+v", d.Features.Assistant)
	}
}
