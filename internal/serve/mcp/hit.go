package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
)

// writeHits writes the sections found by a search, so that most questions need no further call. Sections that do not
// fit any more are only listed.
func (t *tools) writeHits(ctx context.Context, b *strings.Builder, hits []sitereader.Hit) {
	left, written := maxFound, map[string]string{} // text by page
	for i, h := range hits {
		part := t.library.Section(ctx, h)
		if written[h.Path] != "" && strings.Contains(written[h.Path], part.Text) { // part of a section already written
			continue
		}
		if i > 0 {
			b.WriteString("\n---\n\n")
		}
		b.WriteString("## " + strings.Join(part.Trail, " › ") + "\n\nPath: " + place(h) + "\n\n")
		if left <= 0 {
			fmt.Fprintf(b, "[Left out: the results above have %d bytes already. Read it with read_page.]\n", maxFound)
			continue
		}
		body, before, after := part.Around(min(maxSection, left))
		left -= len(body)
		written[h.Path] += body + "\n"
		if before {
			b.WriteString("[The beginning of this section is left out.]\n\n")
		}
		b.WriteString(body + "\n")
		if after {
			fmt.Fprintf(b, "\n[Cut after %d bytes. read_page with path %q has the rest.]\n", len(body),
				sitereader.Address(h.Path))
		}
	}
}

// place returns the path of a hit with its anchor, in the form used for links.
func place(h sitereader.Hit) string {
	return (&url.URL{Path: sitereader.Address(h.Path), Fragment: h.Anchor}).String()
}
