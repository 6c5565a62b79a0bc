package build

import (
	"context"
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
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
)

// cardFolder holds the preview images that other sites show beside a link. A card is named after its page, so its name
// is known before it is drawn.
const cardFolder = asset.Folder + "/card"

// prepareCards sets up the drawing of cards, if there are any: other sites need their absolute address.
func (b *builder) prepareCards() error {
	if !b.opt.Cards || b.opt.BaseURL == "" || namesPicture(b.src.site.SEO.Meta) {
		return nil
	}
	faces, err := b.tools.cards()
	if err != nil {
		return err
	}
	t, c := b.src.site.Thumbnail, b.src.site.Colors
	o := ogimage.Options{Name: b.src.site.Name, Dark: t.Appearance == "dark" || t.Appearance == "" && b.src.site.Appearance.Default == "dark"}
	if at, err := url.Parse(b.opt.BaseURL); err == nil {
		o.Host = at.Host
	}
	logo := b.src.site.Logo.Light
	o.Accent = csscolor.First(c.Primary, "#3b5bdb")
	if o.Dark {
		logo, o.Accent = b.src.site.Logo.Dark, csscolor.First(c.Light, c.Primary, "#91a7ff")
	}
	var logoSum, backSum [sha256.Size]byte // of the files that were read
	if strings.HasSuffix(strings.ToLower(logo), ".png") {
		o.Logo, logoSum, _ = b.picture(logo) // on error the card shows the site's name instead
	}
	o.Picture, backSum = b.cardBackground(t.Background)
	if t.Font != "" && !strings.EqualFold(t.Font, "Inter") {
		b.w.warn(diag.Pos{File: b.src.site.File}, "font-unavailable", "Cards are set in Inter, not in %q.", t.Font)
	}
	b.cards = ogimage.New(faces, o)
	if b.opt.Cache != nil {
		b.keys.card = fingerprint.Of("cards", b.opt.Program, o.Name, o.Dark, o.Host, o.Accent, logoSum, backSum)
	}
	return nil
}

// cardBackground returns the author's background image for cards; nil when there is none or it cannot be used.
func (b *builder) cardBackground(ref string) (image.Image, [sha256.Size]byte) {
	if ref == "" {
		return nil, [sha256.Size]byte{}
	}
	img, sum, err := b.picture(ref)
	if err == nil {
		return img, sum
	}
	why := "cannot be read"
	switch {
	case errors.Is(err, ogimage.ErrTooLarge):
		why = "is too large"
	case errors.Is(err, ogimage.ErrFormat):
		why = "is neither PNG nor JPEG"
	}
	b.w.warn(diag.Pos{File: b.src.site.File}, "card-background", "The picture %q %s. Cards are drawn without it.", ref, why)
	b.w.hint("Name a PNG or JPEG file of the docs folder, 1200 by 630 pixels.")
	return nil, sum
}

// picture reads an image of the author's; sum is the digest of the file.
func (b *builder) picture(ref string) (img image.Image, sum [sha256.Size]byte, err error) {
	data, err := safefile.Read(b.src.fsys, strings.TrimPrefix(path.Clean("/"+ref), "/"), ogimage.PictureBytes)
	if err != nil {
		return nil, sum, err
	}
	img, err = ogimage.Decode(data)
	return img, sha256.Sum256(data), err
}

// namesPicture reports whether the author chose a preview image.
func namesPicture(list []site.Meta) bool {
	return slices.ContainsFunc(list, func(m site.Meta) bool {
		return m.Content != "" && (strings.EqualFold(m.Name, "og:image") || strings.EqualFold(m.Name, "twitter:image"))
	})
}

// drawCard draws a page's card and sets its address on the page.
func (b *builder) drawCard(r *result, frame *layout.Page, out string) {
	p := r.page
	if b.cards == nil || namesPicture(p.Details().Meta) {
		return
	}
	frame.Card = b.addr.Public(b.cardFile(p))
	if out != p.Path { // the copy at the root shares the page's card
		return
	}
	text := ogimage.Text{Title: p.Title, Description: p.Description}
	if text.Description == "" {
		text.Description = frame.Lead
	}
	for t := b.nav.trail(p.Path); t != nil; t = t.up {
		if k := t.node.Kind; text.Section == "" && (k == site.KindGroup || k == site.KindTab) {
			text.Section = t.node.Title
		}
	}
	r.card = b.drawCached(text)
}

// drawCached draws a card unless an earlier build did.
func (b *builder) drawCached(text ogimage.Text) []byte {
	if b.opt.Cache == nil {
		return b.cards.Draw(text)
	}
	key := fingerprint.Of("card", b.keys.card, text)
	if data, ok := b.opt.Cache.Get(key); ok {
		return data
	}
	data := b.cards.Draw(text)
	b.opt.Cache.Put(key, data)
	return data
}

// restoreCard sets the card of a page that comes from the cache.
func (b *builder) restoreCard(r *result, out string) {
	b.drawCard(r, &layout.Page{Lead: r.entry.lead}, out)
}

func (b *builder) cardFile(p *site.Page) string { return path.Join(cardFolder, p.Path+b.cards.Ext()) }

// putCard writes a page's card.
func (b *builder) putCard(ctx context.Context, r result) error {
	if r.card == nil {
		return nil
	}
	return b.w.put(ctx, b.cardFile(r.page), r.card)
}
