package daemon

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/eventforward"
)

// siteOffers returns the features of published sites: the deployment's features, as provided by this server.
func (c *core) siteOffers() capability.Offers {
	d := c.features()
	f := d.Features
	out := capability.Offers{
		Search: f.Search.Enabled,
		Playground: capability.Playground{On: f.Playground.Enabled, Origins: slices.Clone(c.Config.PlaygroundOrigins),
			Closed: d.Type == feature.AirGapped},
		Assistant: capability.Assistant{On: f.Assistant.Enabled, Quotes: !c.Config.HasAssistantModel()},
		Analytics: capability.Analytics{On: f.Analytics.Enabled},
		External:  capability.External{On: c.Config.External()},
	}
	if out.External.On && f.Analytics.Enabled && c.Config.AnalyticsForward == "on" {
		out.External.Without = eventforward.Tools(c.Config.AnalyticsGA4Secret != "")
	}
	if out.Playground.On && c.Config.PlaygroundProxy == "on" {
		out.Playground.Proxy = capability.HasProxy
	}
	return out
}

// bundleOffers returns the features of a bundle for the site with this canonical origin. A bundle has no Lectern
// server: the assistant quotes passages in the reader's browser, and the playground checks whether there is a proxy.
// Its pages contact no other host automatically, with one exception: they report visits to the published site if the
// operator enabled that.
func (c *core) bundleOffers(origin string) capability.Offers {
	out := c.siteOffers()
	out.Assistant.InBrowser = out.Assistant.On
	if out.Playground.On {
		out.Playground.Proxy = capability.MayHaveProxy
	}
	out.Analytics, out.External.Without = capability.Analytics{}, nil
	if c.Config.AnalyticsBundles == "on" && c.features().Features.Analytics.Enabled {
		out.Analytics = capability.Analytics{On: true, To: origin}
	}
	return out
}
