package build

import (
	"context"
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/site"
)

// apiInput is what the part of a page that its API description makes depends on, but for the page's own text and place.
func (b *builder) apiInput(p *site.Page) apipage.Input {
	return apipage.Input{Page: p, Specs: b.specs, Look: b.site.API, FullSchema: b.site.FullSchema, Playground: b.opt.Offers.Playground, Untold: !b.announced(p)}
}

// announced tells pages that readers are told of from those that only who knows the address finds.
func (b *builder) announced(p *site.Page) bool { return !p.Hidden && !b.trails.of(p.Path).hidden() }

// origins writes what the playground's proxy may call: the origins that the site's pages name. Pages that nobody is told of do not count
// (C7), and neither do parts of a description without a page. Where no page needs the proxy there is no file, and the proxy refuses
// everything; where pages do, but name nothing that is known beforehand, the list is empty: the operator's own may be called.
func (b *builder) origins(ctx context.Context) error {
	if play := b.opt.Offers.Playground; !play.On || play.Proxy == capability.NoProxy {
		return nil
	}
	var found apipage.Origins
	for i := range b.entries {
		if p := b.entries[i].page; p.API != nil && b.announced(p) {
			found.Add(b.apiInput(p))
		}
	}
	if !found.Needed() {
		return nil
	}
	data, err := json.Marshal(append([]string{}, found.List()...))
	if err != nil {
		return err
	}
	return b.put(ctx, capability.OriginsFile, append(data, '\n'))
}
