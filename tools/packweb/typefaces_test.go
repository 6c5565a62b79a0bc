package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"testing"
)

// woff encodes tables as in a WOFF file.
func woff(t testing.TB, tables map[string]string, order ...string) []byte {
	t.Helper()
	head := make([]byte, 44+20*len(order))
	copy(head, "wOFF\x00\x01\x00\x00")
	binary.BigEndian.PutUint16(head[12:], uint16(len(order)))
	var body bytes.Buffer
	for i, tag := range order {
		var packed bytes.Buffer
		zip := zlib.NewWriter(&packed)
		_, _ = zip.Write([]byte(tables[tag])) // writing to a buffer never fails
		if err := zip.Close(); err != nil {
			t.Fatal(err)
		}
		data := packed.Bytes()
		if len(data) >= len(tables[tag]) {
			data = []byte(tables[tag])
		}
		entry := head[44+20*i:]
		copy(entry, tag)
		binary.BigEndian.PutUint32(entry[4:], uint32(len(head)+body.Len()))
		binary.BigEndian.PutUint32(entry[8:], uint32(len(data)))
		binary.BigEndian.PutUint32(entry[12:], uint32(len(tables[tag])))
		body.Write(data)
	}
	return append(head, body.Bytes()...)
}

func TestWoffIsUnpackedToItsTables(t *testing.T) {
	long := string(bytes.Repeat([]byte("glyph"), 100))
	font, err := unwoff(woff(t, map[string]string{"abcd": "xyz", "glyf": long}, "abcd", "glyf"))
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.BigEndian.Uint16(font[4:]); n != 2 {
		t.Errorf("%d tables", n)
	}
	for i, want := range []string{"xyz", long} {
		entry := font[12+16*i:]
		at, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		if got := string(font[at : at+length]); got != want || at%4 != 0 {
			t.Errorf("table %d at %d is %q", i, at, got)
		}
	}
}

// FuzzUnwoff checks that neither a damaged file nor the processing of its font causes a panic.
func FuzzUnwoff(f *testing.F) {
	f.Add(woff(f, map[string]string{"GPOS": "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x0a\x00\x01\x00\x04\x00\x02\x00\x10"},
		"GPOS"))
	f.Add([]byte("wOFF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		font, err := unwoff(data)
		if err != nil {
			return
		}
		plainKerning(font)
		_, _ = standIns(data)
	})
}

func TestPairKerningIgnoresMarkFilters(t *testing.T) {
	// A font with one table: GPOS, whose list of lookups is at offset 10 and has one lookup of kind 2 with the flag
	// 0x10.
	gpos := "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x0a" + "\x00\x01\x00\x04" + "\x00\x02\x00\x11"
	font, err := unwoff(woff(t, map[string]string{"GPOS": gpos}, "GPOS"))
	if err != nil {
		t.Fatal(err)
	}
	plainKerning(font)
	if flag := binary.BigEndian.Uint16(font[12+16+16:]); flag != 1 {
		t.Errorf("flag %#x", flag)
	}
}

func TestSameFontNeedsNoScaling(t *testing.T) {
	if m := mean(arial); m < 0.4 || m > 0.5 {
		t.Errorf("Arial's mean width is %f of its size", m)
	}
	all := 0.0
	for r, n := range frequency {
		all += n
		if arial[r] == 0 || roboto[r] == 0 {
			t.Errorf("no width for %q", r)
		}
	}
	if all < 950 || all > 1050 {
		t.Errorf("frequencies add up to %f", all)
	}
}
