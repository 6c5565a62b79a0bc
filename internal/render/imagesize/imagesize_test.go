package imagesize

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
)

// encoded returns an image of this size, encoded by the standard library.
func encoded(t testing.TB, format string, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch m := image.NewGray(image.Rect(0, 0, width, height)); format {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withEXIF inserts EXIF data into a JPEG, after fill bytes of other segments.
func withEXIF(jpeg []byte, order binary.AppendByteOrder, orientation uint16, fill int) []byte {
	tiff := []byte("II")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		tiff = []byte("MM")
	}
	tiff = order.AppendUint32(order.AppendUint16(tiff, 42), 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3), 1)
	tiff = append(order.AppendUint16(tiff, orientation), 0, 0)
	out := []byte{0xff, 0xd8}
	for ; fill > 0; fill -= 60_000 {
		out = append(segment(out, 0xe2, make([]byte, min(fill, 60_000))), 0xff) // one byte of filling
	}
	if len(out) > 2 {
		out = out[:len(out)-1]
	}
	return append(segment(out, 0xe1, append([]byte("Exif\x00\x00"), tiff...)), jpeg[2:]...)
}

func segment(out []byte, marker byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16(append(out, 0xff, marker), uint16(len(body)+2)), body...)
}

// webp returns the start of a WebP file with this first chunk.
func webp(name string, body ...byte) []byte {
	return append([]byte("RIFF\x40\x00\x00\x00WEBP"+name+"\x20\x00\x00\x00"), append(body, make([]byte, 20)...)...)
}

func boxed(name string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+8)), name...), body...)
}

func avif(properties ...[]byte) []byte {
	meta := boxed("meta", make([]byte, 4), boxed("hdlr", make([]byte, 20)), boxed("iprp", boxed("ipco", properties...)))
	return append(boxed("ftyp", []byte("avif\x00\x00\x00\x00mif1")),
		append(meta, boxed("mdat", make([]byte, 50))...)...)
}

func ispe(w, h uint32) []byte {
	return boxed("ispe", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), w), h))
}

func cases(t testing.TB) map[string]struct {
	file          []byte
	width, height int
} {
	photo := encoded(t, "jpeg", 40, 30)
	var little, big binary.AppendByteOrder = binary.LittleEndian, binary.BigEndian
	return map[string]struct {
		file          []byte
		width, height int
	}{
		"png":                       {encoded(t, "png", 300, 200), 300, 200},
		"gif":                       {encoded(t, "gif", 31, 17), 31, 17},
		"jpeg":                      {photo, 40, 30},
		"jpeg, turned":              {withEXIF(photo, little, 6, 0), 30, 40},
		"jpeg, turned, big-endian":  {withEXIF(photo, big, 8, 0), 30, 40},
		"jpeg, upside down":         {withEXIF(photo, big, 3, 0), 40, 30},
		"jpeg with a long head":     {withEXIF(photo, little, 5, 200_000), 30, 40},
		"jpeg with too long a head": {withEXIF(photo, little, 5, 400_000), 0, 0},
		"jpeg, cut":                 {photo[:100], 0, 0},
		"webp, lossy":               {webp("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01), 640, 480},
		"webp, lossless":            {webp("VP8L", 0x2f, 0x7f, 0xc2, 0x77, 0x00), 640, 480},
		"webp, extended":            {webp("VP8X", 0x10, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0), 640, 480},
		"webp that may be turned":   {webp("VP8X", 0x08, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0), 0, 0},
		"avif":                      {avif(ispe(640, 480)), 640, 480},
		"avif of tiles":             {avif(ispe(512, 512), ispe(1024, 700)), 1024, 700},
		"avif, turned":              {avif(ispe(640, 480), boxed("irot", []byte{1})), 480, 640},
		"avif, cut out":             {avif(ispe(640, 480), boxed("clap", make([]byte, 32))), 0, 0},
		"svg": {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height='40.4px'/>`),
			120, 40},
		"svg with all before it": {
			[]byte(
				"\ufeff<?xml version=\"1.0\"?>\n<!-- <svg width='1' height='1'> -->\n<!DOCTYPE svg PUBLIC \"x\" [ <!ENTITY n \"m\"> ]>\n<s:svg\n width = \"1in\" height=\"72pt\">"), 96, 96},
		"svg with a width":               {[]byte(`<svg width="200" viewBox="0 0 50 25">`), 200, 100},
		"svg with a height":              {[]byte(`<svg viewBox="-10,-10,50,25" height="1e2">`), 200, 100},
		"svg as wide as its line":        {[]byte(`<svg viewBox="0 0 24 12" fill="none">`), line, line / 2},
		"svg with percentages":           {[]byte(`<svg width="100%" height="100%" viewBox="0 0 24 12">`), line, line / 2},
		"svg without proportions":        {[]byte(`<svg viewBox="0 0 24 12" preserveAspectRatio="none">`), 0, 0},
		"svg with font-relative lengths": {[]byte(`<svg width="10em" height="2em">`), 0, 0},
		"svg by style":                   {[]byte(`<svg width="10" height="20" style="width: 30px">`), 0, 0},
		"svg without size":               {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 0, 0},
		"svg, endless":                   {[]byte(`<svg width="1e400" height="10">`), 0, 0},
		"svg, flat":                      {[]byte(`<svg viewBox="0 0 1 1e9">`), 0, 0},
		"svg, cut":                       {[]byte(`<svg width="10" height="20"`), 0, 0},
		"svg after a long comment": {[]byte("<!--" + strings.Repeat(" ", 100_000) +
			`--><svg width="10" height="20">`), 10, 20},
		"html":                      {[]byte(`<html><svg width="10" height="20">`), 0, 0},
		"a pointer to a large file": {[]byte("version https://git-lfs.github.com/spec/v1\n"), 0, 0},
		"nothing":                   {nil, 0, 0},
	}
}

func TestImageSizeIsReadFromHeader(t *testing.T) {
	for name, c := range cases(t) {
		t.Run(name, func(t *testing.T) {
			w, h, ok := Read(bytes.NewReader(c.file))
			if w != c.width || h != c.height || ok != (c.width > 0) {
				t.Errorf("got %d × %d, %v; want %d × %d", w, h, ok, c.width, c.height)
			}
		})
	}
}

// counted counts the bytes read from it.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

func TestReadIsBounded(t *testing.T) {
	for _, c := range []struct {
		name  string
		start []byte
		max   int
	}{
		{"png", encoded(t, "png", 10, 10), 4 << 10},
		{"no picture", []byte("\x00\x01\x02"), 4 << 10},
		{"text without end", []byte("<!--"), 256 << 10},
		{"photo without end", withEXIF([]byte{0xff, 0xd8}, binary.LittleEndian, 1, 1<<20), 256 << 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &counted{Reader: io.MultiReader(bytes.NewReader(c.start), bytes.NewReader(make([]byte, 1<<20)))}
			if Read(r); r.n > c.max {
				t.Errorf("read %d bytes, want at most %d", r.n, c.max)
			}
		})
	}
}

// FuzzParse checks that the size of any file is one that a page can write, and that parsing is fast.
func FuzzParse(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.file[:min(len(c.file), 4096)])
	}
	f.Add([]byte(strings.Repeat("<!a>", 5000)))
	f.Fuzz(func(t *testing.T, head []byte) {
		w, h, ok := Parse(head)
		if ok != (w > 0 && h > 0) || w < 0 || h < 0 || w > maxSide || h > maxSide {
			t.Errorf("%d × %d, %v", w, h, ok)
		}
	})
}
