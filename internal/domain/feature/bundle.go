package feature

import "slices"

// Inside says which features the operator of an air-gapped server explicitly set to local. Such features run entirely
// within the site.
type Inside struct{ Search, Assistant bool }

// OfBundle returns the features that a bundle has on the server that serves it. What the bundle contains was decided by
// the server that built it, so beyond lists the features in it that this type of deployment does not support.
func OfBundle(t Type, local Inside, carried []string) (d Deployment, beyond []string) {
	d.Type = t
	inside := map[string]bool{"search": local.Search, "assistant": local.Assistant}
	for _, f := range []struct {
		name string
		to   *Feature
	}{{"search", &d.Features.Search}, {"assistant", &d.Features.Assistant}, {"analytics", &d.Features.Analytics},
		{"playground", &d.Features.Playground}} {
		*f.to = Feature{State: table[f.name][t], Enabled: slices.Contains(carried, f.name),
			Reason: "The bundle does not include it."}
		switch {
		case f.to.Enabled && f.to.State == Unavailable && inside[f.name]:
			*f.to = Feature{Local, true, "The bundle includes it. As configured, it runs entirely inside the site."}
		case f.to.Enabled && f.to.State == Unavailable:
			f.to.Reason = "The bundle includes it, although " + lower(airGapped)
			beyond = append(beyond, f.name)
		case f.to.Enabled:
			f.to.Reason = "The bundle includes it."
		}
	}
	d.Features.StaticExport = Feature{table["staticExport"][t], true, "This is a static export."}
	return d, beyond
}

// lower converts the first letter of a sentence to lower case, so that the sentence can follow another one.
func lower(sentence string) string { return string(sentence[0]|0x20) + sentence[1:] }
