package csscolor

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RGB is a colour; each component is from 0 to 255.
type RGB [3]float64

// Parse parses #rgb and #rrggbb.
func Parse(c string) (rgb RGB, ok bool) {
	h, ok := strings.CutPrefix(c, "#")
	if len(h) == 3 {
		h = string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
	}
	if !ok || len(h) != 6 {
		return rgb, false
	}
	n, err := strconv.ParseUint(h, 16, 32)
	if err != nil {
		return rgb, false
	}
	return RGB{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}, true
}

// First returns the first argument that is a valid colour, or black.
func First(all ...string) RGB {
	for _, c := range all {
		if rgb, ok := Parse(c); ok {
			return rgb
		}
	}
	return RGB{}
}

// String formats the colour as #rrggbb.
func (c RGB) String() string {
	b := c.Bytes()
	return fmt.Sprintf("#%02x%02x%02x", b[0], b[1], b[2])
}

// Bytes returns the components rounded to integers.
func (c RGB) Bytes() [3]byte {
	var out [3]byte
	for i, v := range c {
		out[i] = byte(math.Round(min(max(v, 0), 255)))
	}
	return out
}

// Mix mixes c with other. share is the share of c in the result: 1 gives c, 0 gives other.
func (c RGB) Mix(other RGB, share float64) RGB {
	for i := range c {
		c[i] = c[i]*share + other[i]*(1-share)
	}
	return c
}

// luminance returns the relative luminance, from 0 (black) to 1 (white).
func (c RGB) luminance() float64 {
	var out float64
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		v := c[i] / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		out += weight * v
	}
	return out
}

// Ratio returns the contrast ratio of two colours, from 1 to 21. Text needs 4.5.
func Ratio(a, b RGB) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// On returns black or white, whichever is more readable on c.
func On(c RGB) RGB {
	if Ratio(c, RGB{}) > Ratio(c, RGB{255, 255, 255}) {
		return RGB{}
	}
	return RGB{255, 255, 255}
}

// Apart moves c towards black or white until its contrast with ground is at least ratio after rounding, or as high
// as possible.
func Apart(c, ground RGB, ratio float64) RGB {
	far := On(ground)
	for range 80 {
		if r := rounded(c); Ratio(r, rounded(ground)) >= ratio {
			return r
		}
		c = far.Mix(c, 0.06)
	}
	return far
}

func rounded(c RGB) RGB {
	b := c.Bytes()
	return RGB{float64(b[0]), float64(b[1]), float64(b[2])}
}
