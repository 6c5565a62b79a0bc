package imagevariant

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"github.com/lectern-docs/lectern/internal/render/imagesize"
)

const (
	// MaxPixels limits an image. Creating a copy takes up to eight bytes of memory per pixel, and twice as much if
	// the image is interlaced or progressive.
	MaxPixels = 24 << 20
	// MaxBytes limits the file size of an image.
	MaxBytes = 32 << 20
	// minBytes is the minimum file size. Copies of smaller files would save less than a request costs.
	minBytes = 16 << 10
	// maxWidth limits an image's width in pixels, so that the sum of a row fits into 32 bits.
	maxWidth = 1 << 24
	// maxPacked limits the pixels per byte, so that the time for an image is proportional to its file size.
	maxPacked = 256
	// maxScans limits the scans of a JPEG. Each scan may take only a few bytes in the file, but decoding it takes time
	// for all pixels.
	maxScans = 100
	quality  = 82 // of JPEG
)

// width is the width of a copy in pixels: the width of the text column on an ordinary screen, and twice the width of a
// phone.
const width = 768

// Variant is a narrower copy of an image.
type Variant struct {
	Width int
	Ext   string // ".jpg" or ".png"
	Data  []byte
}

// Pixels returns the number of pixels that must be decoded to create copies of a file, or 0 if Make would create none.
// If decoding a file takes twice the memory, its pixels count twice.
func Pixels(data []byte) int {
	if len(data) < minBytes || len(data) > MaxBytes {
		return 0
	}
	cfg, ok := config(data)
	if !ok || cfg.Width*4 < width*5 || cfg.Width > maxWidth || cfg.Height <= 0 ||
		cfg.Width > MaxPixels/cfg.Height || cfg.Width*cfg.Height/maxPacked > len(data) {
		return 0
	}
	pixels := cfg.Width * cfg.Height
	if inPasses(data) {
		pixels *= 2
	}
	if pixels > MaxPixels || isJPEG(data) && bytes.Count(data, []byte{0xff, imagesize.MarkerScan}) > maxScans {
		return 0
	}
	return pixels
}

// inPasses reports whether a file stores a coarse version of its pixels first, so that the decoder keeps them
// twice.
func inPasses(data []byte) bool {
	const interlaced, progressive = 28, 0xc2 // a byte of the header of a PNG, a marker of a JPEG
	if isPNG(data) {
		return len(data) > interlaced && data[interlaced] != 0
	}
	for marker := range imagesize.Segments(data) {
		if imagesize.IsFrame(marker) {
			return marker == progressive
		}
	}
	return false
}

func config(data []byte) (cfg image.Config, ok bool) {
	var err error
	switch {
	case isPNG(data):
		cfg, err = png.DecodeConfig(bytes.NewReader(data))
	case isJPEG(data):
		cfg, err = jpeg.DecodeConfig(bytes.NewReader(data))
	default:
		return cfg, false
	}
	return cfg, err == nil && cfg.ColorModel != color.CMYKModel
}

// Make returns the copies of an image, narrowest first. It returns none if they would not save bytes or would look
// different.
func Make(data []byte) []Variant {
	if Pixels(data) == 0 {
		return nil
	}
	profile, ok := readProfile(data)
	if !ok {
		return nil
	}
	var img image.Image
	var err error
	if isPNG(data) {
		img, err = png.Decode(bytes.NewReader(data))
	} else {
		img, err = jpeg.Decode(bytes.NewReader(data))
	}
	if err != nil {
		return nil
	}
	return shrink(img, profile, len(data))
}

// shrink creates the copy of an image. limit is the size of the image's file in bytes.
func shrink(img image.Image, profile []byte, limit int) []Variant {
	from := img.Bounds().Size()
	height := max(1, (from.Y*width+from.X/2)/from.X)
	opaque := isOpaque(img)
	v, ok := encode(shrinkTo(img, opaque, image.Pt(width, height)), profile, opaque)
	if !ok || len(v.Data)*10 > limit*9 { // not worth it: the copy saves less than a tenth
		return nil
	}
	return []Variant{v}
}

func isOpaque(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

func encode(img *image.RGBA, profile []byte, opaque bool) (v Variant, ok bool) {
	v.Width = img.Bounds().Dx()
	var b bytes.Buffer
	if opaque {
		v.Ext = ".jpg"
		if jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}) != nil {
			return v, false
		}
		v.Data = withJPEGProfile(b.Bytes(), profile)
		return v, true
	}
	v.Ext = ".png"
	if png.Encode(&b, img) != nil {
		return v, false
	}
	v.Data = withPNGProfile(b.Bytes(), profile)
	return v, true
}
