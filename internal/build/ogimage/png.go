package ogimage

import (
	"encoding/binary"
	"hash/crc32"
)

// canvas holds the pixels of a card, as places in a palette. Colour 0 is the ground.
type canvas struct {
	pix    []byte       // Height rows of Width
	ends   [Height]int  // where each row's last pixel that is not ground ends, at the latest; 0 = it has none
	fresh  [Height]bool // rows that rows does not hold yet
	packer packer
	rows   []byte // as PNG wants them: each has one byte 0 (no filter) before its pixels
	packed []byte // output buffer of the packer
}

func newCanvas() *canvas { return &canvas{pix: make([]byte, Height*Width)} }

// at is the place of a pixel in pix, in a row that will be drawn on up to end.
func (c *canvas) at(x, y, end int) int {
	c.ends[y], c.fresh[y] = max(c.ends[y], end), true
	return y*Width + x
}

// used is how many bytes of a row of stride bytes are not all zero.
func (c *canvas) used(y, stride int) int {
	if c.ends[y] == 0 {
		return 0
	}
	return 1 + (c.ends[y]*(stride-1)+Width-1)/Width
}

// png writes the picture. palette has three bytes for each colour. With up to 16 of them, one byte holds two pixels.
func (c *canvas) png(palette []byte) []byte {
	bits, stride := 8, 1+Width
	if len(palette) <= 3*16 {
		bits, stride = 4, 1+Width/2
	}
	c.line(bits, stride)
	c.packer.pack(c.rows, stride, c.used)
	w := bitWriter{out: append(c.packed[:0], 0x78, 0x01)}
	deflate(&w, c.packer.tokens)
	c.packed = binary.BigEndian.AppendUint32(w.out, c.adler(stride))
	out := make([]byte, 0, len(c.packed)+len(palette)+70)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], Width)
	binary.BigEndian.PutUint32(head[4:], Height)
	head[8], head[9] = byte(bits), 3 // colours come from a palette
	out = chunk(out, "IHDR", head[:])
	out = chunk(out, "PLTE", palette)
	out = chunk(out, "IDAT", c.packed)
	return chunk(out, "IEND", nil)
}

// line fills the rows that were drawn on since the last time.
func (c *canvas) line(bits, stride int) {
	if len(c.rows) != Height*stride {
		c.rows = make([]byte, Height*stride)
		for y, end := range c.ends {
			c.fresh[y] = end > 0
		}
	}
	for y, fresh := range c.fresh {
		if !fresh {
			continue
		}
		from, to := c.pix[y*Width:(y+1)*Width], c.rows[y*stride+1:y*stride+c.used(y, stride)]
		if bits == 8 {
			copy(to, from)
		} else {
			halve(to, from)
		}
	}
}

// halve puts two pixels into each byte.
func halve(to, from []byte) {
	for len(to) >= 4 && len(from) >= 8 {
		p := binary.BigEndian.Uint64(from)
		if p != 0 { // mostly it is
			p = (p | p>>4) & 0x00ff00ff00ff00ff
			p = (p | p>>8) & 0x0000ffff0000ffff
			p |= p >> 16
		}
		binary.BigEndian.PutUint32(to, uint32(p))
		to, from = to[4:], from[8:]
	}
	for i := range to {
		to[i] = from[2*i]<<4 | from[2*i+1]
	}
}

// restore takes back what was drawn since base was copied. Rows are made empty at once: the packer compares others with them.
func (c *canvas) restore(base *canvas) {
	stride := len(c.rows) / Height
	for y, fresh := range c.fresh {
		if fresh {
			copy(c.pix[y*Width:y*Width+c.ends[y]], base.pix[y*Width:])
			clear(c.rows[y*stride : y*stride+c.used(y, stride)])
		}
		c.fresh[y] = fresh && base.ends[y] > 0
	}
	c.ends = base.ends
}

func chunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}

// adler is the checksum of the rows. Zeros need no look: they add nothing to the first sum.
func (c *canvas) adler(stride int) uint32 {
	const mod = 65521
	a, b := uint64(1), uint64(0)
	for y := range Height {
		used := c.used(y, stride)
		row := c.rows[y*stride : y*stride+used]
		for ; len(row) >= 8; row = row[8:] { // sums of one row stay far below 64 bits
			if binary.LittleEndian.Uint64(row) == 0 {
				b += 8 * a
				continue
			}
			for _, v := range row[:8] {
				a += uint64(v)
				b += a
			}
		}
		for _, v := range row {
			a += uint64(v)
			b += a
		}
		b += a * uint64(stride-used)
		a, b = a%mod, b%mod
	}
	return uint32(b<<16 | a)
}
