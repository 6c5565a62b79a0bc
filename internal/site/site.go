package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// Settings are what the site file says beside navigation.
type Settings struct {
	File         string // where the settings below come from, for findings about them
	Name         string
	Description  string
	Theme        string
	Colors       Colors
	Logo         Logo
	Favicon      Pair // paths or addresses as written; "" when none
	Appearance   Appearance
	Fonts        Fonts
	Background   Background
	Styling      Styling
	Thumbnail    Thumbnail
	Chrome            // of every language that has none of its own
	Menu         Menu // no options = no menu
	NotFound     NotFound
	SEO          SEO
	SearchHint   string            // in the empty search field; "" = the platform's
	AgentNote    string            // what the author tells language models, for lists and Markdown forms; lines are kept
	FullSchema   bool              // Markdown forms of API pages carry the part of the description behind them
	Timestamps   bool              // pages tell when they were changed last
	NoThumbs     bool              // readers are not asked what they think of pages, where they could be
	SuggestEdit  Asked             // pages have a link to change them
	RaiseIssue   Asked             // pages have a link to tell of problems
	Repository   Repository        // where they lead; of whoever builds the site, not of its file
	Drilldown    *bool             // a group with a page of its own leads there when opened; nil = as the theme does
	Variables    map[string]string // {{name}} in sources
	IconLibrary  string            // "" = fontawesome
	API          API
	Integrations []Integration // analytics tools that the author named, by name
}

// Asked is a wish of the site file that not every build can fulfil, and where it stands.
type Asked struct {
	On  bool
	Pos diag.Pos
}

// Integration is an analytics tool: the key by which it knows the site, and where it answers, "" = at its own address.
type Integration struct{ Tool, Key, Host string }

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

// Meta is one extra element of the page head.
type Meta struct{ Name, Content string }

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
type Link struct{ Label, Href, Icon, IconType string }

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
