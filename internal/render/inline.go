package render

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// inline writes inline content.
func (p *page) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Emphasis:
		p.w.Raw("<em>")
		p.Render(n.Children)
		p.w.Raw("</em>")
	case *ast.Strong:
		p.w.Raw("<strong>")
		p.Render(n.Children)
		p.w.Raw("</strong>")
	case *ast.Strike:
		p.w.Raw("<del>")
		p.Render(n.Children)
		p.w.Raw("</del>")
	case *ast.CodeSpan:
		p.w.Raw("<code>")
		p.w.Text(n.Value)
		p.w.Raw("</code>")
	case *ast.Break:
		p.w.Raw("<br>\n")
	case *ast.Link:
		p.link(n)
	case *ast.Image:
		p.image(n)
	case *ast.FootnoteRef:
		p.footnoteRef(n)
	case ast.Parent: // rows and cells outside a table
		p.Render(*n.List())
	}
}

// link writes a link, or only its text if the Resolver refuses the URL.
func (p *page) link(n *ast.Link) {
	to, ok := p.Resolve(n.URL, false, n.Span)
	if !ok {
		p.Render(n.Children)
		return
	}
	p.w.Raw("<a")
	p.w.Attr("href", to.Href)
	p.w.AttrIf("title", n.Title)
	p.w.Raw(">")
	p.Render(n.Children)
	p.w.Raw("</a>")
}

func (p *page) image(n *ast.Image) {
	to, ok := p.Resolve(n.URL, true, n.Span)
	if !ok {
		p.w.Text(n.Alt)
		return
	}
	if n.Alt == "" {
		p.missingAlt(n.Span)
	}
	p.w.Raw("<img")
	p.w.Attr("src", to.Href)
	p.w.Attr("alt", n.Alt)
	p.w.AttrIf("title", n.Title)
	p.writeSources(to, 0)
	to.Size(p.w.Buffer)
	p.writeLoading("", false)
	p.w.Raw(">")
}

func (p *page) missingAlt(at ast.Span) {
	p.Warn(at, "missing-alt", "The image has no alt text.",
		`Write ![what it shows](…), or alt="" on a decorative <img>.`)
}

// math writes a formula. A formula that cannot be typeset is shown as source.
func (p *page) math(n *ast.Math) {
	if err := p.typeset(p.w.Buffer, n.Text, n.Block); err != nil {
		p.Warn(n.Span, "math", "The formula cannot be typeset: "+err.Error()+".", `To show a dollar sign, write \$.`)
	}
	if n.Block {
		p.w.Raw("\n")
	}
}

// formula writes a formula for components. They have no source position for an error.
func (p *page) formula(b *htmlbuf.Buffer, tex string, block bool) { _ = p.typeset(b, tex, block) }

func (p *page) typeset(b *htmlbuf.Buffer, tex string, block bool) error {
	html, err := p.opt.Math.Render(tex, block)
	if err != nil {
		b.Raw(`<code class="math-error" data-math>`)
		b.Text(tex)
		b.Raw("</code>")
		return err
	}
	p.out.Math = true
	b.Trusted(html)
	return nil
}

func (p *page) footnoteRef(n *ast.FootnoteRef) {
	number := strconv.Itoa(n.Number)
	id := "fnref--" + number // ids of headings never contain two hyphens
	if n.Nth > 1 {
		id += "-" + strconv.Itoa(n.Nth)
	}
	p.w.Raw(`<sup class="footnote-ref"><a`)
	p.w.Attr("href", "#fn--"+number)
	p.w.Attr("id", p.w.IDs.Claim(id))
	p.w.Raw(` aria-describedby="footnotes--label">`)
	p.w.Text(number)
	p.w.Raw("</a></sup>")
}

// footnotes writes the footnotes at the end of the page.
func (p *page) footnotes() {
	if len(p.notes) == 0 {
		return
	}
	p.w.Raw(`<section class="footnotes"><h2 id="footnotes--label" class="visually-hidden" data-platform>Footnotes</h2>`,
		"\n<ol>\n")
	for _, n := range p.notes {
		number := strconv.Itoa(n.Number)
		p.w.Raw("<li")
		p.w.Attr("id", p.w.IDs.Claim("fn--"+number))
		p.w.Raw(">")
		p.Render(n.Children)
		for i := 1; i <= min(n.Refs, 20); i++ {
			back := "#fnref--" + number
			if i > 1 {
				back += "-" + strconv.Itoa(i)
			}
			p.w.Raw(`<a class="footnote-back"`)
			p.w.Attr("href", back)
			p.w.Raw(` aria-label="Back to the text" data-platform>↩</a>`)
		}
		p.w.Raw("</li>\n")
	}
	p.w.Raw("</ol></section>\n")
}
