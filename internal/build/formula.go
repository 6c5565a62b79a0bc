package build

import (
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/site"
)

// mathRenderer returns the renderer of formulas for this site.
func mathRenderer(s *site.Site, tools *Tools) render.Math {
	if s.Styling.NoMath {
		return literalMath{}
	}
	return tools.math
}

// literalMath writes formulas as plain text, for sites that disable formulas: dollar signs have no meaning there.
type literalMath struct{}

// Render writes the source with its dollar signs.
func (literalMath) Render(tex string, block bool) ([]byte, error) {
	var out htmlbuf.Buffer
	sign := "$"
	if block {
		sign = "$$"
		out.Raw("<p>")
	}
	out.Text(sign + tex + sign)
	if block {
		out.Raw("</p>")
	}
	return out.Bytes(), nil
}
