package build

import (
	"context"
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/site"
)

// apiInput returns the data that the API part of a page depends on, except for the page's own text and location.
func apiInput(p *site.Page, src *source, nav *navigation, play capability.Playground) apipage.Input {
	return apipage.Input{
		Page: p, Specs: src.specs, Look: src.site.API, FullSchema: src.site.FullSchema, Playground: play,
		Untold: !nav.discoverable(p),
	}
}

// writeOrigins writes the list of origins that the playground's proxy may call: those of the operations that the site's
// pages describe. Hidden pages do not count (C7), nor do operations without a page. If no page needs the proxy, there
// is no file, and the proxy refuses every call. If pages need it but their origins are not known in advance, the list
// is empty, and only the origins that the operator allows may be called.
func writeOrigins(
	ctx context.Context, w *siteWriter, nav *navigation, pages entries, play capability.Playground,
) error {
	if !play.On || play.Proxy == capability.NoProxy {
		return nil
	}
	var found apipage.Origins
	for i := range pages {
		if p := pages[i].page; p.API != nil && nav.discoverable(p) {
			found.Add(apiInput(p, w.src, nav, play))
		}
	}
	if !found.Needed() {
		return nil
	}
	data, err := json.Marshal(append([]string{}, found.List()...))
	if err != nil {
		return err
	}
	return w.put(ctx, capability.OriginsFile, append(data, '\n'))
}
