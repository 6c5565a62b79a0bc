package render

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// markdown is the library's converter; this room is the only one that knows it.
type markdown = goldmark.Markdown

// newMarkdown sets the dialect: GFM with footnotes and typographic quotes, without HTML and without code by indentation.
func newMarkdown() markdown {
	p := parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(indented{parser.NewParagraphParser()}, 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	r := renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(nodes{}, 100), // lower numbers win over the library's own
		util.Prioritized(html.NewRenderer(), 1000),
	))
	return goldmark.New(goldmark.WithParser(p), goldmark.WithRenderer(r), goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http", "https", "mailto"})),
		extension.Strikethrough, extension.TaskList, extension.Footnote, extension.Typographer,
	))
}

// indented lets a paragraph start at any indentation: here four spaces are no code.
type indented struct{ parser.BlockParser }

// CanAcceptIndentedLine overrides the paragraph parser's own answer.
func (indented) CanAcceptIndentedLine() bool { return true }
