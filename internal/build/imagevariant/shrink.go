package imagevariant

import (
	"encoding/binary"
	"image"
	"image/draw"
)

// shrinkTo scales an image down. Each pixel is the mean of the area that it covers in the original; pixels at the edge
// of the area are weighted by the part that is inside. x/image/draw has no such kernel. With the most similar one, it
// takes three times as long, and it first needs the whole image in another memory layout.
//
// Areas are computed exactly, in whole units. A pixel of the original is size.X units wide, and a pixel of the copy is
// as many units wide as the original has columns. Heights are computed in the same way.
func shrinkTo(img image.Image, opaque bool, size image.Point) *image.RGBA {
	from := newRowReader(img, opaque)
	to := image.NewRGBA(image.Rectangle{Max: size})
	narrow := make([]uint64, 4*size.X) // a row of the original, at the width of the copy
	sums := make([]uint64, 4*size.X)   // sums of the rows in the current row of the copy, weighted by height
	y, missing := 0, from.height       // current row of the copy, and the part of its height that has not been read yet
	for range from.height {
		shrinkRow(narrow, from.next(), from.width, size.X)
		for left := size.Y; left > 0; {
			part := min(left, missing)
			for i, v := range narrow {
				sums[i] += v * uint64(part)
			}
			if left, missing = left-part, missing-part; missing > 0 {
				continue
			}
			writeRow(to.Pix[y*to.Stride:(y+1)*to.Stride], sums, uint64(from.width)*uint64(from.height))
			clear(sums)
			y, missing = y+1, from.height
		}
	}
	return to
}

// shrinkRow sums up the pixels of a row for each column of the copy, weighted by the width in that column.
func shrinkRow(sums []uint64, row []byte, width, columns int) {
	missing := uint64(width) // remaining width of the column
	all := uint64(columns)   // the width of a pixel
	var rb, ga uint64        // sums, two in each: 255 times the width of an image fits into 32 bits
	for len(row) >= 4 && len(sums) >= 4 {
		p := uint64(binary.LittleEndian.Uint32(row))
		prb, pga := p&0xff|p<<16&(0xff<<32), p>>8&0xff|p<<8&(0xff<<32)
		row = row[4:]
		if all < missing {
			rb, ga, missing = rb+prb*all, ga+pga*all, missing-all
			continue
		}
		rb, ga = rb+prb*missing, ga+pga*missing
		sums[0], sums[1], sums[2], sums[3] = rb&(1<<32-1), ga&(1<<32-1), rb>>32, ga>>32
		sums = sums[4:]
		// Copies are narrower than the original, so a pixel is in at most two columns.
		rest := all - missing
		rb, ga, missing = prb*rest, pga*rest, uint64(width)-rest
	}
}

// writeRow divides the sums by the area of a pixel. It multiplies by the reciprocal, which is faster than a division.
// The result is exact enough for 8 bits, because an area has at most 25 bits.
func writeRow(row []byte, sums []uint64, area uint64) {
	const bits = 44
	share := 1 << bits / area
	for i, v := range sums[:len(row)] {
		row[i] = byte((v*share + 1<<(bits-1)) >> bits)
	}
}

// rowReader reads an image row by row, with alpha-premultiplied colours.
type rowReader struct {
	img           image.Image
	pixels        *image.RGBA // the image itself if it has this format; nil = each row is converted
	width, height int
	y             int
	row           *image.RGBA // of one row
}

func newRowReader(img image.Image, opaque bool) *rowReader {
	size := img.Bounds().Size()
	r := &rowReader{
		img: img, width: size.X, height: size.Y, y: img.Bounds().Min.Y, row: image.NewRGBA(image.Rect(0, 0, size.X, 1)),
	}
	switch img := img.(type) {
	case *image.RGBA:
		r.pixels = img
	case *image.NRGBA:
		if opaque { // no alpha, so nothing to multiply
			r.pixels = &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
		}
	}
	return r
}

// next returns a row. It is valid until the next call.
func (r *rowReader) next() []byte {
	start := image.Pt(r.img.Bounds().Min.X, r.y)
	r.y++
	if r.pixels != nil {
		at := r.pixels.PixOffset(start.X, start.Y)
		return r.pixels.Pix[at : at+4*r.width]
	}
	draw.Draw(r.row, r.row.Rect, r.img, start, draw.Src)
	return r.row.Pix
}
