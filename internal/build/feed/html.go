package feed

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// maxText limits the Markdown of one entry, in bytes.
const maxText = 64 << 10

// contentHTML converts the Markdown form of an entry to HTML: plain elements that every feed reader shows, without the
// classes and scripts of the page. It removes all HTML tags from the Markdown except those that the Markdown form
// generates.
func contentHTML(markdown []byte) string {
	if len(markdown) > maxText {
		markdown = append(bytes.ToValidUTF8(markdown[:maxText], nil), "…"...)
	}
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(fewTags{}, 1))),
	)
	var out bytes.Buffer
	if err := md.Convert(markdown, &out); err != nil {
		return "<pre>" + html.EscapeString(string(markdown)) + "</pre>"
	}
	return strings.TrimSpace(out.String())
}

var (
	blockTag = lazyregexp.New(`</?(?:p|h[1-6]|li|[uo]l|blockquote|pre|table|thead|tbody|t[rhd]|br|hr)\b[^>]*>`)
	anyTag   = lazyregexp.New(`<[^>]*>`)
)

// plainText returns the text in the output of contentHTML. It separates words of different blocks.
func plainText(content string) string {
	return html.UnescapeString(anyTag.ReplaceAllString(blockTag.ReplaceAllString(content, " "), ""))
}

// fewTags renders HTML in Markdown: it keeps the tags that the Markdown form generates, and writes all others as
// text.
type fewTags struct{}

var harmlessTag = lazyregexp.New(`^<(/?su[bp]|br ?/?)>$`)

// RegisterFuncs implements goldmark's renderer.NodeRenderer.
func (fewTags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML,
		func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if raw, ok := n.(*ast.RawHTML); ok && entering {
				writeTag(w, string(raw.Segments.Value(source)))
			}
			return ast.WalkSkipChildren, nil
		})
	r.Register(ast.KindHTMLBlock,
		func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if block, ok := n.(*ast.HTMLBlock); ok && entering {
				text := string(block.Lines().Value(source))
				if block.HasClosure() {
					text += string(block.ClosureLine.Value(source))
				}
				_, _ = w.WriteString("<p>" + html.EscapeString(text) + "</p>\n") // writes to memory never fail
			}
			return ast.WalkContinue, nil
		})
}

func writeTag(w util.BufWriter, tag string) {
	if !harmlessTag.MatchString(tag) {
		tag = html.EscapeString(tag)
	}
	_, _ = w.WriteString(tag) // writes to memory never fail
}
