package scaffold

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxLogo is the maximum length of the text in a logo, in characters. If the name is longer, the logo has no text.
const maxLogo = 32

// wordmark returns the site's name as an SVG text element, filled with ink, and the width of the logo in SVG units. The
// typeface depends on the reader's machine, so the element sets the width of the text. The name is therefore never cut
// off.
func wordmark(name, ink string) (text, width string) {
	const mark, gap = 22.0, 8.0
	if len([]rune(name)) > maxLogo {
		return "", "22"
	}
	wide := mark + gap
	for _, r := range name {
		switch {
		case r >= 0x1100: // full-width scripts
			wide += 17
		case strings.ContainsRune("iljtfrI.,:;'!| ", r):
			wide += 5.5
		case strings.ContainsRune("mwMWOQG@%", r):
			wide += 14
		case unicode.IsUpper(r):
			wide += 11.5
		default:
			wide += 10
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<text x="30" y="20" textLength="%d" lengthAdjust="spacingAndGlyphs" `, int(wide-mark-gap))
	fmt.Fprintf(&b, `font-family="Inter, system-ui, sans-serif" font-size="17" font-weight="600" fill="%s">`, ink)
	if err := xml.EscapeText(&b, []byte(name)); err != nil { // writing to a builder never fails
		return "", "22"
	}
	b.WriteString("</text>")
	return b.String(), strconv.Itoa(int(wide) + 1)
}

// channels returns the red, green and blue components of a valid colour, from 0 to 1.
func channels(color string) (rgb [3]float64) {
	for i := range rgb {
		v, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err == nil {
			rgb[i] = float64(v) / 255
		}
	}
	return rgb
}

// darker returns a colour with 25% less light.
func darker(color string) string {
	rgb := channels(color)
	return hex(rgb[0]*0.75, rgb[1]*0.75, rgb[2]*0.75)
}

// lighter returns a colour of the same hue that is light enough to be readable on dark pages. It keeps the saturation;
// mixing the colour with white would reduce it.
func lighter(color string) string {
	const low, strong = 0.68, 0.72 // minimum lightness, maximum saturation
	rgb := channels(color)
	high, deep := max(rgb[0], rgb[1], rgb[2]), min(rgb[0], rgb[1], rgb[2])
	light := (high + deep) / 2
	if high == deep {
		light = max(light, low)
		return hex(light, light, light)
	}
	saturation := min((high-deep)/(1-abs(2*light-1)), strong)
	light = max(light, low)
	spread := saturation * (1 - abs(2*light-1))
	for i, v := range rgb { // each channel keeps its relative position between the minimum and the maximum
		rgb[i] = light - spread/2 + spread*(v-deep)/(high-deep)
	}
	return hex(rgb[0], rgb[1], rgb[2])
}

func abs(x float64) float64 { return max(x, -x) }

func hex(r, g, b float64) string {
	return fmt.Sprintf("#%02X%02X%02X", int(r*255+0.5), int(g*255+0.5), int(b*255+0.5))
}
