package layout

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/lectern-docs/lectern/internal/site"
)

// Banner returns the banner of a page, or nil. The caller passes its rendered text as Page.Banner.
func (f *Frame) Banner(p *site.Page) *site.Banner { return f.pageWriter(Page{Page: p}).chrome.Banner }

// bannerID identifies the text of a banner that can be dismissed, so that readers who dismissed it still see a new
// text. It returns "" for a banner that cannot be dismissed.
func (s *pageWriter) bannerID() string {
	b := s.chrome.Banner
	if b == nil || !b.Dismissible || len(s.p.Banner) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(b.Content))
	return hex.EncodeToString(sum[:5])
}

func (s *pageWriter) banner() {
	b := s.chrome.Banner
	if b == nil || len(s.p.Banner) == 0 {
		return
	}
	d := s.d
	d.Raw(`<div class="site-banner" role="region"`)
	s.id("banner")
	d.Attr("aria-label", s.words.Notice)
	d.AttrIf("data-type", b.Type)
	d.AttrIf("data-tone", s.signs.tone(b.Color))
	d.AttrIf("data-banner", s.bannerID())
	d.Raw(`><div class="site-banner-text" dir="auto">`)
	d.Trusted(s.p.Banner)
	d.Raw("</div>")
	if b.Dismissible {
		d.Raw(`<button type="button" class="icon-button" data-dismiss hidden`)
		d.Attr("aria-label", s.words.Close)
		d.Raw(`><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>`)
	}
	d.Raw("</div>\n")
}
