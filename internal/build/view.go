package build

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// view is the site as seen from one page: it resolves addresses for render and layout, and reports broken references.
type view struct {
	link.From
	anchors  *pageAnchors // collects links to ids
	list     *diag.List
	sizes    *imageSizes
	variants *imageVariants
	pause    func() (resume func()) // pauses the page's time limit during other work; nil = no limit
	deps     *dependencies          // collects dependencies; nil = the page is not cached
}

// unsafeShown limits how much of an address with a forbidden scheme a finding quotes, in bytes, because some
// contain a whole image.
const unsafeShown = 60

const unsafeHint = "Use an address with http, https, mailto or tel, or put the file into the docs folder and use its path."

// Resolve implements render.Resolver.
func (v *view) Resolve(ref render.Ref) (component.Address, bool) {
	t := v.resolve(ref.Dest)
	switch t.Kind {
	case link.Unsafe:
		v.warn(ref.Pos(), "unsafe-link", "The address %q has a scheme that is not allowed in pages and is removed.",
			clip.Bytes(ref.Dest, unsafeShown))
		v.list.Hint(unsafeHint)
		return component.Address{}, false
	case link.Broken:
		if ref.Image {
			v.warn(ref.Pos(), "broken-image", brokenImageText, ref.Dest)
		} else {
			v.warn(ref.Pos(), "broken-link", brokenLinkText, ref.Dest)
		}
	case link.ToPage, link.ToAnchor:
		v.recordAnchor(t, ref)
	case link.Elsewhere:
		if t.Href == "" {
			v.warn(ref.Pos(), "left-out-link",
				"The page %q is not part of this export, and its published address is unknown; the link becomes plain text.", ref.Dest)
			return component.Address{}, false
		}
	}
	to := component.Address{Href: t.Href}
	if ref.Image {
		v.resolveImage(ref.Dest, t).describe(&to, v.From)
	}
	return to, true
}

// recordAnchor records a link to an id on a page, once per id.
func (v *view) recordAnchor(t link.Target, ref render.Ref) {
	known := func(r anchorRef) bool { return r.page == t.Page && r.id == t.Anchor }
	if t.Anchor == "" || len(v.anchors.refs) >= pageDiagMax || slices.ContainsFunc(v.anchors.refs, known) {
		return
	}
	v.anchors.refs = append(v.anchors.refs, anchorRef{page: t.Page, id: strings.Clone(t.Anchor), pos: ref.Pos()})
}

func (v *view) warn(pos diag.Pos, code, format string, dest string) {
	if len(*v.list) >= pageDiagMax {
		return
	}
	v.list.Warnf(pos, code, format, clip.Bytes(dest, 200))
}

// Address implements layout.Links for addresses in the site file. It returns "" for unusable ones.
func (v *view) Address(ref string) string {
	if ref == "" {
		return ""
	}
	ref = rooted(ref)
	t := v.From.Resolve(ref)
	if t.Kind == link.Broken && path.Ext(ref) != "" {
		return "" // no image is better than a broken one
	}
	return t.Href
}

// rooted makes an address in the site file relative to the root of the site, regardless of the page that shows it.
func rooted(ref string) string {
	if ref == "" || strings.HasPrefix(ref, "/") || strings.HasPrefix(ref, "#") || strings.Contains(ref, ":") {
		return ref
	}
	return "/" + ref
}
