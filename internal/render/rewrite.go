package render

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/lectern-docs/lectern/internal/slug"
)

// build is the work on one page.
type build struct {
	src  Source
	body []byte // prepared
	res  Resolver
	page *Page
	ids  slug.Set

	custom map[int]string // ids that authors chose, by line from 0

	lines    []int // starts of body's lines
	srcLines []int // starts of the source's lines: as many
}

// rewrite gives headings their ids, resolves references and gathers the page's outline.
func (b *build) rewrite(doc ast.Node) {
	if first, ok := doc.FirstChild().(*ast.Heading); ok && b.src.DropTitle && first.Level == 1 {
		doc.RemoveChild(doc, first)
	}
	var refused []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			b.heading(n)
		case *ast.Paragraph:
			if b.page.Lead == "" && n.Parent() == doc {
				b.page.Lead = shorten(b.text(n), leadMax)
			}
		case *ast.Link:
			if href, ok := b.resolve(n, n.Destination, false); ok {
				n.Destination = []byte(href)
			} else {
				refused = append(refused, n)
			}
		case *ast.Image:
			if href, ok := b.resolve(n, n.Destination, true); ok {
				n.Destination = []byte(href)
			} else {
				refused = append(refused, n)
			}
		case *ast.AutoLink:
			b.autoLink(n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range refused {
		unwrap(n)
	}
}

// unwrap puts a node's children in its place.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		parent.InsertBefore(parent, n, c)
	}
	parent.RemoveChild(parent, n)
}

func (b *build) resolve(n ast.Node, dest []byte, image bool) (string, bool) {
	// Entities and backslashes are part of Markdown's notation of an address, not of the address.
	d := html.UnescapeString(string(unescapePunctuation(dest)))
	return b.res.Resolve(Ref{Dest: d, Image: image, Pos: b.pos(n, dest)})
}

func (b *build) autoLink(n *ast.AutoLink) {
	url := string(n.URL(b.body))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(url), "mailto:") {
		url = "mailto:" + url
	}
	href, ok := b.res.Resolve(Ref{Dest: url, Pos: b.pos(n, n.Label(b.body))})
	if !ok {
		href = ""
	}
	n.SetAttributeString("href", []byte(href))
}

func (b *build) heading(n *ast.Heading) {
	n.Level = max(2, n.Level) // the page's title is the one h1
	text := b.text(n)
	var id string
	if own := b.custom[b.line(n)]; own != "" {
		id = b.ids.Claim(strings.Join(strings.Fields(own), "-"))
	} else {
		id = b.ids.Heading(text)
	}
	n.SetAttributeString("id", []byte(id))
	b.page.Headings = append(b.page.Headings, Heading{Level: n.Level, ID: id, Text: text})
}

// text is what a reader sees of an inline run.
func (b *build) text(n ast.Node) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			out.WriteString(html.UnescapeString(string(unescapePunctuation(n.Segment.Value(b.body)))))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.WriteString(html.UnescapeString(string(n.Value)))
		case *ast.AutoLink:
			out.Write(n.Label(b.body))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}

// unescapePunctuation removes the backslashes of Markdown escapes.
func unescapePunctuation(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		out = append(out, s[i])
	}
	return out
}

// shorten cuts text to at most n characters, at a word.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	cut := string([]rune(text)[:n-1])
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
