package ogimage

import (
	"encoding/binary"
	"image"
	"image/color"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

// colors holds the colours of a flat card.
type colors struct {
	ground csscolor.RGB
	ink    [inks]csscolor.RGB // each is readable on ground
	bands  [3]csscolor.RGB    // at the bottom, the strongest last
}

// Heights of the accent-coloured bar at the top of a card and of each band at its bottom. Rows with a single colour
// compress well.
const (
	barRows  = 12
	bandRows = 10
)

// colorsOf returns the colours of cards. Grounds and inks are the same as in the theme.
func colorsOf(o Options) colors {
	c := colors{ground: csscolor.RGB{255, 255, 255}}
	strong, soft := csscolor.RGB{11, 12, 15}, csscolor.RGB{80, 86, 98}
	tint := 0.07
	if o.Dark {
		c.ground = csscolor.RGB{14, 16, 20}
		strong, soft = csscolor.RGB{244, 245, 247}, csscolor.RGB{168, 174, 186}
		tint = 0.10
	}
	accent := csscolor.Apart(o.Accent, c.ground, 4.5)
	c.ink = [inks]csscolor.RGB{inkTitle: strong, inkSoft: soft, inkAccent: accent}
	for i := range c.bands {
		c.bands[i] = accent.Mix(c.ground, tint*float64(i+1))
	}
	return c
}

// palette lists the ground, the shades of each ink on it, and the bands: 16 colours, so that a byte holds two
// pixels.
func (c colors) palette() (out color.Palette) {
	list := []csscolor.RGB{c.ground}
	for _, i := range c.ink {
		for step := 1; step <= levels; step++ {
			list = append(list, i.Mix(c.ground, float64(step)/levels))
		}
	}
	for _, rgb := range append(list, c.bands[:]...) {
		out = append(out, rgba(rgb.Bytes()))
	}
	return out
}

// full returns the palette index of an ink that covers a pixel completely.
func full(c ink) int { return (int(c) + 1) * levels }

// bar draws the top and the bottom of a flat card.
func (m *Maker) bar() {
	row := func(y, place int) {
		for i, pix := 0, m.base.row(0, y); i < len(pix); i++ {
			pix[i] = byte(place)
		}
	}
	for y := range barRows {
		row(y, full(inkAccent))
	}
	bands := full(inks-1) + 1
	for i := range 3 * bandRows {
		row(Height-3*bandRows+i, bands+i/bandRows)
	}
}

// put implements surface. Where letters overlap, the higher coverage is used.
func (c canvas) put(at image.Point, g *glyph, text ink) {
	box := g.box.Add(at).Intersect(image.Rect(0, 0, Width, Height))
	first := uint8(int(text) * levels)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from := g.cover[(y-at.Y-g.box.Min.Y)*g.box.Dx()+box.Min.X-at.X-g.box.Min.X:][:box.Dx()]
		to := c.row(box.Min.X, y)
		for ; len(from) >= 8; from, to = from[8:], to[8:] { // eight pixels at a time, where nothing has been drawn yet
			cover := binary.LittleEndian.Uint64(from)
			if cover == 0 {
				continue
			}
			if binary.LittleEndian.Uint64(to) != 0 {
				blend(to, from[:8], first)
				continue
			}
			const ones, low = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
			covered := (cover + low) >> 7 & ones // 1 in each byte that is not 0; coverages are small
			binary.LittleEndian.PutUint64(to, cover+covered*uint64(first))
		}
		blend(to, from, first)
	}
}

func blend(to, from []byte, first uint8) {
	for x, cover := range from {
		if cover > 0 {
			to[x] = max(to[x], first+cover)
		}
	}
}
