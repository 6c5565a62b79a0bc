package site

import "github.com/lectern-docs/lectern/internal/diag"

// Settings are what the site file says beside navigation.
type Settings struct {
	File        string // where the settings below come from, for findings about them
	Name        string
	Description string
	Theme       string
	Colors      Colors
	Logo        Logo
	Favicon     Pair // paths or addresses as written; "" when none
	Appearance  Appearance
	Fonts       Fonts
	Background  Background
	Styling     Styling
	Thumbnail   Thumbnail
	Chrome           // of every language that has none of its own
	Menu        Menu // no options = no menu
	NotFound    NotFound
	SEO         SEO
	SearchHint  string            // in the empty search field; "" = the platform's
	AgentNote   string            // what the author tells language models, for llms.txt
	FullSchema  bool              // Markdown forms of API pages carry the whole schema
	Timestamps  bool              // pages tell when they were changed last
	Drilldown   *bool             // a group with a page of its own leads there when opened; nil = as the theme does
	Variables   map[string]string // {{name}} in sources
	IconLibrary string            // "" = fontawesome
	API         API
}

// Site is everything about a site except the text of its pages.
type Site struct {
	Settings
	Styles  []string // author style sheets, loaded on every page; paths, ordered
	Scripts []string // author scripts, likewise

	Pages     []*Page // ordered by Path
	Nav       []*Node
	Redirects []Redirect
	Assets    []Asset  // ordered by Path
	Failed    []string // page paths whose source could not be read, ordered
	Left      []string // page paths that exist but were not selected for this output, ordered
}

// Page is what is known about a page without its body.
type Page struct {
	Path string // "guides/start"
	File string // "guides/start.mdx"; "" for a page made from an API description

	Title        string
	SidebarTitle string // "" = Title
	Description  string
	Icon         string
	IconType     string // style of Icon; "" = the library's own
	Tag          string
	Mode         string // "" = default
	Canonical    string
	Robots       string
	External     string // the page is a link to this address
	Keywords     []string
	Meta         []Meta
	Hidden       bool
	NoIndex      bool
	Deprecated   bool
	NoPagination bool
	Unsearchable bool     // the site's own search leaves it out
	Boost        float64  // weight in search; 0 = that of the nearest group, else 1
	Menu         *Menu    // its own list of things to do; nil = the site's
	Related      []string // pages the author names as going further
	Feed         bool     // it has an RSS feed
	NoMark       bool     // its API method is not shown in navigation
	Timestamp    *bool    // whether it tells when it was changed; nil = as the site does
	Updated      string   // the author's own date of its last change, as written
	Groups       []string // readers who may see it. Empty in a finished site: scan leaves out pages that are not for everybody
	Public       bool
	TitleInBody  bool // Title is the body's own first heading, which the page must not show twice
	Listed       bool // some navigation entry names it

	API *APIRef // what it shows of an API description; nil for other pages
}

// Meta is one extra element of the page head.
type Meta struct{ Name, Content string }

// Label is the page's name in navigation.
func (p *Page) Label() string {
	if p.SidebarTitle != "" {
		return p.SidebarTitle
	}
	return p.Title
}

// Indexed tells whether search engines and machine-readable lists may name the page.
func (p *Page) Indexed(all bool) bool { return !p.Hidden && !p.NoIndex && (p.Listed || all) }

// Redirect is one rule, written as the author wrote it (":slug*" and "*" stand for any rest of a path).
type Redirect struct {
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Permanent   bool     `json:"permanent"`
	Pos         diag.Pos `json:"-"`
}

// Asset is a file that is copied as it stands.
type Asset struct {
	Path string
	Size int64
}

// Colors are CSS colours in hexadecimal notation, checked by the reader; "" = the theme's own.
type Colors struct{ Primary, Light, Dark string }

// Logo is an image for each appearance; both are the same when the author gave one.
type Logo struct{ Light, Dark, Href string }

// Appearance is the first colour scheme a reader sees.
type Appearance struct {
	Default string // "system", "light" or "dark"
	Strict  bool   // the reader cannot change it
}

// Link is a labelled address.
type Link struct{ Label, Href, Icon string }

// Navbar is the row at the top of each page. Primary is nil when there is no main button.
type Navbar struct {
	Links   []Link
	Primary *Link
}

// Footer is the block at the end of each page.
type Footer struct {
	Socials []Link
	Columns []Column
}

// Column is one list of links in the footer.
type Column struct {
	Header string
	Items  []Link
}
