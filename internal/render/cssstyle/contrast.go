package cssstyle

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

// The minimum contrast of normal text and of large text in WCAG 2.2, level AA.
const (
	textContrast  = 4.5
	largeContrast = 3.0
	largeText     = 24.0 // pixels; the size from which text is large
)

// LowContrast reports whether a style from Text sets a text and a background colour whose contrast is too low, and
// returns that contrast. It ignores styles that set only one of them, or whose values are not plain colours.
func LowContrast(css string) (ratio float64, low bool) {
	var text, ground string
	needed := textContrast
	for _, d := range split(css, ';') {
		name, value, _ := strings.Cut(d, ":")
		value = strings.ToLower(strings.TrimSpace(value))
		switch strings.TrimSpace(name) {
		case "color":
			text = value
		case "background", "background-color":
			ground = value
		case "font-size":
			size, err := strconv.ParseFloat(strings.TrimSuffix(value, "px"), 64)
			if err == nil && size >= largeText {
				needed = largeContrast
			}
		}
	}
	a, okText := parseColor(text)
	b, okGround := parseColor(ground)
	if !okText || !okGround {
		return 0, false
	}
	ratio = csscolor.Ratio(a, b)
	return ratio, ratio < needed
}

func parseColor(value string) (csscolor.RGB, bool) {
	switch value {
	case "white":
		value = "#fff"
	case "black":
		value = "#000"
	}
	return csscolor.Parse(value)
}
