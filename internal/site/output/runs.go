package output

import (
	"encoding/binary"
	"math/bits"
)

// appendRuns appends data in deflated form, as a piece that other pieces may follow. The piece is a block with the
// fixed Huffman codes (RFC 1951, 3.2.6), in which runs of equal bytes are references to the preceding byte. An empty
// stored block follows, so that the piece ends at a byte boundary. The headers of tar entries are mostly zeros, so the
// result is nearly as small as with a real compressor. It takes a microsecond, and its output never changes.
func appendRuns(out, data []byte) []byte {
	w := bitWriter{out: out}
	w.write(0b010, 3) // not the last block, fixed codes
	for i := 0; i < len(data); {
		c := data[i]
		w.literal(c)
		end := i + 1
		for end < len(data) && data[end] == c {
			end++
		}
		run := end - i - 1
		for run >= minRun {
			n := min(run, maxRun)
			w.run(n)
			run -= n
		}
		i = end - run
	}
	w.code(0, 7)  // end of block
	w.write(0, 3) // not the last block, stored
	w.align()
	return append(w.out, 0, 0, 0xff, 0xff)
}

// minRun and maxRun are the minimum and maximum length of a reference, in bytes.
const minRun, maxRun = 3, 258

// storedBlock is the maximum size of one stored block, in bytes.
const storedBlock = 1<<16 - 1

// storedHead starts a stored block of n bytes.
func storedHead(n int) []byte {
	head := make([]byte, 1, 5) // not the last block, stored, aligned
	head = binary.LittleEndian.AppendUint16(head, uint16(n))
	return binary.LittleEndian.AppendUint16(head, ^uint16(n))
}

// bitWriter fills each byte starting at the lowest bit.
type bitWriter struct {
	out  []byte
	bits uint64 // bits that have not been written to out yet, lowest first
	n    int    // number of bits in bits
}

// write appends up to 16 bits.
func (w *bitWriter) write(value uint64, n int) {
	w.bits |= value << w.n
	if w.n += n; w.n >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.bits))
		w.bits >>= 32
		w.n -= 32
	}
}

// code writes a Huffman code, highest bit first.
func (w *bitWriter) code(value uint16, n int) { w.write(uint64(bits.Reverse16(value)>>(16-n)), n) }

func (w *bitWriter) literal(c byte) {
	if c < 144 {
		w.code(0x30+uint16(c), 8)
	} else {
		w.code(0x190+uint16(c)-144, 9)
	}
}

// run repeats the last byte n times. n is between minRun and maxRun.
func (w *bitWriter) run(n int) {
	symbol, extra := 285, 0 // the code for maxRun
	if rest := n - minRun; n < maxRun {
		extra = max(0, bits.Len(uint(rest))-3)
		symbol = 257 + 4*extra + rest>>extra
	}
	if symbol < 280 {
		w.code(uint16(symbol-256), 7)
	} else {
		w.code(0xc0+uint16(symbol-280), 8)
	}
	if extra > 0 {
		w.write(uint64(n-minRun)&(1<<extra-1), extra)
	}
	w.code(0, 5) // distance code: one byte back
}

// align fills the last byte with zeros and flushes all bits.
func (w *bitWriter) align() {
	for ; w.n > 0; w.n -= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
	w.n = 0
}
