package ogimage

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/testkit/cputime"
	"github.com/lectern-docs/lectern/web/npm"
)

func faces(tb testing.TB) *Faces {
	tb.Helper()
	f, err := Load(npm.FS())
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func rgb(s string) csscolor.RGB { return csscolor.First(s) }

func decode(tb testing.TB, data []byte) image.Image {
	tb.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, Width, Height) {
		tb.Fatalf("size %v", img.Bounds())
	}
	return img
}

var sample = Text{Section: "Guides › Deploy", Title: "Publish a documentation site from a repository",
	Description: "Connect a repository, choose the branch and the folder that holds docs.json, and let each push publish the site. Previews come with pull requests."}

// BenchmarkCard draws cards with different titles. It reports processor time, which does not depend on other programs.
func BenchmarkCard(b *testing.B) {
	logo := image.NewRGBA(image.Rect(0, 0, 400, 100))
	for i := range logo.Pix {
		logo.Pix[i] = byte(i/4%400/2+i/1600) | byte(0xff*(i%4/3)) // an opaque gradient: many colours
	}
	withLogo := sampleLook()
	withLogo.Logo = logo
	for name, o := range map[string]Options{"flat": sampleLook(), "logo": withLogo} {
		b.Run(name, func(b *testing.B) {
			m := New(faces(b), o)
			m.Draw(sample) // draws the letters, too
			b.ReportAllocs()
			size, n, before := 0, 0, cputime.Used(b)
			for b.Loop() {
				text := sample
				text.Title = sample.Title[n%20:]
				size += len(m.Draw(text))
				n++
			}
			b.ReportMetric(float64(cputime.Used(b)-before)/float64(n), "cpu-ns/card")
			b.ReportMetric(float64(size)/float64(n), "bytes/card")
		})
	}
}

// sampleLook returns the settings of the cards in tests.
func sampleLook() Options {
	return Options{Name: "Lectern", Host: "docs.example.com", Accent: rgb("#0F766E")}
}

func TestSameTextGivesSameBytes(t *testing.T) {
	words := []Text{sample, {Title: "Short"}, {Section: "A", Title: strings.Repeat("long ", 60)},
		{Title: "x", Description: sample.Description}, {}}
	m := New(faces(t), sampleLook())
	var want [][]byte
	for _, w := range words {
		want = append(want, New(faces(t), sampleLook()).Draw(w)) // a separate maker, so that other cards have no effect
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 40 {
				n := (i*7 + 3) % len(words)
				if got := m.Draw(words[n]); !bytes.Equal(got, want[n]) {
					t.Errorf("card %d differs when other cards were drawn before", n)
				}
			}
		})
	}
	wg.Wait()
}

func TestDifferentOptionsGiveDifferentCards(t *testing.T) {
	f := faces(t)
	seen := map[string]bool{}
	for _, o := range []Options{sampleLook(), {Name: "Other"}, {Name: "Lectern", Dark: true},
		{Name: "Lectern", Accent: rgb("#ff0000")}, {Name: "Lectern", Host: "x.test"}} {
		seen[string(New(f, o).Draw(sample))] = true
	}
	seen[string(New(f, sampleLook()).Draw(Text{Section: sample.Section + sample.Title}))] = true
	seen[string(New(f, sampleLook()).Draw(Text{Title: sample.Section + sample.Title}))] = true
	if len(seen) != 7 {
		t.Errorf("%d different cards, want 7", len(seen))
	}
}

// The card is a complete picture of limited size and drawn in limited time, no matter what the title contains (C8).
func TestHostileTextYieldsBoundedCard(t *testing.T) {
	m := New(faces(t), sampleLook())
	for name, words := range map[string]string{
		"long":     strings.Repeat("endless ", 1300),
		"one word": strings.Repeat("w", 10_000),
		"controls": "a\x00b\x1b[31mc\u0007\u202ed\u2066e\ufeff",
		"emoji":    "Ship it 🚀👩‍👩‍👧‍👦🏳️‍🌈 1️⃣",
		"arabic":   "مرحبا بالعالم",
		"hebrew":   "שלום עולם",
		"chinese":  "快速开始",
		"marks":    "e" + strings.Repeat("\u0301", 500),
		"bytes":    "\xff\xfe\x80",
		"markup":   "<script>alert(1)</script>",
		"blank":    " \n\t ",
	} {
		data := m.Draw(Text{Section: words, Title: words, Description: words})
		decode(t, data)
		if len(data) > 64<<10 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
	}
}

func TestUnsupportedTextIsLeftOut(t *testing.T) {
	f := faces(t).bold
	for in, want := range map[string]string{
		"Plain  text\n here ": "Plain text here", "Zürich – Ελλάδα, Москва, Việt": "Zürich – Ελλάδα, Москва, Việt",
		"Ship it 🚀 now": "Ship it now", "A → B": "A › B", "日本語": "", "Guide 指南": "", "a\u0301": "",
		"\u202etest\u0000": "test",
	} {
		if got := f.words(in, 100); got != want {
			t.Errorf("%q is drawn as %q, want %q", in, got, want)
		}
	}
	if got := f.words(strings.Repeat("ab ", 100), 10); len([]rune(got)) > 11 {
		t.Errorf("%q exceeds the limit", got)
	}
}

func TestLinesFitTheirWidth(t *testing.T) {
	f := faces(t).bold
	for _, text := range []string{sample.Title, strings.Repeat("w", 500), strings.Repeat("iW ", 90), "a",
		"VAVAVA " + strings.Repeat("To", 60)} {
		for _, s := range titles {
			lines, whole := f.wrap(text, s.size, column, s.lines)
			joined := 0
			for _, l := range lines {
				joined += len(l)
				if w := int(f.width(l)) * s.size / f.em; w > column {
					t.Errorf("%q at %d is %d wide", string(l), s.size, w)
				}
			}
			if len(lines) > s.lines || whole && joined < len(strings.ReplaceAll(text, " ", "")) {
				t.Errorf("%q: %d lines, %d letters, whole %v", text, len(lines), joined, whole)
			}
			if !whole && !strings.HasSuffix(string(lines[len(lines)-1]), "…") {
				t.Errorf("%q is truncated without an ellipsis", string(lines[len(lines)-1]))
			}
		}
	}
}

func TestTextContrastsWithBackground(t *testing.T) {
	for _, accent := range []string{"#ffff00", "#ffffff", "#000000", "#0af", "#808080", "#00ff00", "#0F766E"} {
		for _, dark := range []bool{false, true} {
			c := colorsOf(Options{Accent: rgb(accent), Dark: dark})
			for i, ink := range c.ink {
				if r := csscolor.Ratio(ink, c.ground); r < 4.5 {
					t.Errorf("ink %d for %s, dark %v: %.2f", i, accent, dark, r)
				}
			}
			if n := len(c.palette()); n != 16 {
				t.Errorf("%d colours", n)
			}
		}
	}
}
