package layout

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// Links writes URLs relative to one page.
type Links interface {
	Page(page, anchor string) string
	File(file string) string
	Root() string
	// Address resolves a URL from the site file. It returns "" for a URL that must not be written.
	Address(ref string) string
	// Size returns the size of the image that Address resolves ref to, in CSS pixels, or 0, 0 if the size is unknown.
	Size(ref string) (width, height int)
}

// Assets holds the files that all pages of a site share. The fields from Style to Llms are paths in the tree.
type Assets struct {
	Style, Site, Boot, Script string
	Icons                     string // style sheet with the icons of the navigation; "" = none
	// the search engine and the entry file of its index; both "" = no search
	Search, Index   string
	Assistant       Assistant // zero = no assistant
	Count           Count     // zero = no analytics
	Versions        Versions  // zero = no versions
	Fonts           []string  // font files to preload on every page
	CodeFont        string    // font file for code to preload on pages with code; "" = none
	Styles, Scripts []string  // the author's own files, loaded after the platform's
	Llms            string    // list of pages for language models; "" = none
	MCP             string    // URL of the site's MCP server; "" = none
	SignIn          string    // URL of the sign-in page for readers who have not signed in; "" = none
	// canonical origin with the site's base path, without a trailing slash; "" = unknown
	Origin    string
	Canonical func(page string) string // returns the public URL of a page; nil = unknown
}

// Heading is an entry of the outline.
type Heading struct {
	Level    int
	ID, Text string
	Folded   bool // in a part of the page that is initially closed
}

// Page is a page without its frame.
type Page struct {
	Page      *site.Page
	HTML      []byte   // from package render
	Side      []byte   // the panel next to the text, which replaces the outline
	Sheets    []string // additional style sheets and scripts for this page: paths in the tree
	Scripts   []string
	Mermaid   string // path of the diagram script if the page may need it
	Outline   []Heading
	Lead      string // description to use if the page has none
	Canonical string
	Twin      string    // path of the Markdown form in the tree
	Spec      string    // path of the API description that the page shows, for download; "" = none
	Feed      string    // path of the page's RSS feed; "" = none
	Card      string    // absolute URL of the preview image that other sites show with a link; "" = none
	Banner    []byte    // the rendered text of the banner that Frame.Banner returns; nil = none. Written unescaped
	Graph     []byte    // JSON-LD; nil = none. Must be valid JSON
	Modified  time.Time // time of the last change; zero = unknown
	Links     Links
}

// Frame lays out the pages of one site. It is safe for concurrent use.
type Frame struct {
	site   *site.Site
	assets Assets
	signs  *IconSheet // nil: no icons from the library
	tree   *tree
}

// New returns the frame of a site. If signs is nil, the navigation shows no icons from the library.
func New(s *site.Site, a Assets, signs *IconSheet) *Frame {
	return &Frame{site: s, assets: a, signs: signs, tree: newTree(s)}
}

// Render returns the document of one page.
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

// openMain opens the part of the page next to the sidebar and writes the outline. In narrow windows, the outline is a
// bar above the text. The wrapper generates no box: authors' CSS uses its id, and the grid lays out its children.
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
	// position of the page in the navigation; nil without navigation. A page that is not in the navigation has the
	// position of the first page.
	at     *place
	chain  []*entry // from the root to at; nil without navigation
	listed bool     // the page itself is in the navigation
	code   string   // language code as in the site file; "" = none
	words  i18n.Words
	chrome site.Chrome
	mode   string          // a known mode; "" = default
	taken  map[string]bool // ids in package contract that the page's own text uses
	again  bool            // true while writing a menu that is already on the page
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

// bare reports whether the page has no sidebar and no outline.
func (s *pageWriter) bare() bool { return Bare(s.p.Page) }

// Bare reports whether a page has only the navbar, without sidebar, outline and visible title.
func Bare(p *site.Page) bool {
	mode := p.Details().Mode
	return mode == "custom" || mode == "frame"
}

// split reports whether a panel is shown next to the text, in place of the outline.
func (s *pageWriter) split() bool { return len(s.p.Side) > 0 && !s.bare() }
