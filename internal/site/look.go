package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// This file holds the settings of the site's appearance. Package docsjson has validated every value and removed
// invalid ones.

// Pair is a value for light pages and one for dark pages. If the author set only one, both are the same.
type Pair struct{ Light, Dark string }

// Font is a typeface. Without Source, Family is a font that the platform includes or one that is installed on the
// reader's machine.
type Font struct {
	Family string
	Weight int    // 0 = the theme's weight
	Source string // path or URL of a font file; "" = none
	Format string // "woff" or "woff2"; "" = derived from the file name
}

// Fonts holds the typefaces of headings and of all other text.
type Fonts struct{ Heading, Body Font }

// Background is the background of pages.
type Background struct {
	Decoration string // "gradient", "grid", "windows" or ""
	Color      Pair   // hexadecimal
	Image      Pair   // paths or URLs
}

// Styling holds styles for parts of a page.
type Styling struct {
	Breadcrumbs bool // show the full path above the title instead of only the group
	CodeTheme   Pair // names of colour schemes for code, or "system"; "" = the theme's scheme
	NoMath      bool // formulas are not typeset
	// OriginalImages makes pages use the author's image files without generated variants.
	OriginalImages bool
}

// Thumbnail configures the preview images that other sites show with a link.
type Thumbnail struct {
	Appearance string // "light", "dark" or ""
	Background string // path or URL of an image
	Font       string
}

// Banner is a line above every page. Content is MDX.
type Banner struct {
	Content     string
	Dismissible bool
	Type        string // "info", "warning", "critical" or ""
	Color       Pair   // hexadecimal; "" = the colour for the type
	Pos         diag.Pos
}

// Menu is the list of actions for a page, such as copying it or opening it in another program.
type Menu struct {
	Options []MenuOption
	InTOC   bool // shown next to the table of contents instead of the title
}

// MenuOption is one action: either a built-in one ("copy", "view", "chatgpt", …), or the author's own action, which has
// a title.
type MenuOption struct {
	Name               string // "" for an author's own action
	Title, Description string
	Icon, IconType     string // IconType is the style of the icon; "" = the library's default
	Href               string // may contain $page, $path and $mcp
	Query              []Meta // parameters to add to Href, in order
}

// NotFound configures the page for unknown paths.
type NotFound struct {
	Title, Description string
	Redirect           bool // redirects readers to the first page
}

// Organization is the publisher of the site, for search engines.
type Organization struct {
	ID, Name, LegalName, URL, Logo string
	SameAs                         []string
}

// SEO holds metadata for search engines in addition to that of each page.
type SEO struct {
	IndexAll      bool // also index pages that are not in the navigation
	NoIndex       bool // do not index the site
	TrailingSlash bool // canonical URLs end with a slash
	Meta          []Meta
	Organization  Organization
}

// Chrome is the frame around pages, which may differ by language.
type Chrome struct {
	Navbar Navbar
	Footer Footer
	Banner *Banner // nil = no banner
}
