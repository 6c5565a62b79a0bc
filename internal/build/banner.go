package build

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/site"
)

// bannerMax bounds a banner's text in bytes: it is a line or two, rendered for each page because its links differ by page.
const bannerMax = 4 << 10

// banner renders the banner of a page, with links relative to that page; nil when there is none.
func (b *builder) banner(ctx context.Context, p *site.Page, v *view) ([]byte, diag.List) {
	banner := b.theme.frame.Banner(p)
	if banner == nil || banner.Content == "" {
		return nil, nil
	}
	pos := banner.Pos
	if pos.File == "" {
		pos.File = b.src.site.File
	}
	var list diag.List
	if len(banner.Content) > bannerMax {
		list.Warnf(pos, "banner-too-long", "The banner is longer than %d bytes and is left out.", bannerMax)
		return nil, list
	}
	expanded, list := b.expand.Page(ctx, &ast.File{Name: pos.File, Body: []byte(banner.Content), Line: pos.Line})
	if list.HasErrors() {
		return nil, list
	}
	v.deps.addExpanded(b, expanded)
	own := &view{From: v.From, anchors: &pageAnchors{}, list: &list, sizes: v.sizes, deps: v.deps}
	rendered, more, err := b.render.Render(ctx, render.Source{File: expanded.File, Nodes: expanded.Nodes}, own)
	if err != nil {
		list.Errorf(pos, "page-render", "The banner cannot be rendered.")
		return nil, list
	}
	return rendered.HTML, limitFindings(append(list, more...))
}
