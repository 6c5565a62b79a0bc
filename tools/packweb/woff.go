package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var errWoff = errors.New("not a WOFF file")

// unwoff converts WOFF 1.0 to the font it contains: a header of 44 bytes, then for each table tag, offset, compressed
// length, length, checksum; tables are zlib streams, or uncompressed if that is shorter.
func unwoff(woff []byte) ([]byte, error) {
	if len(woff) < 44 || string(woff[:4]) != "wOFF" {
		return nil, errWoff
	}
	count := int(binary.BigEndian.Uint16(woff[12:]))
	if count == 0 || len(woff) < 44+20*count {
		return nil, errWoff
	}
	out := bytes.NewBuffer(nil)
	out.Write(woff[4:8])
	log := int(math.Log2(float64(count)))
	for _, n := range []int{count, 16 << log, log, 16*count - 16<<log} {
		out.Write(binary.BigEndian.AppendUint16(nil, uint16(n)))
	}
	var body bytes.Buffer
	for i := range count {
		entry := woff[44+20*i:]
		offset, packed, length := binary.BigEndian.Uint32(entry[4:]), binary.BigEndian.Uint32(entry[8:]),
			binary.BigEndian.Uint32(entry[12:])
		if uint64(offset)+uint64(packed) > uint64(len(woff)) {
			return nil, errWoff
		}
		table := woff[offset : offset+packed]
		if packed < length {
			unzip, err := zlib.NewReader(bytes.NewReader(table))
			if err != nil {
				return nil, fmt.Errorf("unpack table: %w", err)
			}
			if table, err = io.ReadAll(unzip); err != nil {
				return nil, fmt.Errorf("unpack table: %w", err)
			}
		}
		if len(table) != int(length) {
			return nil, errWoff
		}
		out.Write(entry[:4])
		out.Write(entry[16:20])
		out.Write(binary.BigEndian.AppendUint32(nil, uint32(12+16*count+body.Len())))
		out.Write(entry[12:16])
		body.Write(table)
		body.Write(make([]byte, -len(table)&3))
	}
	return append(out.Bytes(), body.Bytes()...), nil
}

// stand is a system font scaled in percent to match the width of one of ours.
type stand struct {
	Local   []string `json:"local"` // names of fonts of the same width
	Size    float64  `json:"size"`
	Ascent  float64  `json:"ascent"`
	Descent float64  `json:"descent"`
	Gap     float64  `json:"gap"`
}

// frequency is the frequency of characters in English text, per thousand. It is used to compare widths.
var frequency = map[rune]float64{
	' ': 180, 'e': 102, 't': 75, 'a': 65, 'o': 62, 'i': 57, 'n': 57, 's': 53, 'r': 50, 'h': 50, 'd': 33, 'l': 33,
	'u': 23, 'c': 23,
	'm': 20, 'f': 18, 'w': 17, 'y': 14, 'p': 16, 'g': 16, 'b': 12, 'v': 8, 'k': 6, 'x': 2, 'j': 1, 'q': 1, 'z': 1,
}

// Widths of fonts that nearly every machine has, in thousandths of their size. Liberation Sans and Arimo have the
// same widths as Arial.
var (
	arial = widths(" ", 278, "abdeghnopqu", 556, "ckvxyzs", 500, "ft", 278, "ijl", 222, "m", 833, "r", 333, "w", 722)
	// Android has no Arial.
	roboto = widths(" ", 248, "a", 544, "b", 561, "c", 523, "d", 564, "e", 530, "f", 347, "g", 561, "h", 551, "i", 243,
		"j", 239, "k", 507,
		"l", 243, "m", 876, "n", 552, "o", 570, "p", 561, "q", 568, "r", 339, "s", 516, "t", 327, "u", 551, "v", 484,
		"w", 751, "x", 496, "y", 473, "z", 496)
)

func widths(pairs ...any) map[rune]float64 {
	out := map[rune]float64{}
	for i := 0; i < len(pairs); i += 2 {
		for _, r := range pairs[i].(string) {
			out[r] = float64(pairs[i+1].(int)) / 1000
		}
	}
	return out
}

// standIns compares a font with system fonts.
func standIns(woff []byte) ([]stand, error) {
	plain, err := unwoff(woff)
	if err != nil {
		return nil, err
	}
	f, err := sfnt.Parse(plain)
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	var buf sfnt.Buffer
	em := float64(f.UnitsPerEm())
	ppem := fixed.I(int(f.UnitsPerEm())) // so that results are in the font's own units
	m, err := f.Metrics(&buf, ppem, font.HintingNone)
	if err != nil {
		return nil, fmt.Errorf("measure font: %w", err)
	}
	own := map[rune]float64{}
	for r := range frequency {
		glyph, err := f.GlyphIndex(&buf, r)
		if err != nil || glyph == 0 {
			return nil, fmt.Errorf("measure font: it has no %q", r)
		}
		advance, err := f.GlyphAdvance(&buf, glyph, ppem, font.HintingNone)
		if err != nil {
			return nil, fmt.Errorf("measure font: %w", err)
		}
		own[r] = float64(advance) / 64 / em
	}
	ascent, descent := float64(m.Ascent)/64/em, float64(m.Descent)/64/em
	gap := max(0, float64(m.Height-m.Ascent-m.Descent)/64/em)
	var out []stand
	for _, local := range []struct {
		names  []string
		widths map[rune]float64
	}{{[]string{"Arial", "ArialMT", "Liberation Sans", "Arimo"}, arial}, {[]string{"Roboto"}, roboto}} {
		scale := mean(own) / mean(local.widths)
		out = append(out, stand{
			Local: local.names, Size: percent(scale), Ascent: percent(ascent / scale),
			Descent: percent(descent / scale), Gap: percent(gap / scale),
		})
	}
	return out, nil
}

// mean returns the average width of a character in running text.
func mean(widths map[rune]float64) float64 {
	sum, all := 0.0, 0.0
	for _, r := range "abcdefghijklmnopqrstuvwxyz " { // in a fixed order, because the sum of floats depends on it
		sum += widths[r] * frequency[r]
		all += frequency[r]
	}
	return sum / all
}

func percent(x float64) float64 { return math.Round(x*10000) / 100 }
