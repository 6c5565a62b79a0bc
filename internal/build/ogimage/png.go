package ogimage

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"

	"github.com/klauspost/compress/zlib"
)

// canvas holds the pixels of a flat card as palette indexes. Colour 0 is the ground.
type canvas struct{ *image.Paletted }

func newCanvas(p color.Palette) canvas {
	return canvas{image.NewPaletted(image.Rect(0, 0, Width, Height), p)}
}

// row returns the pixels of row y from x on.
func (c canvas) row(x, y int) []byte { return c.Pix[y*c.Stride+x : (y+1)*c.Stride] }

// compression was chosen by measurement, as was the decision not to use image/png; see decision 54.
const compression = 1

// encoder writes cards as PNG, one after another.
type encoder struct {
	rows   []byte // in PNG format: a filter byte before each row
	packed bytes.Buffer
	zlib   *zlib.Writer
}

func newEncoder() any {
	e := &encoder{rows: make([]byte, Height*(1+Width))}
	var err error
	if e.zlib, err = zlib.NewWriterLevel(&e.packed, compression); err != nil {
		panic("card: " + err.Error()) // the level is invalid
	}
	return e
}

// encode encodes an image. With up to 16 colours, one byte holds two pixels.
func (e *encoder) encode(c canvas) []byte {
	depth, stride, put := byte(8), 1+Width, func(to, from []byte) { copy(to, from) }
	if len(c.Palette) <= 16 {
		depth, stride, put = 4, 1+Width/2, halve
	}
	rows := e.rows[:Height*stride]
	for y := range Height {
		row := rows[y*stride : (y+1)*stride]
		row[0] = 0 // no filter, because palette indexes are not quantities
		put(row[1:], c.row(0, y))
	}
	e.packed.Reset()
	e.zlib.Reset(&e.packed)
	_, _ = e.zlib.Write(rows) // writing to a buffer never fails
	_ = e.zlib.Close()
	return e.file(c.Palette, depth)
}

// file assembles the chunks (PNG specification, sections 5 and 11).
func (e *encoder) file(colors color.Palette, depth byte) []byte {
	const indexed = 3
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], Width)
	binary.BigEndian.PutUint32(head[4:], Height)
	head[8], head[9] = depth, indexed
	palette := make([]byte, 0, 3*len(colors))
	for _, c := range colors {
		c := c.(color.RGBA)
		palette = append(palette, c.R, c.G, c.B)
	}
	out := make([]byte, 0, e.packed.Len()+len(palette)+70)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	out = chunk(out, "IHDR", head[:])
	out = chunk(out, "PLTE", palette)
	out = chunk(out, "IDAT", e.packed.Bytes())
	return chunk(out, "IEND", nil)
}

// chunk appends a chunk: length, name, data and the checksum of both.
func chunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}

// halve packs two pixels into each byte, eight at a time. Most of a card is ground.
func halve(to, from []byte) {
	for ; len(from) >= 8; to, from = to[4:], from[8:] {
		p := binary.BigEndian.Uint64(from)
		if p != 0 {
			p = (p | p>>4) & 0x00ff00ff00ff00ff
			p = (p | p>>8) & 0x0000ffff0000ffff
			p |= p >> 16
		}
		binary.BigEndian.PutUint32(to, uint32(p))
	}
}
