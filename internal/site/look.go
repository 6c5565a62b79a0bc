package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// This file holds what the site file says about looks. Every value was checked by the reader; what was wrong is absent.

// Pair is a value for light pages and one for dark pages; both are the same when the author gave one.
type Pair struct{ Light, Dark string }

// Font is a typeface. Family alone names one that the platform carries, or one of the reader's machine.
type Font struct {
	Family string
	Weight int    // 0 = the theme's own
	Source string // path or address of a font file; "" = none
	Format string // "woff" or "woff2"; "" = by the file's name
}

// Fonts are the typefaces of headings and of everything else.
type Fonts struct{ Heading, Body Font }

// Background is what stands behind pages.
type Background struct {
	Decoration string // "gradient", "grid", "windows" or ""
	Color      Pair   // hexadecimal
	Image      Pair   // paths or addresses
}

// Styling is how parts of a page look.
type Styling struct {
	Breadcrumbs bool // the way to the page stands above its title, not only its group
	CodeTheme   Pair // names of colour schemes for code, or "system"; "" = the theme's own
	NoMath      bool // formulas are not typeset
}

// Thumbnail is how the pictures look that other sites show beside a link.
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

// Menu is the list of things to do with a page: copy it, open it elsewhere.
type Menu struct {
	Options []MenuOption
	InTOC   bool // it stands beside the outline, not beside the title
}

// MenuOption is one of them: a name of the platform's own ("copy", "view", "chatgpt", …), or an author's with a title.
type MenuOption struct {
	Name               string // "" for an author's own
	Title, Description string
	Icon, IconType     string // IconType is its style; "" = the library's own
	Href               string // may hold $page, $path and $mcp
	Query              []Meta // parameters to add to Href, ordered
}

// NotFound is the page for addresses that lead nowhere.
type NotFound struct {
	Title, Description string
	Redirect           bool // it sends readers to the first page
}

// Organization is who stands behind the site, for search engines.
type Organization struct {
	ID, Name, LegalName, URL, Logo string
	SameAs                         []string
}

// SEO is what search engines are told beside each page's own.
type SEO struct {
	IndexAll      bool // pages outside navigation are offered too
	NoIndex       bool // nothing of the site is
	TrailingSlash bool // addresses for search engines end in a slash
	Meta          []Meta
	Organization  Organization
}

// Chrome is what stands around pages and may differ by language.
type Chrome struct {
	Navbar Navbar
	Footer Footer
	Banner *Banner // nil = none
}
