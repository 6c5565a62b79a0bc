package ogimage

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"
)

// FuzzPackedRowsUnpack: what the packer writes, the standard library reads back, whatever the pixels are.
func FuzzPackedRowsUnpack(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00aaaaaaaaaaaaaaaabbbbbbbbbbbb"), uint8(7))
	f.Add(bytes.Repeat([]byte{0}, 3000), uint8(100))
	f.Add(bytes.Repeat([]byte("abcdefghijklm"), 300), uint8(13))
	f.Add([]byte{1}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, wide uint8) {
		stride := int(wide) + 1
		data = data[:len(data)/stride*stride]
		used := func(row, stride int) int {
			return len(bytes.TrimRight(data[row*stride:(row+1)*stride], "\x00"))
		}
		var p packer
		for range 2 { // the second time with what the first left behind
			p.pack(data, stride, used)
			w := bitWriter{}
			deflate(&w, p.tokens)
			got, err := io.ReadAll(flate.NewReader(bytes.NewReader(w.out)))
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%d bytes became %d: %v", len(data), len(got), err)
			}
		}
	})
}

func TestHuffmanCodeLengthsAreBounded(t *testing.T) {
	freq := make([]uint32, 40)
	a, b := uint32(1), uint32(1)
	for i := range freq { // Fibonacci numbers make the deepest tree
		freq[i] = a
		a, b = b, a+b
		if b > 1<<30 {
			a, b = 1, 1
		}
	}
	for _, limit := range []uint8{7, 15} {
		c := newCode(freq, limit)
		sum := 0.0
		for _, n := range c.length {
			if n > limit {
				t.Errorf("a code of %d bits", n)
			}
			sum += 1 / float64(int(1)<<n)
		}
		if sum > 1 {
			t.Errorf("limit %d: the codes are not apart: %f", limit, sum)
		}
	}
}
