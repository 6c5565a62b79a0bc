package daemon

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/feature"
	"github.com/lectern-docs/lectern/internal/offer"
)

// siteOffers are what published sites offer: what the deployment has, answered by this server.
func (c *core) siteOffers() offer.Offers {
	d := c.features()
	f := d.Features
	out := offer.Offers{
		Search:     f.Search.Enabled,
		Playground: offer.Playground{On: f.Playground.Enabled, Origins: slices.Clone(c.Config.PlaygroundOrigins), Closed: d.Type == feature.AirGapped},
		Assistant:  offer.Assistant{On: f.Assistant.Enabled},
		Analytics:  offer.Analytics{On: f.Analytics.Enabled},
	}
	if out.Playground.On && c.Config.PlaygroundProxy == "on" {
		out.Playground.Proxy = offer.HasProxy
	}
	return out
}

// bundleOffers are what a bundle offers of the site with this canonical origin. A bundle has no server of ours behind it: the assistant
// quotes passages in the reader's browser, and the playground asks whether there is a proxy. Its pages contact nobody by themselves: visits
// are counted, by the published site, only if the operator asked for it.
func (c *core) bundleOffers(origin string) offer.Offers {
	out := c.siteOffers()
	out.Assistant.InBrowser = out.Assistant.On
	if out.Playground.On {
		out.Playground.Proxy = offer.MayHaveProxy
	}
	out.Analytics = offer.Analytics{}
	if c.Config.AnalyticsBundles == "on" && c.features().Features.Analytics.Enabled {
		out.Analytics = offer.Analytics{On: true, To: origin}
	}
	return out
}
