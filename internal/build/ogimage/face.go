package ogimage

import (
	"fmt"
	"image"
	"io/fs"
	"sync"
	"sync/atomic"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/lectern-docs/lectern/web/npm"
)

// Faces holds the fonts of cards. It caches drawn glyphs, and is safe for use by any number of makers.
type Faces struct {
	regular, bold *face
	encoders      sync.Pool
}

// Load loads the fonts from the packs. Glyphs are drawn on first use.
func Load(packs fs.FS) (*Faces, error) {
	regular, err := loadFace(packs, "400")
	if err != nil {
		return nil, err
	}
	bold, err := loadFace(packs, "700")
	if err != nil {
		return nil, err
	}
	return &Faces{regular: regular, bold: bold, encoders: sync.Pool{New: newEncoder}}, nil
}

// face is one weight of the font. Its files cover different scripts.
type face struct {
	fonts []*sfnt.Font
	em    int // units per em, the same in all files

	// The most common letters are in a table that does not change. Their pairs and drawings are in tables that are
	// filled on first use and can be read without a lock.
	plain     [asciiEnd]letter
	plainKern [asciiEnd]atomic.Pointer[[asciiEnd]int16]      // by the first letter of the pair
	drawings  map[uint16]*[asciiEnd][4]atomic.Pointer[glyph] // by size

	mu      sync.RWMutex // guards the following fields
	letters map[rune]letter
	kerns   map[[2]rune]int32 // in units
	glyphs  map[glyphKey]*glyph
	buf     sfnt.Buffer
	raster  vector.Rasterizer
}

const asciiEnd = 127

// letter says where in the files a character is. font is -1 if no file has it.
type letter struct {
	font    int
	index   sfnt.GlyphIndex
	advance int32 // in units
}

// glyphKey identifies a drawing. Positions are in quarters of a pixel, which is enough for even spacing.
type glyphKey struct {
	r    rune
	size uint16 // pixels
	sub  uint8  // 0–3 quarters of a pixel to the right
}

// glyph is a drawn letter: the coverage of each pixel, from 0 to levels.
type glyph struct {
	box   image.Rectangle // relative to the pen's position on the baseline
	cover []uint8
}

// levels is the number of coverage levels. Text on cards is large, so a few levels are enough, and a few compress well.
const levels = 4

// Limits of the cache of a face. All Latin letters in all sizes and positions are about 6,000 drawings of 500 bytes
// on average.
const (
	glyphMax = 8000
	kernMax  = 50_000
)

func loadFace(packs fs.FS, weight string) (*face, error) {
	f := &face{letters: map[rune]letter{}, kerns: map[[2]rune]int32{}, glyphs: map[glyphKey]*glyph{}}
	for _, subset := range []string{"latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek",
		"greek-ext"} {
		data, err := npm.Read(packs, "card/"+weight+"-"+subset+".ttf")
		if err != nil {
			return nil, fmt.Errorf("load typeface: %w", err)
		}
		font, err := sfnt.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("read typeface %s: %w", subset, err)
		}
		f.fonts = append(f.fonts, font)
		if f.em == 0 {
			f.em = int(font.UnitsPerEm())
		}
		if f.em != int(font.UnitsPerEm()) {
			return nil, fmt.Errorf("read typeface %s: it is a subset of a different font", subset)
		}
	}
	f.prepare()
	return f, nil
}

// prepare fills the tables.
func (f *face) prepare() {
	for r := range rune(asciiEnd) {
		f.plain[r] = f.find(r)
	}
	f.drawings = map[uint16]*[asciiEnd][4]atomic.Pointer[glyph]{}
	for _, s := range append([]style{leads, sections, {size: nameSize}, {size: hostSize}}, titles...) {
		f.drawings[uint16(s.size)] = new([asciiEnd][4]atomic.Pointer[glyph])
	}
}

// remembered returns a cached value, or computes it while other callers wait.
func remembered[K comparable, V any](f *face, all map[K]V, limit int, key K, make func() V) V {
	f.mu.RLock()
	v, ok := all[key]
	f.mu.RUnlock()
	if ok {
		return v
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if v, ok = all[key]; ok {
		return v
	}
	v = make()
	if len(all) < limit {
		all[key] = v
	}
	return v
}

func (f *face) letter(r rune) letter {
	if r < asciiEnd && r >= 0 {
		return f.plain[r]
	}
	return remembered(f, f.letters, glyphMax, r, func() letter { return f.find(r) })
}

// find finds a character in the files. The caller must hold the lock.
func (f *face) find(r rune) letter {
	for i, file := range f.fonts {
		index, err := file.GlyphIndex(&f.buf, r)
		if err != nil || index == 0 {
			continue
		}
		advance, err := file.GlyphAdvance(&f.buf, index, fixed.I(f.em), font.HintingNone)
		if err == nil {
			return letter{font: i, index: index, advance: int32(advance.Round())}
		}
	}
	return letter{font: -1}
}

// kern returns the kerning between two letters of one file, in units. It is mostly negative.
func (f *face) kern(a, b rune) int32 {
	if a < asciiEnd && b < asciiEnd && a >= 0 && b >= 0 {
		return int32(f.plainRow(a)[b])
	}
	x, y := f.letter(a), f.letter(b)
	if x.font != y.font {
		return 0
	}
	return remembered(f, f.kerns, kernMax, [2]rune{a, b}, func() int32 { return f.pair(x, y) })
}

// plainRow returns the kerning of an ASCII letter with every other one. Most sites need only some of the rows.
func (f *face) plainRow(a rune) *[asciiEnd]int16 {
	if row := f.plainKern[a].Load(); row != nil {
		return row
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	row := new([asciiEnd]int16)
	for b := rune(' '); b < asciiEnd; b++ {
		row[b] = int16(f.pair(f.plain[a], f.plain[b]))
	}
	f.plainKern[a].Store(row) // concurrent callers compute the same row
	return row
}

// pair returns the kerning of two letters. The caller must hold the lock.
func (f *face) pair(x, y letter) int32 {
	if x.font < 0 || x.font != y.font {
		return 0
	}
	k, err := f.fonts[x.font].Kern(&f.buf, x.index, y.index, fixed.I(f.em), font.HintingNone)
	if err != nil { // the file has no such pair
		return 0
	}
	return int32(k.Round())
}

// glyph returns a drawing from the cache, or draws it.
func (f *face) glyph(k glyphKey) *glyph {
	table := f.drawings[k.size]
	if table == nil || k.r >= asciiEnd || k.r < 0 {
		return remembered(f, f.glyphs, glyphMax, k, func() *glyph { return f.draw(k) })
	}
	at := &table[k.r][k.sub&3]
	g := at.Load()
	if g == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		g = f.draw(k)
		at.Store(g) // concurrent callers draw the same glyph
	}
	return g
}

// draw draws a glyph. The caller must hold the lock.
func (f *face) draw(k glyphKey) *glyph {
	g := &glyph{}
	l := f.find(k.r)
	if l.font < 0 {
		return g
	}
	segments, err := f.fonts[l.font].LoadGlyph(&f.buf, l.index, fixed.I(int(k.size)), nil)
	if err == nil {
		f.fill(g, segments, fixed.Int26_6(k.sub)*16)
	}
	return g
}

// fill draws an outline, shifted to the right by dx.
func (f *face) fill(g *glyph, segments sfnt.Segments, dx fixed.Int26_6) {
	bounds := segments.Bounds()
	g.box = image.Rect((bounds.Min.X + dx).Floor(), bounds.Min.Y.Floor(), (bounds.Max.X + dx).Ceil(),
		bounds.Max.Y.Ceil())
	if g.box.Empty() {
		return
	}
	f.raster.Reset(g.box.Dx(), g.box.Dy())
	at := func(p fixed.Point26_6) (x, y float32) {
		return float32(p.X+dx)/64 - float32(g.box.Min.X), float32(p.Y)/64 - float32(g.box.Min.Y)
	}
	for _, s := range segments {
		x0, y0 := at(s.Args[0])
		x1, y1 := at(s.Args[1])
		x2, y2 := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			f.raster.MoveTo(x0, y0)
		case sfnt.SegmentOpLineTo:
			f.raster.LineTo(x0, y0)
		case sfnt.SegmentOpQuadTo:
			f.raster.QuadTo(x0, y0, x1, y1)
		case sfnt.SegmentOpCubeTo:
			f.raster.CubeTo(x0, y0, x1, y1, x2, y2)
		}
	}
	mask := image.NewAlpha(image.Rect(0, 0, g.box.Dx(), g.box.Dy()))
	f.raster.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	g.cover = mask.Pix
	for i, v := range g.cover {
		g.cover[i] = uint8((int(v)*levels + 127) / 255)
	}
}
