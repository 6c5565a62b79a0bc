package sitediff

import (
	"bytes"
	"html"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// anchors are the ids of a page that others may link to.
type anchors struct {
	headings []string // in their order
	all      []uint64 // hashes of all ids of the document
}

// readAnchors returns the ids of a page in its HTML. The platform writes the HTML, so attributes have double
// quotes. The heading of level 1 has the same id on every page.
func readAnchors(page []byte) (a anchors) {
	for {
		at := bytes.IndexByte(page, '<')
		if at < 0 {
			return a
		}
		page = page[at+1:]
		end := bytes.IndexByte(page, '>')
		if end < 0 {
			return a
		}
		tag := page[:end]
		_, rest, ok := bytes.Cut(tag, []byte(` id="`))
		if id, _, closed := bytes.Cut(rest, []byte(`"`)); ok && closed && len(id) > 0 {
			name := html.UnescapeString(string(id))
			a.all = append(a.all, hash([]byte(name)))
			if len(tag) > 2 && tag[0] == 'h' && tag[1] >= '2' && tag[1] <= '6' && tag[2] == ' ' {
				a.headings = append(a.headings, name)
			}
		}
		page = page[end:]
	}
}

// compareAnchors reports headings that no longer exist, so that links to their anchors fail.
func (c *comparison) compareAnchors() {
	for _, path := range slices.Sorted(maps.Keys(c.base.pages)) {
		to := path
		if moved, ok := c.moved[path]; ok {
			to = moved
		}
		if p := c.head.pages[to]; p != nil && p.File != "" {
			c.compareHeadings(p, c.base.anchors[path], c.head.anchors[to])
		}
	}
}

func (c *comparison) compareHeadings(p *site.Page, before, after anchors) {
	for i, id := range before.headings {
		if slices.Contains(after.all, hash([]byte(id))) {
			continue
		}
		c.result.Findings.Warnf(diag.Pos{File: p.File}, "lost-anchor",
			"The page had a heading with the id %q, and links to %q no longer lead to it.", id,
			c.head.table.Path(p.Path)+"#"+id)
		if renamed := successor(before.headings, after.headings, i); renamed != "" {
			c.result.Findings.Hint("If the heading is now #" + renamed + ", keep its id: ## Heading {#" + id + "}")
		} else {
			c.result.Findings.Hint("If the text is still there, keep the id: ## Heading {#" + id + "}, or <a id=\"" + id +
				"\"></a>.")
		}
	}
}

// successor returns the new heading between the neighbours of a lost one. It returns "" unless there is exactly one.
func successor(before, after []string, i int) string {
	start, end := 0, len(after)
	if i > 0 {
		if start = slices.Index(after, before[i-1]) + 1; start == 0 {
			return ""
		}
	}
	if i+1 < len(before) {
		if end = slices.Index(after, before[i+1]); end < 0 {
			return ""
		}
	}
	if end != start+1 || slices.Contains(before, after[start]) {
		return ""
	}
	return after[start]
}
