package asset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// colors writes the site's style sheet: the accent for light and dark pages, and the text colour that reads best on a filled one.
// Authors' colours are hexadecimal by the time they come here; anything else is ignored.
func colors(c site.Colors) []byte {
	light := first(c.Primary, "#3b5bdb")
	dark := first(c.Light, c.Primary, "#91a7ff")
	button := first(c.Dark, c.Primary, "#3b5bdb")
	light, dark = contrast(light, 1, 4.5), contrast(dark, 0, 4.5)
	var b strings.Builder
	b.WriteString("@layer site {\n")
	fmt.Fprintf(&b, ":root { --accent: %s; --button: %s; --on-button: %s; }\n", light, button, on(button))
	dim := fmt.Sprintf("{ --accent: %s; --button: %s; --on-button: %s; }\n", dark, button, on(button))
	b.WriteString(":root[data-scheme=dark] " + dim)
	b.WriteString("@media (prefers-color-scheme: dark) { :root:not([data-scheme=light]) " + dim + "}\n}\n")
	return []byte(b.String())
}

func first(all ...string) string {
	for _, c := range all {
		if _, ok := parse(c); ok {
			return c
		}
	}
	return "#000000"
}

// on is black or white, whichever reads better on c.
func on(c string) string {
	rgb, _ := parse(c)
	l := luminance(rgb)
	if (l+0.05)/0.05 > 1.05/(l+0.05) {
		return "#000000"
	}
	return "#ffffff"
}

// contrast moves a colour towards the far end until it stands out from a background of luminance bg (1 white, 0 near black) by ratio.
func contrast(c string, bg, ratio float64) string {
	rgb, _ := parse(c)
	for range 40 {
		l := luminance(rgb)
		hi, lo := math.Max(l, bg), math.Min(l, bg)
		if bg == 0 {
			lo = 0.012 // the dark theme's background
		}
		if (hi+0.05)/(lo+0.05) >= ratio {
			break
		}
		for i := range rgb {
			rgb[i] += ((1-bg)*255 - rgb[i]) * 0.06
		}
	}
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(rgb[0])), int(math.Round(rgb[1])), int(math.Round(rgb[2])))
}

func luminance(rgb [3]float64) float64 {
	var out float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := rgb[i] / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		out += weight * v
	}
	return out
}

func parse(c string) (rgb [3]float64, ok bool) {
	h, ok := strings.CutPrefix(c, "#")
	if len(h) == 3 {
		h = string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
	}
	n, err := strconv.ParseUint(h, 16, 32)
	if !ok || err != nil || len(h) != 6 {
		return rgb, false
	}
	return [3]float64{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}, true
}
