package layout

import (
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/markup"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/wording"
)

// NotFound is the document for an address that leads nowhere.
func (f *Frame) NotFound(links Links) []byte {
	s := f.scene(Page{Page: &site.Page{Path: "404"}, Links: links})
	title, text := f.site.NotFound.Title, f.site.NotFound.Description
	if title == "" {
		title = s.words.NotFound
	}
	if text == "" {
		text = s.words.NotFoundText
	}
	d := s.d
	s.p.Page.Title = title
	s.open(title + " - " + f.site.Name)
	d.Raw(`<meta name="robots" content="noindex">`, "\n")
	s.loads()
	d.Raw("</head>\n<body>\n", `<a class="skip" href="#content">`)
	d.Text(s.words.Skip)
	d.Raw("</a>\n")
	s.banner()
	s.navbar()
	d.Raw(`<div class="shell shell-single" data-mode="center">`, "\n")
	s.sidebar()
	d.Raw(`<main class="main" tabindex="-1"><article id="content" class="content"><header class="page-head not-prose"><p class="eyebrow">404</p><h1>`)
	d.Text(title)
	d.Raw(`</h1><p class="lead">`)
	d.Text(text)
	d.Raw(`</p></header><p><a class="button"`)
	d.Attr("href", links.Root())
	d.Raw(">")
	d.Text(s.words.Home)
	d.Raw("</a></p></article>\n")
	s.footer()
	d.Raw("</main></div>\n</body>\n</html>\n")
	return d.Bytes()
}

// Redirect is the document that sends a reader on where no server can. target and canonical are finished addresses.
func (f *Frame) Redirect(links Links, target, canonical string) []byte {
	s := f.scene(Page{Page: &site.Page{}, Links: links})
	d := s.d
	d.Raw("<!doctype html>\n<html")
	d.Attr("lang", wording.Tag(s.code))
	d.Raw(">\n<head>\n", `<meta charset="utf-8">`, "\n<title>")
	d.Text(f.site.Name)
	d.Raw("</title>\n", `<meta http-equiv="refresh"`)
	d.Attr("content", "0; url="+target)
	d.Raw(">\n", `<meta name="robots" content="noindex">`, "\n", `<link rel="canonical"`)
	d.Attr("href", canonical)
	d.Raw(">\n", `<link rel="stylesheet"`)
	d.Attr("href", links.File(f.assets.Style))
	d.Raw(">\n</head>\n<body>\n", `<p class="moved">`)
	d.Text(s.words.Moved)
	d.Raw(" <a")
	d.Attr("href", target)
	d.Raw(">")
	d.Text(canonical)
	d.Raw("</a></p>\n</body>\n</html>\n")
	return d.Bytes()
}

// Broken is the document in place of a page that could not be made: what its author has to mend.
func (f *Frame) Broken(p Page, list diag.List) []byte {
	var b markup.Buffer
	b.Raw(`<div class="callout callout-danger" role="alert"><div class="callout-body"><p><strong>This page could not be built.</strong></p><ul>`, "\n")
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
