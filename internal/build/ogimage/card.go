package ogimage

import (
	"image"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
)

// Size of cards in pixels, as recommended by the sites that show them.
const (
	Width  = 1200
	Height = 630
)

// Options holds the settings that all cards of a site share.
type Options struct {
	Name    string       // of the site
	Host    string       // its domain; "" = unknown
	Accent  csscolor.RGB // as the author wrote it; cards adjust it to be readable
	Dark    bool
	Logo    image.Image // replaces Name; nil = none. At most LogoMax pixels, see Decode
	Picture image.Image // background image; nil = a flat colour
}

// Text is the text of one card.
type Text struct{ Section, Title, Description string }

// Maker draws the cards of one site. It is safe for concurrent use.
type Maker struct {
	faces *Faces
	name  string
	host  string
	named bool      // the cards show the name as text; otherwise there is a logo, or the name cannot be drawn
	base  canvas    // the common part of all cards, with their palette
	photo *photo    // nil: cards are flat
	pool  sync.Pool // of *image.Paletted
}

// New prepares the cards of a site.
func New(faces *Faces, o Options) *Maker {
	m := &Maker{faces: faces, name: faces.bold.words(o.Name, nameMax), host: faces.regular.words(o.Host, hostMax)}
	m.named = o.Logo == nil
	if o.Picture != nil {
		m.photo = newPhoto(o)
		m.frame(m.photo)
		m.photo.logo(o.Logo)
		return m
	}
	c := colorsOf(o)
	m.base = newCanvas(c.palette())
	m.bar()
	m.frame(m.base)
	m.base.logo(o.Logo, c.ground)
	m.pool.New = func() any { return newCanvas(m.base.Palette).Paletted }
	return m
}

// Ext returns the file name extension of the site's cards.
func (m *Maker) Ext() string {
	if m.photo != nil {
		return ".jpg"
	}
	return ".png"
}

// Draw draws one card.
func (m *Maker) Draw(t Text) []byte {
	if m.photo != nil {
		p := m.photo.fresh()
		m.page(p, t)
		return p.jpeg()
	}
	c := canvas{m.pool.Get().(*image.Paletted)}
	defer m.pool.Put(c.Paletted)
	copy(c.Pix, m.base.Pix)
	m.page(c, t)
	e := m.faces.encoders.Get().(*encoder)
	defer m.faces.encoders.Put(e)
	return e.encode(c)
}
