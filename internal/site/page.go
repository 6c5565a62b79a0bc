package site

import "reflect"

// Page is what is known about a page without its body. A site may have a hundred thousand of them, all in memory while it is built, so
// what few pages say stands apart, in PageDetails.
type Page struct {
	Path string // "guides/start"
	File string // "guides/start.mdx"; "" for a page made from an API description

	Title        string
	SidebarTitle string // "" = Title
	Description  string
	Icon         string
	Boost        float64 // weight in search; 0 = that of the nearest group, else 1
	Hidden       bool
	NoIndex      bool
	Deprecated   bool
	NoPagination bool
	Unsearchable bool // the site's own search and the assistant leave it out
	Feed         bool // it has an RSS feed
	NoMark       bool // its API method is not shown in navigation
	Public       bool
	TitleInBody  bool // Title is the body's own first heading, which the page must not show twice
	Listed       bool // some navigation entry names it

	API     *APIRef      // what it shows of an API description; nil for other pages
	details *PageDetails // never changed, only replaced; nil = the zero value
}

// PageDetails are what few pages say about themselves.
type PageDetails struct {
	IconType  string // style of the icon; "" = the library's own
	Tag       string
	Mode      string // "" = default
	Canonical string
	Robots    string
	External  string // the page is a link to this address
	Updated   string // the author's own date of its last change, as written
	Keywords  []string
	Meta      []Meta
	Menu      *Menu    // its own list of things to do; nil = the site's
	Related   []string // pages the author names as going further
	Timestamp *bool    // whether it tells when it was changed; nil = as the site does
	Groups    []string // readers who may see it. Empty in a finished site: scan leaves out pages that are not for everybody
}

// Details are the page's rarer properties: a copy, to read or to change and set again.
func (p *Page) Details() (d PageDetails) {
	if p.details != nil {
		d = *p.details
	}
	return d
}

// SetDetails replaces them. Copies of the page keep those that they have.
func (p *Page) SetDetails(d PageDetails) {
	p.details = nil
	if !reflect.ValueOf(d).IsZero() {
		p.details = &d
	}
}

// Label is the page's name in navigation.
func (p *Page) Label() string {
	if p.SidebarTitle != "" {
		return p.SidebarTitle
	}
	return p.Title
}

// Indexed tells whether search engines and machine-readable lists may name the page.
func (p *Page) Indexed(all bool) bool { return !p.Hidden && !p.NoIndex && (p.Listed || all) }
