package searchindex

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// Page describes a page that readers may find.
type Page struct {
	Path        string
	Title       string
	Sidebar     string // title in the navigation; "" = Title
	Description string
	Lead        string   // first paragraph, shown if there is nothing better
	Keywords    []string // also the method and the address of an API page
	Crumbs      []string // names of the parts of the site around it, outermost first
	Language    string   // "" = all languages; for Version, "" = all versions
	Version     string
	Tags        []string // products and tabs by which a query may be filtered
	Boost       float64  // 0 = 1
	Deprecated  bool
	Unlisted    bool // it is not in the navigation
	Reference   bool // generated from an API description: a guide on the same subject comes first
	Sections    []pagetext.Section
}

// Sizes of a chunk in bytes. Long sections are split, so that a hit leads to the right part and a shard stays small.
const (
	chunkText = 1800
	chunkCode = 900
	codeMax   = 8 << 10 // of one section; the rest of long listings is not indexed
)

// chunk is the unit that a search finds.
type chunk struct {
	section *pagetext.Section
	above   string // headings above the section
	text    string
	code    string
	head    bool // it starts the page
	first   bool // it starts its section
}

// chunks splits a page. The first chunk represents the page itself: it has the title and any text before the first
// heading.
func chunks(p *Page) (out []chunk) {
	var path [8]string
	if len(p.Sections) == 0 || p.Sections[0].Heading != "" {
		out = append(out, chunk{section: &pagetext.Section{}, head: true})
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		level := min(max(s.Level, 0), 7)
		above := ""
		for _, h := range path[1:max(level, 1)] {
			if h != "" {
				above += h + " "
			}
		}
		path[level] = s.Heading
		clear(path[level+1:])
		text, code, first := s.Text, s.Code[:min(len(s.Code), codeMax)], true
		for first || text != "" || code != "" {
			c := chunk{section: s, above: above, head: len(out) == 0, first: first && !s.More}
			c.text, text = cut(text, chunkText, "\n", ". ", " ")
			c.code, code = cut(code, chunkCode, "\n", " ")
			out = append(out, c)
			first = false
		}
	}
	return out
}

// cut splits text after at most n bytes, preferably at the last separator among them. ends lists the separators, best
// first.
func cut(text string, n int, ends ...string) (head, rest string) {
	if len(text) <= n {
		return text, ""
	}
	at := n
	for at > 0 && text[at]&0xC0 == 0x80 { // not inside a character
		at--
	}
	for _, end := range ends {
		if i := strings.LastIndex(text[:at], end); i > n/2 {
			at = i + len(end)
			break
		}
	}
	return strings.TrimRight(text[:at], " \n"), strings.TrimLeft(text[at:], "\n")
}
