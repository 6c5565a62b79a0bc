package build

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"image"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/ogimage"
	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// cardFolder contains the preview images that other sites show with a link. A card is named after its page, so its
// name is known before it is drawn.
const cardFolder = asset.Folder + "/card"

// cardMaker draws the cards of pages. newCardMaker creates it before the first page is rendered; it does not change
// afterwards.
type cardMaker struct {
	maker *ogimage.Maker // nil if the site has no cards
	nav   *navigation
	addr  *addresses
	cache Cache             // nil = cards are not cached
	key   [sha256.Size]byte // digest of everything that all cards share; zero without a cache
}

// newCardMaker returns a maker. It draws nothing if cards are disabled, or if the site's absolute address, which other
// sites need, is unknown. The findings concern the author's settings for cards.
func newCardMaker(
	src *source, opt Options, nav *navigation, addr *addresses,
) (c *cardMaker, list diag.List, err error) {
	s := src.site
	if !opt.Cards || opt.BaseURL == "" || namesPicture(s.SEO.Meta) {
		return &cardMaker{}, nil, nil
	}
	faces, err := opt.Tools.cards()
	if err != nil {
		return nil, nil, err
	}
	t := s.Thumbnail
	o := ogimage.Options{Name: s.Name, Dark: cmp.Or(t.Appearance, s.Appearance.Default) == "dark"}
	if at, err := url.Parse(opt.BaseURL); err == nil {
		o.Host = at.Host
	}
	logo := s.Logo.Light
	o.Accent = csscolor.First(s.Colors.Primary, "#3b5bdb")
	if o.Dark {
		logo, o.Accent = s.Logo.Dark, csscolor.First(s.Colors.Light, s.Colors.Primary, "#91a7ff")
	}
	var logoSum, backSum [sha256.Size]byte // digests of the files
	if strings.HasSuffix(strings.ToLower(logo), ".png") {
		o.Logo, logoSum, _ = readPicture(src, logo) // on error, the card shows the site's name instead
	}
	o.Picture, backSum, list = cardBackground(src, t.Background)
	if t.Font != "" && !strings.EqualFold(t.Font, "Inter") {
		list.Warnf(diag.Pos{File: s.File}, "font-unavailable", "Cards use the font Inter, not %q.", t.Font)
	}
	c = &cardMaker{maker: ogimage.New(faces, o), nav: nav, addr: addr, cache: opt.Cache}
	if opt.Cache != nil {
		c.key = fingerprint.Of("cards", opt.Program, o.Name, o.Dark, o.Host, o.Accent, logoSum, backSum)
	}
	return c, list, nil
}

// cardBackground returns the author's background image for cards, or nil if there is none or it cannot be used.
func cardBackground(src *source, ref string) (img image.Image, sum [sha256.Size]byte, list diag.List) {
	if ref == "" {
		return nil, sum, nil
	}
	img, sum, err := readPicture(src, ref)
	if err == nil {
		return img, sum, nil
	}
	why := "cannot be read"
	switch {
	case errors.Is(err, ogimage.ErrTooLarge):
		why = "is too large"
	case errors.Is(err, ogimage.ErrFormat):
		why = "is neither PNG nor JPEG"
	}
	const text = "The picture %q %s. Cards are drawn without it."
	list.Warnf(diag.Pos{File: src.site.File}, "card-background", text, ref, why)
	list.Hint("Use a PNG or JPEG file in the docs folder, 1200 by 630 pixels.")
	return nil, sum, list
}

// readPicture reads an author's image. sum is the digest of the file.
func readPicture(src *source, ref string) (img image.Image, sum [sha256.Size]byte, err error) {
	data, err := safefile.Read(src.fsys, strings.TrimPrefix(path.Clean("/"+ref), "/"), ogimage.PictureBytes)
	if err != nil {
		return nil, sum, err
	}
	img, err = ogimage.Decode(data)
	return img, sha256.Sum256(data), err
}

// namesPicture reports whether the author set a preview image.
func namesPicture(list []site.Meta) bool {
	return slices.ContainsFunc(list, func(m site.Meta) bool {
		return m.Content != "" && (strings.EqualFold(m.Name, "og:image") || strings.EqualFold(m.Name, "twitter:image"))
	})
}

// has reports whether a page has a card.
func (c *cardMaker) has(p *site.Page) bool { return c.maker != nil && !namesPicture(p.Details().Meta) }

// file returns the path of a page's card.
func (c *cardMaker) file(p *site.Page) string { return path.Join(cardFolder, p.Path+c.maker.Ext()) }

// address returns the public address of a page's card, or "".
func (c *cardMaker) address(p *site.Page) string {
	if !c.has(p) {
		return ""
	}
	return c.addr.Public(c.file(p))
}

// draw returns the card of a page that is written to out, or a file without a path if the page has no card. lead is
// used if there is no description.
func (c *cardMaker) draw(p *site.Page, lead, out string) (f output.File) {
	if !c.has(p) || out != p.Path { // the copy at the root shares the page's card
		return f
	}
	text := ogimage.Text{Title: p.Title, Description: cmp.Or(p.Description, lead)}
	for t := c.nav.trail(p.Path); t != nil; t = t.up {
		if k := t.node.Kind; text.Section == "" && (k == site.KindGroup || k == site.KindTab) {
			text.Section = t.node.Title
		}
	}
	name, data := c.file(p), c.drawCached(text)
	return output.File{Path: name, ContentType: output.ContentType(name), Data: data, Packed: output.Digested(data)}
}

// redraw is like draw, for a page that was loaded from the cache. known is the card that an earlier build drew for the
// page, or nil. If the output already has that card, redraw does not load it.
func (c *cardMaker) redraw(p *site.Page, lead, out string, known *output.Packed, docs *documents) output.File {
	if known == nil || !c.has(p) || !docs.held(c.file(p), known.SHA256) {
		return c.draw(p, lead, out)
	}
	name := c.file(p)
	return output.File{Path: name, ContentType: output.ContentType(name), Packed: known, Held: true}
}

// drawCached draws a card unless it is in the cache.
func (c *cardMaker) drawCached(text ogimage.Text) []byte {
	if c.cache == nil {
		return c.maker.Draw(text)
	}
	key := fingerprint.Of("card", c.key, text)
	if data, ok := c.cache.Get(key); ok {
		return data
	}
	data := c.maker.Draw(text)
	c.cache.Put(key, data)
	return data
}
