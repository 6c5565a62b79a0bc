package ogimage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // authors' images are PNG or JPEG
	_ "image/png"
	"slices"

	scale "golang.org/x/image/draw"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

// Limits of an author's image. Decoding takes at most 16 bytes of memory per pixel and, for a JPEG, one pass over all
// pixels for each scan.
const (
	PictureBytes = 8 << 20
	pixelMax     = 9 << 20 // more than 3840 by 2160
	sideMax      = 16_384
	scanMax      = 100 // a dozen is typical; previews within the file count too
)

// startOfScan is the marker of a scan. In the data between markers, the byte 0xff is never followed by 0xda.
var startOfScan = []byte{0xff, 0xda}

// Errors of Decode.
var (
	ErrFormat   = errors.New("the picture is neither PNG nor JPEG")
	ErrTooLarge = errors.New("the picture is too large")
)

// Decode decodes a PNG or JPEG. It reads and checks the size before it decodes anything.
func Decode(data []byte) (image.Image, error) {
	if len(data) > PictureBytes {
		return nil, ErrTooLarge
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || format != "png" && format != "jpeg" {
		return nil, ErrFormat
	}
	if head.Width < 1 || head.Height < 1 || head.Width > sideMax || head.Height > sideMax ||
		head.Width*head.Height > pixelMax {
		return nil, ErrTooLarge
	}
	if format == "jpeg" && bytes.Count(data, startOfScan) > scanMax {
		return nil, ErrTooLarge
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpack picture: %w", err)
	}
	return img, nil
}

// Bounding box of a logo, in pixels.
const (
	logoTop    = 68
	logoHeight = 60
	logoWidth  = 460
)

// logoBox returns the rectangle of a logo: as large as possible, but at most twice its original size.
func logoBox(logo image.Image) image.Rectangle {
	size := logo.Bounds().Size()
	factor := min(float64(logoHeight)/float64(size.Y), float64(logoWidth)/float64(size.X), 2)
	w, h := max(int(float64(size.X)*factor), 1), max(int(float64(size.Y)*factor), 1)
	top := logoTop + (logoHeight-h)/2
	return image.Rect(margin, top, margin+w, top+h)
}

// logoColors is the maximum number of a logo's own colours on a card.
const logoColors = 120

// logo draws a logo on the ground and adds its colours to the palette.
func (c canvas) logo(logo image.Image, ground csscolor.RGB) {
	if logo == nil {
		return
	}
	box, next := logoBox(logo), len(c.Palette)
	small := image.NewRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	b := ground.Bytes()
	draw.Draw(small, small.Bounds(), image.NewUniform(rgba(b)), image.Point{}, draw.Src)
	scale.CatmullRom.Scale(small, small.Bounds(), logo, logo.Bounds(), draw.Over, nil)
	chosen := popular(small, b)
	known := map[[3]byte]byte{b: 0}
	for i, rgb := range chosen {
		known[rgb] = byte(next + i)
	}
	for y := range box.Dy() {
		row := c.row(box.Min.X, box.Min.Y+y)
		for x := range box.Dx() {
			at := small.PixOffset(x, y)
			rgb := coarse(small.Pix[at:], b)
			place, ok := known[rgb]
			if !ok {
				place = nearest(chosen, b, rgb, next)
				known[rgb] = place
			}
			row[x] = place
		}
	}
	for _, rgb := range chosen {
		c.Palette = append(c.Palette, rgba(rgb))
	}
}

// coarse rounds a pixel's colour to steps of 8, except for the ground, which stays exact.
func coarse(pix []byte, ground [3]byte) [3]byte {
	rgb := [3]byte{pix[0], pix[1], pix[2]}
	if rgb == ground {
		return rgb
	}
	for i, v := range rgb {
		rgb[i] = v&0xf8 | v>>5
	}
	return rgb
}

// popular returns the most common colours, most frequent first.
func popular(img *image.RGBA, ground [3]byte) [][3]byte {
	count := map[[3]byte]int{}
	for at := 0; at < len(img.Pix); at += 4 {
		if rgb := coarse(img.Pix[at:], ground); rgb != ground {
			count[rgb]++
		}
	}
	list := make([][3]byte, 0, len(count))
	for rgb := range count {
		list = append(list, rgb)
	}
	slices.SortFunc(list, func(a, b [3]byte) int {
		return cmp.Or(count[b]-count[a], bytes.Compare(a[:], b[:]))
	})
	return list[:min(len(list), logoColors)]
}

func nearest(chosen [][3]byte, ground, rgb [3]byte, next int) byte {
	apart := func(c [3]byte) (sum int) {
		for i := range c {
			d := int(c[i]) - int(rgb[i])
			sum += d * d
		}
		return sum
	}
	best, place := apart(ground), byte(0)
	for i, c := range chosen {
		if d := apart(c); d < best {
			best, place = d, byte(next+i)
		}
	}
	return place
}
