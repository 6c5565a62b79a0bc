package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxLead limits the lead, in characters. Lists and search engines show no more than that.
const maxLead = 300

// Lead returns the first paragraph of the description text that the page shows, as plain text, or "" if there is none.
// Lists and search engines use it as a summary of the page.
func (p *Page) Lead() string {
	text := ""
	switch {
	case !p.ref.Describe:
	case p.op != nil:
		text = p.op.Description
	case p.schema != nil:
		text = p.schema.Description
	case p.channel != nil:
		text = p.channel.Description
	}
	for _, n := range markdown(text) {
		para, ok := n.(*ast.Paragraph)
		if !ok {
			continue
		}
		if words := strings.Join(strings.Fields(ast.PlainText(para.Children)), " "); words != "" {
			return clip.Words(words, maxLead)
		}
	}
	return ""
}
