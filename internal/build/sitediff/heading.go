package sitediff

import (
	"bytes"
	"html"
)

// headingIDs returns the ids of the headings of a page from its HTML, in their order. The platform writes the HTML, so
// attributes have double quotes; id="page-title" is on every page.
func headingIDs(page []byte) (ids []string) {
	for {
		at := bytes.Index(page, []byte("<h"))
		if at < 0 || at+3 >= len(page) {
			return ids
		}
		level := page[at+2]
		if page = page[at+3:]; level < '2' || level > '6' || page[0] != ' ' {
			continue
		}
		end := bytes.IndexByte(page, '>')
		if end < 0 {
			return ids
		}
		if _, rest, ok := bytes.Cut(page[:end], []byte(` id="`)); ok {
			if id, _, ok := bytes.Cut(rest, []byte(`"`)); ok && len(id) > 0 {
				ids = append(ids, html.UnescapeString(string(id)))
			}
		}
		page = page[end:]
	}
}
