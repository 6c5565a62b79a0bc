package build

import (
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/render"
)

// formulas is what typesets formulas on this site.
func (b *builder) formulas() render.Math {
	if b.site.Styling.NoMath {
		return literally{}
	}
	return b.tools.math
}

// literally shows formulas as they were written, for sites that have none: there a dollar sign is one.
type literally struct{}

// Render writes the source with its dollar signs.
func (literally) Render(tex string, block bool) ([]byte, error) {
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
