package ogimage

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"

	scale "golang.org/x/image/draw"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

// photo is a card with an author's background image.
type photo struct {
	img *image.RGBA
	ink [inks]csscolor.RGB
}

func rgba(b [3]byte) color.RGBA { return color.RGBA{b[0], b[1], b[2], 255} }

// newPhoto scales the image to fill the card, and crops the rest.
func newPhoto(o Options) *photo {
	c := colorsOf(o)
	p := &photo{img: image.NewRGBA(image.Rect(0, 0, Width, Height))}
	// visible where the image is transparent
	draw.Draw(p.img, p.img.Bounds(), image.NewUniform(rgba(c.ground.Bytes())), image.Point{}, draw.Src)
	from := o.Picture.Bounds()
	if from.Dx()*Height > from.Dy()*Width {
		cut := from.Dx() - max(from.Dy()*Width/Height, 1)
		from.Min.X, from.Max.X = from.Min.X+cut/2, from.Max.X-(cut-cut/2)
	} else {
		cut := from.Dy() - max(from.Dx()*Height/Width, 1)
		from.Min.Y, from.Max.Y = from.Min.Y+cut/2, from.Max.Y-(cut-cut/2)
	}
	scale.CatmullRom.Scale(p.img, p.img.Bounds(), o.Picture, from, draw.Over, nil)
	p.ink = c.ink
	// the image is dark where the card is light, or vice versa
	if ground := p.mean(); csscolor.Ratio(ground, c.ink[inkSoft]) < 4.5 {
		o.Dark = !o.Dark
		p.ink = colorsOf(o).ink
	}
	ground := p.mean()
	for i, c := range p.ink {
		p.ink[i] = csscolor.Apart(c, ground, 6)
	}
	return p
}

// mean returns the mean colour of the area behind the text.
func (p *photo) mean() csscolor.RGB {
	var sum [3]float64
	n := 0.0
	for y := roomTop; y < roomEnd; y += 6 {
		for x := margin; x < Width-margin; x += 6 {
			at := p.img.PixOffset(x, y)
			for i := range sum {
				sum[i] += float64(p.img.Pix[at+i])
			}
			n++
		}
	}
	return csscolor.RGB{sum[0] / n, sum[1] / n, sum[2] / n}
}

func (p *photo) logo(logo image.Image) {
	if logo != nil {
		scale.CatmullRom.Scale(p.img, logoBox(logo), logo, logo.Bounds(), draw.Over, nil)
	}
}

func (p *photo) fresh() *photo {
	img := *p.img
	img.Pix = bytes.Clone(p.img.Pix)
	return &photo{img: &img, ink: p.ink}
}

// put implements surface.
func (p *photo) put(at image.Point, g *glyph, c ink) {
	box := g.box.Add(at).Intersect(p.img.Bounds())
	b := p.ink[c].Bytes()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			cover := int(g.cover[(y-at.Y-g.box.Min.Y)*g.box.Dx()+x-at.X-g.box.Min.X])
			if cover == 0 {
				continue
			}
			pix := p.img.Pix[p.img.PixOffset(x, y):]
			for i, v := range b {
				pix[i] = uint8((int(pix[i])*(levels-cover) + int(v)*cover) / levels)
			}
		}
	}
}

// quality of the JPEG, high enough for sharp letters.
const quality = 86

func (p *photo) jpeg() []byte {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p.img, &jpeg.Options{Quality: quality}); err != nil {
		panic("card: " + err.Error()) // writing to a buffer never fails, and the size is constant
	}
	return out.Bytes()
}
