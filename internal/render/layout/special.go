package layout

import (
	"cmp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// NotFound returns the document for unknown URLs, for a host that knows the path of the site. nearest is the path, in
// the tree, of the script that adds links to similar pages; "" = none.
func (f *Frame) NotFound(links Links, nearest string) []byte {
	s, title, text := f.lost(links, nearest)
	s.open(title + " - " + f.site.Name)
	s.d.Raw(`<meta name="robots" content="noindex">`, "\n")
	if f.site.NotFound.Redirect { // the status stays 404, for programs and search engines
		s.d.Raw(`<meta http-equiv="refresh"`)
		s.d.Attr("content", "0; url="+links.Root())
		s.d.Raw(">\n")
	}
	s.loads()
	s.d.Raw("</head>\n<body>\n")
	s.nothing(title, text)
	s.d.Raw("</body>\n</html>\n")
	return s.d.Bytes()
}

// Lost holds the data that a document needs to find the root of the site it belongs to.
type Lost struct {
	Script []byte // inline script in the document
	Mark   string // path, in the tree, of a style sheet that no other site has
	Base   string // path of the published site, with slashes around it; "" = unknown
	Home   string // absolute URL of the site's first page; "" = unknown
	// path, in the tree, of the script that adds links to similar pages; "" = none
	Nearest string
}

// NotFoundAnywhere returns the document for unknown URLs on a host that does not know the path of the site. It is
// readable without other files. It also contains the frame, with URLs relative to the root of the site. Its script
// shows the frame once it has found the root.
func (f *Frame) NotFoundAnywhere(links Links, lost Lost) []byte {
	s, title, text := f.lost(links, lost.Nearest)
	d := s.d
	s.begin(title + " - " + f.site.Name)
	d.Raw(`<meta name="robots" content="noindex">`, "\n<script")
	d.Attr("data-mark", lost.Mark)
	d.AttrIf("data-base", lost.Base)
	d.Flag("data-home", f.site.NotFound.Redirect)
	d.Raw(">")
	d.Trusted(lost.Script)
	d.Raw("</script>\n<template data-lost>\n")
	s.shared()
	s.loads()
	d.Raw("</template>\n</head>\n<body>\n<h1>")
	d.Text(title)
	d.Raw("</h1>\n<p>")
	d.Text(text)
	d.Raw("</p>\n")
	if lost.Home != "" {
		d.Raw("<p><a")
		d.Attr("href", lost.Home)
		d.Raw(">")
		d.Text(s.words.Home)
		d.Raw("</a></p>\n")
	}
	d.Raw("<template data-lost>\n")
	s.nothing(title, text)
	d.Raw("</template>\n</body>\n</html>\n")
	return d.Bytes()
}

// lost returns the writer, title and text for a page that does not exist.
func (f *Frame) lost(links Links, nearest string) (s *pageWriter, title, text string) {
	p := Page{Page: &site.Page{Path: "404"}, Links: links}
	if nearest != "" {
		p.Scripts = []string{nearest}
	}
	s = f.pageWriter(p)
	title, text = cmp.Or(f.site.NotFound.Title, s.words.NotFound),
		cmp.Or(f.site.NotFound.Description, s.words.NotFoundText)
	s.p.Page.Title = title
	return s, title, text
}

// nothing writes the body of a page that does not exist.
func (s *pageWriter) nothing(title, text string) {
	d := s.d
	d.Raw(`<a class="skip" href="#content">`)
	d.Text(s.words.Skip)
	d.Raw("</a>\n")
	s.banner()
	s.navbar()
	d.Raw(`<div class="shell shell-single" data-mode="center">`, "\n")
	s.sidebar()
	s.openMain()
	d.Raw(`<article id="content" class="content not-found-container"><header class="page-head not-prose"`)
	s.id("header")
	d.Raw(`><p class="eyebrow not-found-status-code">404</p><h1 class="not-found-title"`)
	s.id("page-title")
	d.Raw(">")
	d.Text(title)
	d.Raw(`</h1><p class="lead not-found-description">`)
	d.Text(text)
	d.Raw(`</p></header><p class="lost-ways"><a class="button"`)
	d.Attr("href", s.links.Root())
	d.Raw(">")
	d.Text(s.words.Home)
	d.Raw("</a>")
	if s.assets.Search != "" && s.assets.Index != "" {
		d.Raw(` <button type="button" class="lost-search" data-search hidden>`)
		d.Text(s.words.Search)
		d.Raw("</button>")
	}
	d.Raw("</p>\n")
	if len(s.p.Scripts) > 0 {
		s.nearest()
	}
	d.Raw("</article>\n")
	s.footer()
	d.Raw("</main></div></div>\n")
}

// nearest writes the hidden element for links to similar pages. A script fills and shows it. An attribute of the
// element contains the root for the URLs.
func (s *pageWriter) nearest() {
	const probe = "lectern"
	s.d.Raw(`<nav class="lost-near not-prose"`)
	s.d.Attr("data-nearest", strings.TrimSuffix(s.links.File(probe), probe))
	s.d.Attr("aria-label", s.words.Related)
	s.d.Raw(` hidden><h2>`)
	s.d.Text(s.words.Related)
	s.d.Raw("</h2><ul class=\"not-found-recommended-pages-list\"></ul></nav>\n")
}

// Redirect returns a document that redirects the reader, for hosts that cannot redirect themselves. target is the final
// URL, and public is the URL to show. script, a path in the tree, keeps the query and anchor of the request.
func (f *Frame) Redirect(links Links, target, public, script string) []byte {
	s := f.pageWriter(Page{Page: &site.Page{}, Links: links})
	d := s.d
	d.Raw("<!doctype html>\n<html")
	d.Attr("lang", i18n.Tag(s.code))
	d.Raw(">\n<head>\n", `<meta charset="utf-8">`, "\n<title>")
	d.Text(f.site.Name)
	d.Raw("</title>\n", `<meta name="robots" content="noindex">`, "\n")
	if strings.Contains(public, "://") {
		d.Raw(`<link rel="canonical"`)
		d.Attr("href", public)
		d.Raw(">\n")
	}
	d.Raw("<script")
	d.Attr("src", links.File(script))
	d.Attr("data-to", target)
	d.Raw("></script>\n", `<noscript><meta http-equiv="refresh"`)
	d.Attr("content", "0; url="+target)
	d.Raw("></noscript>\n", `<link rel="stylesheet"`)
	d.Attr("href", links.File(f.assets.Style))
	d.Raw(">\n")
	writeIcon(d, "data:,", "") // the page is shown only briefly; browsers should not request an icon at the root
	d.Raw("</head>\n<body>\n", `<p class="moved">`)
	d.Text(s.words.Moved)
	d.Raw(" <a")
	d.Attr("href", target)
	d.Raw(">")
	d.Text(public)
	d.Raw("</a></p>\n</body>\n</html>\n")
	return d.Bytes()
}

// Broken returns the document that replaces a page which could not be built. It lists the errors for the author.
func (f *Frame) Broken(p Page, list diag.List) []byte {
	var b htmlbuf.Buffer
	b.Raw(
		`<div class="callout callout-danger" role="alert"><div class="callout-body"><p><strong>This page could not be built.</strong></p><ul>`, "\n")
	for _, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		b.Raw("<li><p><code>")
		b.Text(d.Place())
		b.Raw("</code> ")
		b.Text(d.Message)
		b.Raw("</p>")
		if d.Hint != "" {
			b.Raw("<p>")
			b.Text(d.Hint)
			b.Raw("</p>")
		}
		b.Raw("</li>\n")
	}
	b.Raw("</ul></div></div>\n")
	p.HTML = b.Bytes()
	return f.Render(p)
}
