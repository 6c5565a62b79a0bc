package build

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// addresses resolves references to the addresses of pages and files. newAddresses creates it before the first page is
// rendered. It does not change afterwards, except that sizes and variants cache the images that they read.
type addresses struct {
	*link.Table
	style    link.Style // Options.Links
	baseURL  string     // Options.BaseURL
	home     *site.Page
	sizes    *imageSizes
	variants *imageVariants // nil = pages show only the original images
}

func newAddresses(
	s *site.Site, opt Options, sizes *imageSizes, variants *imageVariants,
) *addresses {
	home := homePage(s)
	return &addresses{
		Table: link.New(s, opt.Links, opt.BaseURL, home.Path).Below(opt.BasePath), style: opt.Links, baseURL: opt.BaseURL,
		home: home, sizes: sizes, variants: variants,
	}
}

// homePage returns the page that index.html shows: the index page, otherwise the first in the navigation, otherwise
// the first page.
func homePage(s *site.Site) *site.Page {
	if p := s.Find("index"); p != nil {
		return p
	}
	for _, n := range s.Nav {
		if p := s.Find(n.First()); p != nil {
			return p
		}
	}
	return s.Pages[0]
}

// view returns the site as seen from a page that is written to out. Its findings and dependencies are discarded.
func (a *addresses) view(page, out string) *view {
	return &view{From: a.From(page, out), sizes: a.sizes, variants: a.variants, anchors: &pageAnchors{}, list: &diag.List{}}
}

// rootView returns the site as seen from its root.
func (a *addresses) rootView() *view { return a.view("index", "index") }

// canonical returns the public address of a page, which the author can override.
func (a *addresses) canonical(p *site.Page) string {
	if own := p.Details().Canonical; own != "" && link.Safe(own) {
		return own
	}
	return a.Canonical(p.Path)
}

// basePath returns the decoded path of the site on its host, with slashes around it, or "" if it is unknown.
func (a *addresses) basePath() string {
	base, err := url.Parse(a.baseURL)
	if err != nil || base.Host == "" {
		return ""
	}
	if p := strings.Trim(path.Clean("/"+base.Path), "/"); p != "" {
		return "/" + p + "/"
	}
	return "/"
}

// absolute returns the address of a reference for use outside of the site, or "" if the reference is broken. If the
// base URL is unknown, the address starts at the root.
func (a *addresses) absolute(p *site.Page, t link.Target) string {
	rest := t.Href[strings.IndexAny(t.Href+"#", "?#"):] // query and fragment
	switch t.Kind {
	case link.ToAnchor:
		return a.canonical(p) + rest
	case link.ToPage:
		return a.Canonical(t.Page) + rest
	case link.ToFile:
		file := a.Public(t.File)
		if a.baseURL == "" {
			file = "/" + file
		}
		return file + rest
	case link.External, link.Elsewhere:
		return t.Href
	}
	return ""
}

// listAddress returns the address of a list of pages as it appears in a page's Markdown form, or "" if there is no
// list.
func listAddress(from link.From, list string) string {
	if list == "" {
		return ""
	}
	return from.Markdown(link.Target{Kind: link.ToFile, Href: from.File(list)})
}
