package ogimage

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// scans returns a progressive JPEG with many empty scans: each pass over all its blocks takes only a few bytes.
func scans(side, passes int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, body ...byte) {
		b.Write([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)})
		b.Write(body)
	}
	b.Write([]byte{0xff, 0xd8})
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	segment(0xc2, 8, byte(side>>8), byte(side), byte(side>>8), byte(side), 1, 1, 0x11, 0)
	// DC: code 0 means no difference
	segment(0xc4, append([]byte{0x00, 1}, append(make([]byte, 15), 0)...)...)
	// AC: code 0 means a long run of empty blocks
	segment(0xc4, append([]byte{0x10, 1}, append(make([]byte, 15), 0xe0)...)...)
	blocks := (side / 8) * (side / 8)
	segment(0xda, 1, 1, 0x00, 0, 0, 0)
	b.Write(make([]byte, (blocks+7)/8))
	for range passes {
		segment(0xda, 1, 1, 0x00, 1, 63, 0)
		b.Write(make([]byte, (blocks/(1<<14)+1)*15/8+1))
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// A few kilobytes must not keep a build busy for minutes.
func TestImageWithManyScansIsRefused(t *testing.T) {
	if _, err := Decode(scans(512, 10)); err != nil {
		t.Fatalf("ten passes: %v", err)
	}
	start := time.Now()
	data := scans(2048, 20_000)
	if _, err := Decode(data); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes were unpacked in %s: %v", len(data), time.Since(start), err)
	}
}
