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
	// MaxPixels bounds a picture: it takes up to eight bytes of memory a pixel while a copy is made, and twice as much
	// if it is interlaced or progressive.
	MaxPixels = 24 << 20
	// MaxBytes bounds the file of a picture.
	MaxBytes = 32 << 20
	// minBytes is the size below which a file is left alone: copies would save less than a request costs.
	minBytes = 16 << 10
	// maxWidth bounds a picture's width in pixels, so that 32 bits are enough for the sum of a row.
	maxWidth = 1 << 24
	// maxPacked bounds how many pixels one byte stands for, so that the time for a picture is in proportion to its file.
	maxPacked = 256
	// maxScans bounds the passes over a JPEG: each takes a few bytes in the file, and the time of all pixels.
	maxScans = 100
	quality  = 82 // of JPEG
)

// width of a copy in pixels: the column of a page on an ordinary screen, and twice that of a phone.
const width = 768

// Variant is a narrower copy of a picture.
type Variant struct {
	Width int
	Ext   string // ".jpg" or ".png"
	Data  []byte
}

// Pixels returns how many pixels must be decoded to make copies of a file; 0 when Make would make none. Those of a file
// that takes twice the memory count twice.
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

// inPasses reports whether a file holds its pixels coarse ones first: the decoder then keeps them a second time.
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

// Make returns the copies of a picture, narrowest first; none when they would not save bytes or not look the same.
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

// shrink makes the copy of a picture whose file has limit bytes.
func shrink(img image.Image, profile []byte, limit int) []Variant {
	from := img.Bounds().Size()
	height := max(1, (from.Y*width+from.X/2)/from.X)
	opaque := isOpaque(img)
	v, ok := encode(shrinkTo(img, opaque, image.Pt(width, height)), profile, opaque)
	if !ok || len(v.Data)*10 > limit*9 { // a copy that saves less than a tenth is not worth its place
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
