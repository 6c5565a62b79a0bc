package feature_test

import (
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/feature"
)

// spec is a second copy of the specification's table, so that changes to the code's table are detected.
var spec = map[string][3]feature.State{ // cloud, client-hosted, air-gapped
	"search":       {feature.Available, feature.Configurable, feature.Unavailable},
	"assistant":    {feature.Available, feature.Configurable, feature.Unavailable},
	"analytics":    {feature.Available, feature.Configurable, feature.Unavailable},
	"playground":   {feature.Available, feature.Available, feature.Configurable},
	"staticExport": {feature.Available, feature.Available, feature.Available},
}

var types = [3]feature.Type{feature.Cloud, feature.ClientHosted, feature.AirGapped}

func byName(s feature.Set) map[string]feature.Feature {
	return map[string]feature.Feature{"search": s.Search, "assistant": s.Assistant, "analytics": s.Analytics,
		"playground": s.Playground, "staticExport": s.StaticExport}
}

// setups returns every combination of the operator's settings.
func setups(t feature.Type) []feature.Setup {
	var out []feature.Setup
	for _, search := range []string{"on", "off", "local"} {
		for _, analytics := range []string{"on", "off"} {
			for _, assistant := range []string{"auto", "local", "off"} {
				for _, endpoint := range []bool{false, true} {
					for _, origins := range []bool{false, true} {
						out = append(out, feature.Setup{Type: t, Search: search, Analytics: analytics,
							Assistant: assistant, AssistantEndpoint: endpoint, PlaygroundOrigins: origins})
					}
				}
			}
		}
	}
	return out
}

// D9: for every type and every combination of settings, the state matches the table, unavailable features are off, and
// local is reported only if requested.
func TestFeatureStatesMatchTable(t *testing.T) {
	for i, typ := range types {
		for _, s := range setups(typ) {
			for name, f := range byName(feature.Decide(s).Features) {
				asked := name == "search" && s.Search == "local" || name == "assistant" && s.Assistant == "local"
				want := spec[name][i]
				if want == feature.Unavailable && asked {
					want = feature.Local
				}
				if f.State != want || f.Reason == "" || (f.State == feature.Unavailable && f.Enabled) ||
					(f.State == feature.Local && !f.Enabled) {
					t.Errorf("%+v: %s is %+v, want state %s", s, name, f, want)
				}
			}
		}
	}
}

// D9: the operator's settings decide which features are on.
func TestEnabledFeaturesFollowSettings(t *testing.T) {
	for _, typ := range types {
		for _, s := range setups(typ) {
			gapped := typ == feature.AirGapped
			want := map[string]bool{
				"search":    s.Search == "local" || s.Search == "on" && !gapped,
				"analytics": s.Analytics == "on" && !gapped,
				"assistant": s.Assistant == "local" ||
					s.Assistant == "auto" && (s.AssistantEndpoint && !gapped || s.Type == feature.Cloud),
				"playground":   !gapped || s.PlaygroundOrigins,
				"staticExport": true,
			}
			for name, f := range byName(feature.Decide(s).Features) {
				if f.Enabled != want[name] {
					t.Errorf("%+v: %s enabled = %v", s, name, f.Enabled)
				}
			}
		}
	}
}

func TestDefaultsMatchDecisions(t *testing.T) {
	d := feature.Decide(feature.Setup{Type: feature.ClientHosted, Search: "on", Analytics: "on", Assistant: "auto"})
	got := ""
	for _, name := range []string{"search", "assistant", "analytics", "playground", "staticExport"} {
		got += fmt.Sprintf("%s=%v ", name, byName(d.Features)[name].Enabled)
	}
	if want := "search=true assistant=false analytics=true playground=true staticExport=true "; got != want {
		t.Errorf("defaults: %s", got)
	}
}
