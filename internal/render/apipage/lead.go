package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxLead bounds the lead, in characters: more is not shown by those who read it.
const maxLead = 300

// Lead returns the first paragraph of the text that the page shows from its description, as plain text; "" when it
// shows none. Lists and search engines take it for what the page is about.
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
