package score

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// page is the content of a page's HTML.
type page struct {
	path        string
	response    Response
	title       string
	description string
	canonical   string
	twin        string   // address of the Markdown form in its head
	data        []string // JSON-LD blocks
	levels      []int    // of headings, in order
	images      int
	unnamed     []string // images without alt
	text        string   // of the page's own content, without the platform's additions
	all         string   // of everything
}

// newPage parses a page. Invalid HTML is parsed as far as possible, just like in browsers.
func newPage(path string, a Response) *page {
	p := &page{path: path, response: a}
	if a.kind() != "text/html" {
		return p
	}
	doc, err := html.Parse(bytes.NewReader(a.Body))
	if err != nil {
		return p
	}
	p.walk(doc, false)
	content := find(doc, func(n *html.Node) bool { return n.Data == "article" })
	if content == nil {
		content = find(doc, func(n *html.Node) bool { return n.Data == "main" })
	}
	if content == nil {
		content = doc
	}
	var own, all strings.Builder
	write(&own, content, true)
	write(&all, content, false)
	p.text, p.all = own.String(), all.String()
	return p
}

func (p *page) walk(n *html.Node, inHead bool) {
	if n.Type == html.ElementNode {
		switch n.Data {
		case "head":
			inHead = true
		case "title":
			if inHead {
				p.title = strings.TrimSpace(textOf(n))
			}
		case "meta":
			if strings.EqualFold(attr(n, "name"), "description") {
				p.description = strings.TrimSpace(attr(n, "content"))
			}
		case "link":
			p.link(n)
		case "script":
			if strings.EqualFold(attr(n, "type"), "application/ld+json") {
				p.data = append(p.data, textOf(n))
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			p.levels = append(p.levels, int(n.Data[1]-'0'))
		case "img":
			p.images++
			if !has(n, "alt") {
				p.unnamed = append(p.unnamed, attr(n, "src"))
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c, inHead)
	}
}

func (p *page) link(n *html.Node) {
	switch rel := strings.ToLower(attr(n, "rel")); {
	case rel == "canonical":
		p.canonical = attr(n, "href")
	case rel == "alternate" && attr(n, "type") == "text/markdown":
		p.twin = attr(n, "href")
	}
}

func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && is(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if found := find(c, is); found != nil {
			return found
		}
	}
	return nil
}

// write collects readable text. If own is set, it skips the platform's additions, and the tabs of the side panel that
// repeat the first sample in another language.
func write(b *strings.Builder, n *html.Node, own bool) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Type == html.ElementNode {
		switch n.Data {
		case "script", "style", "noscript", "template", "nav", "svg", "button":
			return
		}
		if own && (has(n, "data-platform") || again(n)) {
			return
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		write(b, c, own)
	}
	if n.Type == html.ElementNode && !inline(n.Data) {
		b.WriteByte(' ')
	}
}

// again reports whether an element is a tab of the side panel other than the first.
func again(n *html.Node) bool {
	if attr(n, "role") != "tabpanel" || has(n, "data-active") {
		return false
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Type == html.ElementNode && up.Data == "aside" {
			return true
		}
	}
	return false
}

// inline reports whether an element may occur inside words; others are separated by a space.
func inline(name string) bool {
	switch name {
	case "span", "a", "em", "strong", "b", "i", "code", "sub", "sup", "mark", "u", "s", "del", "ins", "kbd", "wbr":
		return true
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// words returns the distinct significant words of text: those with four letters or more, or digits.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len([]rune(w)) >= 4 {
			out[w] = true
		}
	}
	return out
}

// share returns the share of a's words that are in b, or 1 if a is empty.
func share(a, b map[string]bool) float64 {
	if len(a) == 0 {
		return 1
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}
