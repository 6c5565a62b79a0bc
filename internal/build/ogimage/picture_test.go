package ogimage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

func pngOf(t *testing.T, w, h int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb returns a small file whose header declares a huge image.
func bomb(t *testing.T, w, h uint32) []byte {
	data := pngOf(t, 8, 8, color.White)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// The size of a picture is read from its header, so a picture that is too large is never decoded (C8).
func TestImageBombsAreRefusedBeforeDecoding(t *testing.T) {
	for _, size := range [][2]uint32{{100_000, 100_000}, {1 << 30, 1}, {16_000, 16_000}, {1, 20_000}} {
		data := bomb(t, size[0], size[1])
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(data)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v: %v", size, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%v: %d bytes were allocated", size, grown)
		}
	}
	for name, data := range map[string][]byte{"empty": nil, "svg": []byte("<svg/>"),
		"gif": []byte("GIF89a\x01\x00\x01\x00"), "text": []byte("\x89PNG")} {
		if _, err := Decode(data); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Decode(make([]byte, PictureBytes+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many bytes: %v", err)
	}
	cut := pngOf(t, 400, 400, color.White)
	if _, err := Decode(cut[:len(cut)/2]); err == nil {
		t.Error("half a picture was decoded")
	}
}

func TestLogoReplacesName(t *testing.T) {
	logo, err := Decode(pngOf(t, 300, 100, color.RGBA{200, 30, 40, 255}))
	if err != nil {
		t.Fatal(err)
	}
	o := sampleLook()
	o.Logo = logo
	img := decode(t, New(faces(t), o).Draw(sample))
	box := logoBox(logo)
	r, g, b, _ := img.At(box.Min.X+box.Dx()/2, box.Min.Y+box.Dy()/2).RGBA()
	if r>>8 < 190 || g>>8 > 45 || b>>8 > 55 {
		t.Errorf("the logo is %d %d %d", r>>8, g>>8, b>>8)
	}
	if box.Dy() != logoHeight {
		t.Errorf("box %v", box)
	}
	for _, size := range []image.Point{{1, 1}, {1, 5000}, {5000, 1}, {10, 10}} { // unusual shapes stay within the box
		b := logoBox(image.NewRGBA(image.Rectangle{Max: size}))
		if !b.In(image.Rect(margin, logoTop, margin+logoWidth, logoTop+logoHeight)) || b.Empty() {
			t.Errorf("a logo of %v is placed at %v", size, b)
		}
	}
}

func TestTextIsReadableOnAnyPicture(t *testing.T) {
	for name, ground := range map[string]color.RGBA{"dark": {10, 20, 40, 255}, "light": {240, 238, 230, 255},
		"middle": {128, 128, 128, 255}} {
		picture, err := Decode(pngOf(t, 640, 480, ground))
		if err != nil {
			t.Fatal(err)
		}
		for _, dark := range []bool{true, false} {
			m := New(faces(t), Options{Name: "Acme", Accent: rgb("#0F766E"), Dark: dark, Picture: picture})
			paper := csscolor.RGB{float64(ground.R), float64(ground.G), float64(ground.B)}
			for i, ink := range m.photo.ink {
				if r := csscolor.Ratio(ink, paper); r < 4.4 {
					t.Errorf("%s, dark %v: ink %d has %.2f", name, dark, i, r)
				}
			}
			img, err := jpeg.Decode(bytes.NewReader(m.Draw(sample)))
			if err != nil || img.Bounds().Size() != image.Pt(Width, Height) || m.Ext() != ".jpg" {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

func BenchmarkCardOnAPicture(b *testing.B) {
	picture := image.NewRGBA(image.Rect(0, 0, Width, Height))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i/Width>>3 + i%7)
	}
	o := sampleLook()
	o.Picture = picture
	m := New(faces(b), o)
	size := len(m.Draw(sample))
	for b.Loop() {
		m.Draw(sample)
	}
	b.ReportMetric(float64(size), "bytes/card")
}
