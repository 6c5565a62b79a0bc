package build

import (
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/render"
)

// mathRenderer returns what typesets formulas on this site.
func (b *builder) mathRenderer() render.Math {
	if b.src.site.Styling.NoMath {
		return literalMath{}
	}
	return b.tools.math
}

// literalMath writes formulas as plain text, for sites that turn formulas off: a dollar sign there is just a dollar
// sign.
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
