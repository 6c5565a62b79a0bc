package layout

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// Links writes addresses as seen from one page.
type Links interface {
	Page(page, anchor string) string
	File(file string) string
	Root() string
	// Address resolves an address from the site file; "" when it must not be written out.
	Address(ref string) string
	// Size is that of a picture which Address leads to, in CSS pixels; both are 0 when it is not known.
	Size(ref string) (width, height int)
}

// Assets are what all pages of a site share. Style to Llms are paths in the tree.
type Assets struct {
	Style, Site, Boot, Script string
	Icons                     string // the icons of navigation; "" = none
	// the search engine and the entry of its index; both "" = no search
	Search, Index   string
	Assistant       Assistant // zero = none
	Count           Count     // zero = nothing is counted
	Versions        Versions  // zero = there are none
	Fonts           []string  // font files that every page needs at once
	CodeFont        string    // the font file of code, which pages with code need at once; "" = none
	Styles, Scripts []string  // the author's own, after ours
	Llms            string    // the list of pages for language models; "" = none
	MCP             string    // address of the site's MCP server; "" = none
	SignIn          string    // where readers who have not signed in do so; "" = nowhere, or they have
	// canonical origin with the site's base path, no trailing slash; "" = unknown
	Origin    string
	Canonical func(page string) string // a page's one public address; nil = unknown
}

// Heading is an entry of the outline.
type Heading struct {
	Level    int
	ID, Text string
	Folded   bool // in a part of the page that is closed at first
}

// Page is what the frame is put around.
type Page struct {
	Page      *site.Page
	HTML      []byte   // from package render
	Side      []byte   // the panel beside it; then the page has no outline column
	Sheets    []string // more style sheets and scripts that only this page needs: paths in the tree
	Scripts   []string
	Mermaid   string // path of the diagram script when the page may need it
	Outline   []Heading
	Lead      string // the description when the page has none of its own
	Canonical string
	Twin      string    // path of the Markdown form in the tree
	Spec      string    // path of the API description behind the page, to download; "" = none
	Feed      string    // path of its RSS feed; "" = none
	Card      string    // absolute address of the picture that other sites show beside a link; "" = none
	Banner    []byte    // the text of the banner that Frame.Banner names, rendered; nil = none. Trusted
	Graph     []byte    // JSON-LD; nil = none. Trusted to be JSON
	Modified  time.Time // when the page changed last; zero = unknown
	Links     Links
}

// Frame lays out the pages of one site. It is safe for concurrent use.
type Frame struct {
	site   *site.Site
	assets Assets
	signs  *IconSheet // nil: no icons of the library
	tree   *tree
}

// New prepares a site's frame. signs may be nil; then navigation shows no icons of the library.
func New(s *site.Site, a Assets, signs *IconSheet) *Frame {
	return &Frame{site: s, assets: a, signs: signs, tree: newTree(s)}
}

// Render writes the document of one page.
func (f *Frame) Render(p Page) []byte {
	s := f.pageWriter(p)
	d := s.d
	d.Grow(len(p.HTML) + 16<<10)
	s.head()
	d.Raw("<body>\n", `<a class="skip"`)
	d.Attr("href", "#"+s.textID())
	d.Raw(">")
	d.Text(s.words.Skip)
	d.Raw("</a>\n<div")
	s.id("background-color")
	d.Raw(" class=\"backdrop\" aria-hidden=\"true\"></div>\n")
	s.banner()
	s.navbar()
	d.Raw(`<div class="shell`)
	if s.split() {
		d.Raw(" shell-wide")
	}
	d.Raw(`"`)
	s.id("body-content")
	d.AttrIf("data-mode", s.mode)
	d.Raw(">\n")
	s.sidebar()
	s.openMain()
	s.article()
	s.askPage()
	if !s.bare() {
		if s.mode != modeAssistant {
			s.related()
			s.feedback()
			s.contribute()
			s.paging()
		}
		s.footer()
	}
	d.Raw("</main>\n")
	d.Raw("</div></div>\n</body>\n</html>\n")
	return d.Bytes()
}

// openMain opens the part of the page beside the sidebar and writes the outline, which is a bar above the text on narrow
// windows. The wrapper has no box: authors' rules select by its id, and the grid lays out what is inside.
func (s *pageWriter) openMain() {
	s.d.Raw(`<div class="beside"`)
	s.id("content-container")
	s.d.Raw(">\n")
	if !s.split() && s.mode == "" {
		s.outline()
	}
	s.d.Raw(`<main class="main" tabindex="-1"`)
	s.id("content-area")
	s.d.Raw(">\n")
}

// pageWriter writes the document of one page.
type pageWriter struct {
	*Frame
	d     *htmlbuf.Buffer
	p     Page
	links Links
	// where the frame stands; that of the first page when the page stands nowhere; nil without navigation
	at     *place
	chain  []*entry // from the root down to at; nil without navigation
	listed bool     // the page itself stands at that place
	code   string   // of the language, as the site file spells it; "" = none
	words  i18n.Words
	chrome site.Chrome
	mode   string          // one that the frame knows; "" = default
	taken  map[string]bool // ids of the contract that the page's own text uses
	again  bool            // while a menu is written that is on the page already
}

func (f *Frame) pageWriter(p Page) *pageWriter {
	s := &pageWriter{Frame: f, d: &htmlbuf.Buffer{}, p: p, links: p.Links, chrome: f.site.Chrome}
	s.at = f.tree.at(p.Page.Path)
	s.listed = s.at != nil
	if !s.listed {
		s.at = f.tree.near(p.Page.Path)
	}
	if s.at != nil {
		s.chain = s.at.entry.chain()
	}
	for _, e := range s.chain {
		if e.node.Kind == site.KindLanguage {
			s.code = e.node.Title
			s.chrome = f.tree.chrome(e, f.site.Chrome)
		}
	}
	s.words = i18n.Of(s.code)
	s.taken = contractIDs(p.HTML, p.Side)
	switch mode := p.Page.Details().Mode; mode {
	case "wide", "custom", "frame", "center":
		s.mode = mode
	case modeAssistant:
		if f.assets.Assistant.on() && len(p.Side) == 0 {
			s.mode = mode
		}
	}
	return s
}

// bare reports whether the page stands alone below the navbar.
func (s *pageWriter) bare() bool { return Bare(s.p.Page) }

// Bare reports whether a page stands alone below the navbar, without a title that is seen.
func Bare(p *site.Page) bool {
	mode := p.Details().Mode
	return mode == "custom" || mode == "frame"
}

// split reports whether a panel stands beside the text, where other pages have their outline.
func (s *pageWriter) split() bool { return len(s.p.Side) > 0 && !s.bare() }
