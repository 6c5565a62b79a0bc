package build

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// bannerMax limits the text of a banner, in bytes. A banner is a line or two long. It is rendered separately for each
// page, because its relative links differ from page to page.
const bannerMax = 4 << 10

// renderBanner renders the banner of a page, with addresses relative to that page. html is nil if there is no banner.
func (r *contentRenderer) renderBanner(
	ctx context.Context, banner *site.Banner, from link.From,
) (html []byte, list diag.List, deps dependencies) {
	if banner == nil || banner.Content == "" {
		return nil, nil, deps
	}
	pos := banner.Pos
	if pos.File == "" {
		pos.File = r.src.site.File
	}
	if len(banner.Content) > bannerMax {
		list.Warnf(pos, "banner-too-long", "The banner is longer than %d bytes and is not shown.", bannerMax)
		return nil, list, deps
	}
	expanded, list := r.expand.Page(ctx, &ast.File{Name: pos.File, Body: []byte(banner.Content), Line: pos.Line})
	if list.HasErrors() {
		return nil, list, deps
	}
	deps = r.includedBy(expanded)
	v := r.view(from, &pageAnchors{}, &list, &deps)
	rendered, more, err := r.render.Render(ctx, render.Source{File: expanded.File, Nodes: expanded.Nodes}, v)
	if err != nil {
		list.Errorf(pos, "page-render", "The banner cannot be rendered.")
		return nil, list, deps
	}
	return rendered.HTML, limitFindings(append(list, more...)), deps
}
