package imagevariant

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand"
	"testing"
)

// noise returns a picture that PNG cannot compress well. It is always the same for the same size.
func noise(width, height int, alpha uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewSource(1))
	for y := range height {
		for x := range width {
			v := uint8(x*255/width) ^ uint8(r.Intn(8))
			img.SetNRGBA(x, y, color.NRGBA{v, uint8(y * 255 / height), 90, alpha})
		}
	}
	return img
}

// dots returns random black and white pixels: one bit per pixel as PNG, far more as JPEG.
func dots(width, height int) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	r := rand.New(rand.NewSource(1))
	for i := range img.Pix {
		img.Pix[i] = uint8(r.Intn(2))
	}
	return img
}

func encodePNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(t *testing.T, img image.Image, q int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: q}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLargeImageGetsNarrowerCopy(t *testing.T) {
	original := noise(1600, 300, 255)
	for name, data := range map[string][]byte{
		"png": encodePNG(t, original), "jpeg": encodeJPEG(t, original, 98),
	} {
		list := Make(data)
		if len(list) != 1 || list[0].Width != width || list[0].Ext != ".jpg" || len(list[0].Data) >= len(data) {
			t.Fatalf("%s: %d copies", name, len(list))
		}
		img, err := jpeg.Decode(bytes.NewReader(list[0].Data))
		if err != nil || img.Bounds().Size() != image.Pt(width, 144) {
			t.Fatalf("%s: %v %v", name, err, img.Bounds())
		}
		for _, at := range []image.Point{{100, 50}, {384, 73}, {700, 130}} {
			r, g, b, _ := img.At(at.X, at.Y).RGBA()
			want := original.NRGBAAt(at.X*1600/width, at.Y*300/144)
			for i, got := range []uint32{r >> 8, g >> 8, b >> 8} {
				if diff := int(got) - int([]uint8{want.R, want.G, want.B}[i]); diff < -16 || diff > 16 {
					t.Errorf("%s: channel %d at %v is off by %d", name, i, at, diff)
				}
			}
		}
		if again := Make(data); !bytes.Equal(again[0].Data, list[0].Data) {
			t.Errorf("%s: two runs created different copies", name)
		}
	}
}

func TestCopyKeepsTransparency(t *testing.T) {
	list := Make(encodePNG(t, noise(1600, 300, 128)))
	if len(list) != 1 || list[0].Ext != ".png" {
		t.Fatalf("copies %v", len(list))
	}
	img, err := png.Decode(bytes.NewReader(list[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, a := img.At(300, 100).RGBA(); a>>8 < 126 || a>>8 > 130 {
		t.Errorf("alpha %d", a>>8)
	}
}

// chunk inserts a chunk after the header of a PNG file.
func chunk(file []byte, kind string, body []byte) []byte {
	head := append([]byte(kind), body...)
	out := append([]byte{}, file[:33]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	out = append(out, head...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
	return append(out, file[33:]...)
}

// profile returns a colour profile with the given colour model in its header and otherwise random bytes.
func profile(colors string, size int) []byte {
	out := make([]byte, size)
	rand.New(rand.NewSource(1)).Read(out)
	copy(out[16:], colors)
	return out
}

// scans returns a JPEG that contains its scans n times.
func scans(photo []byte, n int) []byte {
	at := bytes.Index(photo, []byte{0xff, 0xda})
	pixels := photo[at : len(photo)-2]
	return append(append(append([]byte{}, photo[:at]...), bytes.Repeat(pixels, n)...), 0xff, 0xd9)
}

// padded returns a PNG with an unused chunk, so that it has the minimum size for copies.
func padded(file []byte) []byte {
	return chunk(file, "tEXt", append([]byte("a\x00"), make([]byte, minBytes)...))
}

func TestInterlacedAndProgressiveImagesCountTwice(t *testing.T) {
	plain := encodePNG(t, noise(1600, 300, 255))
	interlaced := append([]byte{}, plain...)
	interlaced[28] = 1
	binary.BigEndian.PutUint32(interlaced[29:], crc32.ChecksumIEEE(interlaced[12:29]))
	photo := encodeJPEG(t, noise(1600, 300, 255), 98)
	progressive := bytes.Replace(photo, []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	for name, c := range map[string]struct {
		data []byte
		want int
	}{
		"png": {plain, 1}, "interlaced": {interlaced, 2}, "jpeg": {photo, 1}, "progressive": {progressive, 2},
	} {
		if got := Pixels(c.data); got != c.want*1600*300 {
			t.Errorf("%s: %d pixels", name, got)
		}
	}
}

// Programs write slightly different numbers for sRGB.
func TestRoundedSRGBNumbersAreAccepted(t *testing.T) {
	large := encodePNG(t, noise(9, 9, 255))
	for name, data := range map[string][]byte{
		"gamma": chunk(large, "gAMA", []byte{0, 0, 0xb1, 0x8e}),
		"sRGB":  chunk(chunk(large, "gAMA", []byte{0, 1, 0x86, 0xa0}), "sRGB", []byte{0}),
	} {
		if _, ok := readProfile(data); !ok {
			t.Errorf("%s: no copy", name)
		}
	}
}

func TestImagesWithoutFaithfulCopiesAreSkipped(t *testing.T) {
	large := encodePNG(t, noise(1600, 300, 255))
	note := "II\x2a\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
	exif := []byte("\xff\xe1\x00\x22Exif\x00\x00" + note)
	photo := encodeJPEG(t, noise(1600, 300, 255), 98)
	swapped := withJPEGProfile(photo, profile("RGB ", 1<<17))
	swapped[18] = 2 // the sequence number of the first segment
	bomb := append([]byte{}, large...)
	binary.BigEndian.PutUint32(bomb[16:], 60000)
	binary.BigEndian.PutUint32(bomb[20:], 60000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for name, data := range map[string][]byte{
		"animated":               chunk(large, "acTL", make([]byte, 8)),
		"turned":                 append(append(append([]byte{}, photo[:2]...), exif...), photo[2:]...),
		"turned png":             chunk(large, "eXIf", []byte(note)),
		"colours of video":       chunk(large, "cICP", []byte{9, 16, 0, 1}),
		"another gamma":          chunk(large, "gAMA", []byte{0, 1, 0x86, 0xa0}),
		"other primaries":        chunk(large, "cHRM", make([]byte, 32)),
		"a profile for gray":     withPNGProfile(large, profile("GRAY", 100)),
		"a profile for print":    withJPEGProfile(photo, profile("CMYK", 100)),
		"parts of a profile":     swapped,
		"too many scans":         scans(photo, maxScans+1),
		"nothing but one colour": padded(encodePNG(t, image.NewGray(image.Rect(0, 0, 5000, 4000)))),
		"claims too many pixels": bomb,
		"truncated":              large[:len(large)/2],
		"narrow":                 encodePNG(t, noise(800, 600, 255)),
		"small file":             encodePNG(t, image.NewGray(image.Rect(0, 0, 3000, 2000))),
		"already small":          encodePNG(t, dots(1000, 300)),
		"unreadable profile":     chunk(large, "iCCP", []byte("x\x00\x00nonsense")),
		"svg":                    bytes.Repeat([]byte("<svg/>"), 9000),
	} {
		if list := Make(data); list != nil {
			t.Errorf("%s: %d copies", name, len(list))
		}
	}
	if Pixels(bomb) != 0 {
		t.Error("an image bomb would be decoded")
	}
}

func TestColorProfileIsKept(t *testing.T) {
	profile := profile("RGB ", 1<<17) // needs more than one JPEG segment
	from := withPNGProfile(encodePNG(t, noise(1600, 300, 255)), profile)
	for name, data := range map[string][]byte{
		"png": from, "jpeg": withJPEGProfile(encodeJPEG(t, noise(1600, 300, 255), 98), profile),
		"transparent": withPNGProfile(encodePNG(t, noise(1600, 300, 128)), profile),
	} {
		list := Make(data)
		if len(list) != 1 {
			t.Fatalf("%s: %d copies", name, len(list))
		}
		if got, ok := readProfile(list[0].Data); !ok || !bytes.Equal(got, profile) {
			t.Errorf("%s: profile of %d bytes", name, len(got))
		}
		if _, _, err := image.Decode(bytes.NewReader(list[0].Data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzMake(f *testing.F) {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2)))
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x02"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if isPNG(data) || isJPEG(data) {
			readProfile(data)
		}
		Make(append(data, make([]byte, minBytes)...))
	})
}
