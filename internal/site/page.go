package site

import "reflect"

// Page is the metadata of a page, without its body. A site may have a hundred thousand of them, all in memory during a
// build, so rare properties are in PageDetails.
type Page struct {
	Path string // "guides/start"
	File string // "guides/start.mdx"; "" for a page generated from an API description

	Title        string
	SidebarTitle string // "" = Title
	Description  string
	Icon         string
	Boost        float64 // weight in search; 0 = that of the nearest group, else 1
	Hidden       bool
	NoIndex      bool
	Deprecated   bool
	NoPagination bool
	Unsearchable bool // the site's own search and the assistant omit it
	Feed         bool // it has an RSS feed
	NoMark       bool // its API method is not shown in navigation
	Public       bool // everybody may read it, also on a protected site
	TitleInBody  bool // Title is the body's own first heading, which the page must not show twice
	Listed       bool // a navigation entry names it

	API     *APIRef      // the part of an API description it shows; nil for other pages
	details *PageDetails // never changed, only replaced; nil = the zero value
}

// PageDetails are properties that few pages have.
type PageDetails struct {
	IconType  string // style of the icon; "" = the library's own
	Tag       string
	Mode      string // "" = default
	Canonical string
	Robots    string
	External  string // the page is a link to this URL
	Updated   string // the author's own date of its last change, as written
	Keywords  []string
	Meta      []Meta
	Menu      *Menu    // its own menu; nil = the site's
	Related   []string // pages that the author lists as further reading
	Timestamp *bool    // whether it shows its last change; nil = the site's setting
	// NotPublic is set if the author writes that the page is not public: what navigation says about that is ignored.
	NotPublic bool
	Groups    []string // groups that may read it. Empty in a loaded site: package load has selected the pages by then
}

// Details returns a copy of the page's rarer properties, to read or to change and set again.
func (p *Page) Details() (d PageDetails) {
	if p.details != nil {
		d = *p.details
	}
	return d
}

// HasDetails reports whether the page has one of its rarer properties.
func (p *Page) HasDetails() bool { return p.details != nil }

// SetDetails replaces them. Copies of the page keep those that they have.
func (p *Page) SetDetails(d PageDetails) {
	p.details = nil
	if !reflect.ValueOf(d).IsZero() {
		p.details = &d
	}
}

// Label returns the page's name in navigation.
func (p *Page) Label() string {
	if p.SidebarTitle != "" {
		return p.SidebarTitle
	}
	return p.Title
}

// Indexed reports whether search engines and machine-readable lists may name the page.
func (p *Page) Indexed(all bool) bool { return !p.Hidden && !p.NoIndex && (p.Listed || all) }
