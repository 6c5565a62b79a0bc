package ogimage

import (
	"encoding/binary"
	"math/bits"
)

// A card is mostly runs of one colour; where it is not, a row is mostly like the row above, or holds letters that stood on the line
// before. So three distances are looked at for a match: 1, the length of a row, and the place where the next four bytes were seen last.
// That is several times as fast as a general packer, since rows without text are not even read.
//
// The stream is one block of RFC 1951 with Huffman codes of its own.

// token is a literal (0–255), or a match: its length above lengthShift, its distance below.
type token uint32

const (
	lengthShift = 16
	maxMatch    = 258
	minMatch    = 4
	window      = 32 << 10
	lazyBelow   = 12 // matches that are shorter are weighed against the next byte's
)

func match(length, distance int) token { return token(length<<lengthShift | distance) }

// packer holds what packing needs, to be used again for the next card.
type packer struct {
	tokens []token
	seen   [1 << hashBits]int32 // hash of four bytes → where they stand, plus 1
}

const hashBits = 12

func hash4(b []byte) uint32 { return binary.LittleEndian.Uint32(b) * 2654435761 >> (32 - hashBits) }

// pack finds the tokens for data, the rows of a picture. used tells how many bytes of a row are not all zero; the others are not read.
func (p *packer) pack(data []byte, stride int, used func(row, stride int) int) {
	p.tokens = p.tokens[:0]
	p.seen = [1 << hashBits]int32{}
	blank, after := 0, false // zeros that are still to be written; whether one stands before them
	for row := range len(data) / stride {
		n := used(row, stride)
		pos, end := row*stride, row*stride+n
		for pos+8 <= end && binary.LittleEndian.Uint64(data[pos:]) == 0 {
			pos += 8
		}
		blank += pos - row*stride
		if pos < end {
			p.zeros(blank, after)
			p.search(data[:end], pos, stride)
			blank, after = 0, data[end-1] == 0
		}
		blank += stride - n
	}
	p.zeros(blank, after)
}

// zeros writes n of them; after reports whether the byte before is one.
func (p *packer) zeros(n int, after bool) {
	if !after && n > 0 {
		p.tokens = append(p.tokens, 0)
		n--
	}
	for ; n >= 3; n -= min(n, maxMatch) {
		p.tokens = append(p.tokens, match(min(n, maxMatch), 1))
	}
	for ; n > 0; n-- {
		p.tokens = append(p.tokens, 0)
	}
}

// search packs data from pos on.
func (p *packer) search(data []byte, pos, stride int) {
	for pos < len(data) {
		length, distance := p.best(data, pos, stride)
		for length >= minMatch && length < lazyBelow { // a longer match one byte on is worth a literal
			next, far := p.best(data, pos+1, stride)
			if next <= length+1 {
				break
			}
			p.tokens = append(p.tokens, token(data[pos]))
			pos++
			length, distance = next, far
		}
		if length < minMatch {
			p.tokens = append(p.tokens, token(data[pos]))
			pos++
			continue
		}
		p.tokens = append(p.tokens, match(length, distance))
		pos += length
	}
}

// best is the longest of the matches at pos; 0 when there is none.
func (p *packer) best(data []byte, pos, stride int) (length, distance int) {
	limit := min(maxMatch, len(data)-pos)
	if limit < minMatch {
		return 0, 0
	}
	h := hash4(data[pos:])
	last := int(p.seen[h]) - 1
	p.seen[h] = int32(pos + 1)
	if pos > 0 {
		length, distance = same(data, pos-1, pos, limit), 1
	}
	if length < limit && pos >= stride {
		if n := same(data, pos-stride, pos, limit); n > length+1 {
			length, distance = n, stride
		}
	}
	if length < limit && last >= 0 && last < pos && pos-last <= window {
		if n := same(data, last, pos, limit); n > length+1 {
			length, distance = n, pos-last
		}
	}
	return length, distance
}

// same is how many bytes from a on are those from b on, at most limit. Bytes that b passes may be those that a comes to.
func same(data []byte, a, b, limit int) int {
	n := 0
	for ; n+8 <= limit; n += 8 {
		x := binary.LittleEndian.Uint64(data[a+n:]) ^ binary.LittleEndian.Uint64(data[b+n:])
		if x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < limit && data[a+n] == data[b+n] {
		n++
	}
	return n
}

// lengthCode is the symbol of a match's length, the number of more bits and their value.
func lengthCode(n int) (symbol int, extra uint, value uint64) {
	switch {
	case n == maxMatch:
		return 285, 0, 0
	case n < 11:
		return 254 + n, 0, 0
	}
	n -= 3
	extra = uint(bits.Len(uint(n))) - 3
	return 257 + int(extra)*4 + n>>extra, extra, uint64(n & (1<<extra - 1))
}

// distanceCode is the same for its distance.
func distanceCode(n int) (symbol int, extra uint, value uint64) {
	n--
	if n < 4 {
		return n, 0, 0
	}
	extra = uint(bits.Len(uint(n))) - 2
	return int(extra)*2 + n>>extra, extra, uint64(n & (1<<extra - 1))
}

// bitWriter writes the lowest bit first.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint // below 32 between calls
}

// put writes at most 32 bits.
func (w *bitWriter) put(value uint64, n uint) {
	w.bits |= value << w.n
	w.n += n
	if w.n >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.bits))
		w.bits >>= 32
		w.n -= 32
	}
}

// flush fills the last byte up.
func (w *bitWriter) flush() {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

// deflate writes all tokens as one last block.
func deflate(w *bitWriter, list []token) {
	var litFreq [286]uint32
	var distFreq [30]uint32
	var lengths [maxMatch + 1]uint32 // how often each comes
	for _, t := range list {
		if t < 256 {
			litFreq[t]++
			continue
		}
		lengths[t>>lengthShift]++
		symbol, _, _ := distanceCode(int(t & (1<<lengthShift - 1)))
		distFreq[symbol]++
	}
	for n := 3; n <= maxMatch; n++ {
		symbol, _, _ := lengthCode(n)
		litFreq[symbol] += lengths[n]
	}
	litFreq[256] = 1
	distFreq[0], distFreq[1] = distFreq[0]+1, distFreq[1]+1 // two codes at least: some readers want it
	lit, dist := newCode(litFreq[:], 15), newCode(distFreq[:], 15)
	w.put(1|2<<1, 3) // last, with its own codes
	header(w, lit, dist)
	var written [maxMatch + 1]struct { // each length's bits and their number
		bits uint32
		n    uint8
	}
	for length, count := range lengths {
		if count > 0 {
			symbol, extra, value := lengthCode(length)
			n := lit.length[symbol]
			written[length].bits, written[length].n = uint32(lit.bits[symbol])|uint32(value)<<n, n+uint8(extra)
		}
	}
	for _, t := range list {
		if t < 256 {
			lit.put(w, int(t))
			continue
		}
		length := &written[t>>lengthShift]
		w.put(uint64(length.bits), uint(length.n))
		symbol, extra, value := distanceCode(int(t & (1<<lengthShift - 1)))
		n := uint(dist.length[symbol])
		w.put(uint64(dist.bits[symbol])|value<<n, n+extra)
	}
	lit.put(w, 256)
	w.flush()
}
