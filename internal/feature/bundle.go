package feature

import "slices"

// OfBundle says what a bundle has where it is served. What it carries was decided where it was made; beyond lists what the type of this
// deployment has no room for. local says that the operator asked for search that runs wholly inside the site.
func OfBundle(t Type, local bool, carried []string) (d Deployment, beyond []string) {
	d.Type = t
	for _, f := range []struct {
		name string
		to   *Feature
	}{{"search", &d.Features.Search}, {"assistant", &d.Features.Assistant}, {"analytics", &d.Features.Analytics}, {"playground", &d.Features.Playground}} {
		*f.to = Feature{State: table[f.name][t], Enabled: slices.Contains(carried, f.name), Reason: "The bundle was made without it."}
		switch {
		case f.to.Enabled && f.to.State == Unavailable && f.name == "search" && local:
			*f.to = Feature{Local, true, "The bundle carries it, and it runs wholly inside the site, as the operator asked."}
		case f.to.Enabled && f.to.State == Unavailable:
			f.to.Reason = "The bundle carries it, although " + lower(airGapped)
			beyond = append(beyond, f.name)
		case f.to.Enabled:
			f.to.Reason = "The bundle carries it."
		}
	}
	d.Features.StaticExport = Feature{table["staticExport"][t], true, "This is a static export."}
	return d, beyond
}

// lower lets a sentence follow on another.
func lower(sentence string) string { return string(sentence[0]|0x20) + sentence[1:] }
