package site

import (
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Settings holds the content of the site file except for the navigation.
type Settings struct {
	File        string // the file that the settings come from; findings about them refer to it
	Name        string
	Description string
	Theme       string
	Colors      Colors
	Logo        Logo
	Favicon     Pair // paths or URLs as written; "" = none
	Appearance  Appearance
	Fonts       Fonts
	Background  Background
	Styling     Styling
	Thumbnail   Thumbnail
	Chrome           // the default for languages without a frame of their own
	Menu        Menu // no options = no menu
	NotFound    NotFound
	SEO         SEO
	SearchHint  string // placeholder of the search field; "" = the platform's
	// Synonyms are groups of words and phrases that the site's search treats as the same, in addition to the
	// built-in ones. nil = none.
	Synonyms [][]string
	// the author's note for language models, with line breaks; included in lists and Markdown forms
	AgentNote    string
	FullSchema   bool              // Markdown forms of API pages include the part of the description they show
	Timestamps   bool              // pages show when they last changed
	NoThumbs     bool              // no feedback form, even if the server supports it
	SuggestEdit  Asked             // pages have an edit link
	RaiseIssue   Asked             // pages have a link to report an issue
	Repository   Repository        // what these links lead to; set by the build, not by the site file
	Drilldown    *bool             // a closed group inside a group links to its first page; nil = the theme's default
	Variables    map[string]string // {{name}} in sources
	IconLibrary  string            // "" = fontawesome
	API          API
	Integrations []Integration // third-party services configured by the author, by name
	Consent      Consent       // what third-party services wait for; zero = they do not wait
	NoTelemetry  bool          // pages do not report visits, even if the server counts them
	Allow        csp.Allow     // sources on other hosts that pages may use
}

// Asked is a setting that some builds cannot apply, together with its position in the site file.
type Asked struct {
	On  bool
	Pos diag.Pos
}

// Integration is a third-party service: its name in package integration and the values of its fields.
type Integration struct {
	Service string
	Values  map[string]string
}

// Consent is an entry in the browser's local storage which records that the reader agreed to third-party services.
type Consent struct{ Key, Value string }

// Site is everything about a site except the text of its pages.
type Site struct {
	Settings
	Styles  []string // the author's style sheets, loaded on every page; paths, in order
	Scripts []string // the author's scripts, loaded on every page; paths, in order

	Pages     []*Page // sorted by Path
	Nav       []*Node
	Redirects []Redirect
	Assets    []Asset  // sorted by Path
	Failed    []string // sorted paths of pages whose source could not be read
	Left      []string // sorted paths of pages that exist but are not part of this output
}

// Meta is an extra element of the page head.
type Meta struct{ Name, Content string }

// Redirect is one rule as the author wrote it. ":slug*" and "*" match the rest of a path.
type Redirect struct {
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Permanent   bool     `json:"permanent"`
	Pos         diag.Pos `json:"-"`
}

// Asset is a file that is copied unchanged.
type Asset struct {
	Path string
	Size int64
	Data string // served instead of the file's content; "" = serve the file's content
}

// Colors are CSS colours in hexadecimal notation, validated by package docsjson; "" = the theme's colour.
type Colors struct{ Primary, Light, Dark string }

// Logo is an image for each appearance. If the author set only one, both are the same.
type Logo struct{ Light, Dark, Href string }

// Appearance is the initial colour scheme.
type Appearance struct {
	Default string // "system", "light" or "dark"
	Strict  bool   // the reader cannot change the scheme
}

// Link is a labelled URL.
type Link struct{ Label, Href, Icon, IconType string }

// Navbar is the bar at the top of each page. Primary is nil if there is no main button.
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
