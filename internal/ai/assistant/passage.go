package assistant

import (
	"context"
	"net/url"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
)

// passage is a part of a page that an answer may use and cite.
type passage struct {
	number int
	page   string // "guides/start"
	anchor string
	title  string // title of the page, then of the part
	text   string // Markdown
	from   int    // offset in the page where the text starts, if a page is read in parts
	fit    float64
}

// path returns the passage's address, as readers see it.
func (p passage) path() string {
	u := url.URL{Path: sitereader.Address(p.page), Fragment: p.anchor}
	return u.String()
}

const maxPassage = 2_400 // bytes

// fromHit returns the passage for a search hit.
func fromHit(ctx context.Context, l *sitereader.Library, h sitereader.Hit) passage {
	part := l.Section(ctx, h)
	text, _, _ := part.Around(maxPassage)
	p := passage{page: h.Path, anchor: h.Anchor, title: h.Title, text: guard.Clean(text)}
	if n := len(part.Trail); n > 1 {
		p.title += " › " + part.Trail[n-1]
	}
	return p
}
