package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// This file holds the settings of the site's appearance. Package docsjson has validated every value; invalid ones are
// absent.

// Pair is a value for light pages and one for dark pages; both are the same when the author gave one.
type Pair struct{ Light, Dark string }

// Font is a typeface. Family alone names one that the platform includes, or one installed on the reader's machine.
type Font struct {
	Family string
	Weight int    // 0 = the theme's own
	Source string // path or address of a font file; "" = none
	Format string // "woff" or "woff2"; "" = by the file's name
}

// Fonts are the typefaces of headings and of everything else.
type Fonts struct{ Heading, Body Font }

// Background is the background of pages.
type Background struct {
	Decoration string // "gradient", "grid", "windows" or ""
	Color      Pair   // hexadecimal
	Image      Pair   // paths or addresses
}

// Styling holds styles of parts of a page.
type Styling struct {
	Breadcrumbs bool // show the full path above the title, not only the group
	CodeTheme   Pair // names of colour schemes for code, or "system"; "" = the theme's own
	NoMath      bool // formulas are not typeset
	// OriginalImages has every reader load pictures as the author's files have them.
	OriginalImages bool
}

// Thumbnail configures the preview images that other sites show beside a link.
type Thumbnail struct {
	Appearance string // "light", "dark" or ""
	Background string // path or address of a picture
	Font       string
}

// Banner is a line above every page. Content is MDX.
type Banner struct {
	Content     string
	Dismissible bool
	Type        string // "info", "warning", "critical" or ""
	Color       Pair   // hexadecimal; "" = by type
	Pos         diag.Pos
}

// Menu is the list of actions on a page: copy it, open it elsewhere.
type Menu struct {
	Options []MenuOption
	InTOC   bool // shown beside the table of contents instead of the title
}

// MenuOption is one action: a built-in one ("copy", "view", "chatgpt", …), or a custom one with a title.
type MenuOption struct {
	Name               string // "" for an author's own
	Title, Description string
	Icon, IconType     string // IconType is its style; "" = the library's own
	Href               string // may contain $page, $path and $mcp
	Query              []Meta // parameters to add to Href, ordered
}

// NotFound configures the page for unknown paths.
type NotFound struct {
	Title, Description string
	Redirect           bool // it sends readers to the first page
}

// Organization is the publisher of the site, for search engines.
type Organization struct {
	ID, Name, LegalName, URL, Logo string
	SameAs                         []string
}

// SEO is metadata for search engines beyond that of each page.
type SEO struct {
	IndexAll      bool // pages outside navigation are indexed too
	NoIndex       bool // nothing of the site is indexed
	TrailingSlash bool // addresses for search engines end in a slash
	Meta          []Meta
	Organization  Organization
}

// Chrome is the frame around pages, which may differ by language.
type Chrome struct {
	Navbar Navbar
	Footer Footer
	Banner *Banner // nil = none
}
