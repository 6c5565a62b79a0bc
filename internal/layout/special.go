package layout

import (
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/markup"
)

// NotFound is the document for an address that leads nowhere.
func (f *Frame) NotFound(links Links) []byte {
	d := &markup.Buffer{}
	f.open(d, links, nil, "Page not found - "+f.site.Name, "")
	named(d, "robots", "noindex")
	d.Raw("</head>\n<body>\n")
	f.navbar(d, links, nil)
	d.Raw(`<div class="shell shell-single"><main class="main"><article id="content" class="content"><header class="page-head"><p class="eyebrow">404</p><h1>Page not found</h1>`,
		`<p class="lead">There is nothing at this address. It may have moved.</p></header><p><a class="button"`)
	d.Attr("href", links.Root())
	d.Raw(">Go to the first page</a></p></article>\n")
	f.footer(d, links)
	d.Raw("</main></div>\n</body>\n</html>\n")
	return d.Bytes()
}

// Redirect is the document that sends a reader on where no server can. target and canonical are finished addresses.
func (f *Frame) Redirect(links Links, target, canonical string) []byte {
	d := &markup.Buffer{}
	d.Raw("<!doctype html>\n<html lang=\"en\">\n<head>\n", `<meta charset="utf-8">`, "\n<title>")
	d.Text("Moved - " + f.site.Name)
	d.Raw("</title>\n", `<meta http-equiv="refresh"`)
	d.Attr("content", "0; url="+target)
	d.Raw(">\n", `<meta name="robots" content="noindex">`, "\n", `<link rel="canonical"`)
	d.Attr("href", canonical)
	d.Raw(">\n", `<link rel="stylesheet"`)
	d.Attr("href", links.File(f.assets.Style))
	d.Raw(">\n</head>\n<body>\n", `<p class="moved">This page has moved to <a`)
	d.Attr("href", target)
	d.Raw(">")
	d.Text(canonical)
	d.Raw("</a>.</p>\n</body>\n</html>\n")
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
