package imagevariant

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand"
	"testing"
)

// wholeMean returns the mean of each channel over the area of the original that one pixel of the copy covers.
func wholeMean(img image.Image, size, at image.Point) (mean [4]float64) {
	from := img.Bounds()
	left, right := span(from.Dx(), size.X, at.X)
	top, bottom := span(from.Dy(), size.Y, at.Y)
	for y := int(top); float64(y) < bottom; y++ {
		for x := int(left); float64(x) < right; x++ {
			part := (math.Min(right, float64(x+1)) - math.Max(left, float64(x))) *
				(math.Min(bottom, float64(y+1)) - math.Max(top, float64(y)))
			r, g, b, a := img.At(from.Min.X+x, from.Min.Y+y).RGBA()
			for i, v := range []uint32{r, g, b, a} {
				mean[i] += float64(v>>8) * part / ((right - left) * (bottom - top))
			}
		}
	}
	return mean
}

func span(from, to, at int) (start, end float64) {
	share := float64(from) / float64(to)
	return float64(at) * share, float64(at+1) * share
}

func TestCopyPixelsAreMeansOfTheirAreas(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	clear := func(w, h int) image.Image {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		r.Read(img.Pix)
		return img
	}
	full := func(w, h int) image.Image {
		img := clear(w, h).(*image.NRGBA)
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 255
		}
		return img
	}
	forms := map[string]func(w, h int) image.Image{
		"transparent": clear,
		"opaque":      full,
		"true colour": func(w, h int) image.Image {
			return &image.RGBA{Pix: full(w, h).(*image.NRGBA).Pix, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
		},
		"grey": func(w, h int) image.Image {
			img := image.NewGray(image.Rect(0, 0, w, h))
			r.Read(img.Pix)
			return img
		},
		"16 bits": func(w, h int) image.Image {
			img := image.NewNRGBA64(image.Rect(0, 0, w, h))
			r.Read(img.Pix)
			return img
		},
		"palette": dots,
		"photograph": func(w, h int) image.Image {
			img := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
			r.Read(img.Y)
			r.Read(img.Cb)
			r.Read(img.Cr)
			return img
		},
		"white": func(w, h int) image.Image {
			img := image.NewGray(image.Rect(0, 0, w, h))
			for i := range img.Pix {
				img.Pix[i] = 255
			}
			return img
		},
	}
	for name, form := range forms {
		for _, size := range [][2]image.Point{
			{{10, 10}, {10, 10}}, {{20, 20}, {10, 10}}, {{37, 23}, {11, 7}}, {{64, 3}, {51, 1}}, {{9, 200}, {7, 155}},
		} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				img := form(size[0].X, size[0].Y)
				got := shrinkTo(img, isOpaque(img), size[1])
				for y := range size[1].Y {
					for x := range size[1].X {
						want := wholeMean(img, size[1], image.Pt(x, y))
						c := got.RGBAAt(x, y)
						for i, v := range []uint8{c.R, c.G, c.B, c.A} {
							if math.Abs(float64(v)-want[i]) > 1.01 { // colours are rounded twice
								t.Fatalf("channel %d at %d,%d is %d, want %.2f", i, x, y, v, want[i])
							}
						}
					}
				}
				if at := got.RGBAAt(0, 0); name == "white" && at != (color.RGBA{255, 255, 255, 255}) {
					t.Errorf("white became %v", at)
				}
			})
		}
	}
}
