package layout

// NotFound is the document for an address that leads nowhere.
func (f *Frame) NotFound(links Links) []byte {
	d := &doc{}
	f.open(d, links, nil, "Page not found - "+f.site.Name)
	named(d, "robots", "noindex")
	d.raw("</head>\n<body>\n")
	f.navbar(d, links, nil)
	d.raw(`<div class="shell shell-single"><main class="main"><article id="content" class="content"><header class="page-head"><p class="eyebrow">404</p><h1>Page not found</h1>`,
		`<p class="lead">There is nothing at this address. It may have moved.</p></header><p><a class="button"`)
	d.attr("href", links.Root())
	d.raw(">Go to the first page</a></p></article>\n")
	f.footer(d, links)
	d.raw("</main></div>\n</body>\n</html>\n")
	return d.buf.Bytes()
}

// Redirect is the document that sends a reader on where no server can. target and canonical are finished addresses.
func (f *Frame) Redirect(links Links, target, canonical string) []byte {
	d := &doc{}
	d.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n", `<meta charset="utf-8">`, "\n<title>")
	d.text("Moved - " + f.site.Name)
	d.raw("</title>\n", `<meta http-equiv="refresh"`)
	d.attr("content", "0; url="+target)
	d.raw(">\n", `<meta name="robots" content="noindex">`, "\n", `<link rel="canonical"`)
	d.attr("href", canonical)
	d.raw(">\n", `<link rel="stylesheet"`)
	d.attr("href", links.File(f.assets.Style))
	d.raw(">\n</head>\n<body>\n", `<p class="moved">This page has moved to <a`)
	d.attr("href", target)
	d.raw(">")
	d.text(canonical)
	d.raw("</a>.</p>\n</body>\n</html>\n")
	return d.buf.Bytes()
}
