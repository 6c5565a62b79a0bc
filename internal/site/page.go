package site

import "reflect"

// Page is the metadata of a page, without its body. A site may have a hundred thousand of them, all in memory
// during a build, so rare properties are in PageDetails.
type Page struct {
	Path string // "guides/start"
	File string // "guides/start.mdx"; "" for a page generated from an API description

	Title        string
	SidebarTitle string // "" = Title
	Description  string
	Icon         string
	Boost        float64 // weight in search; 0 = that of the nearest group, otherwise 1
	Hidden       bool
	NoIndex      bool
	Deprecated   bool
	NoPagination bool
	Unsearchable bool // the site's own search and the assistant exclude it
	Feed         bool // it has an RSS feed
	NoMark       bool // navigation does not show its API method
	Public       bool // everyone may read it, even on a protected site
	TitleInBody  bool // Title is the first heading of the body and must not be shown twice
	Listed       bool // a navigation entry names it

	API     *APIRef      // the part of an API description it shows; nil for other pages
	details *PageDetails // never changed, only replaced; nil = no details
}

// PageDetails holds properties that few pages have.
type PageDetails struct {
	IconType  string // style of the icon; "" = the library's default
	Tag       string
	Mode      string // "" = default
	Canonical string
	Robots    string
	External  string // the page is a link to this URL
	Updated   string // the author's date of the last change, as written
	Keywords  []string
	Meta      []Meta
	Menu      *Menu    // its own menu; nil = the site's
	Related   []string // pages that the author lists as further reading
	Timestamp *bool    // whether the page shows its last change; nil = the site's setting
	// NotPublic means that the page's author declared it not public, which overrides the navigation.
	NotPublic bool
	Groups    []string // groups that may read it. Empty in a loaded site, because package load has selected the pages by then
}

// Details returns a copy of the page's rarer properties. To change them, modify the copy and pass it to SetDetails.
func (p *Page) Details() (d PageDetails) {
	if p.details != nil {
		d = *p.details
	}
	return d
}

// HasDetails reports whether the page has rarer properties.
func (p *Page) HasDetails() bool { return p.details != nil }

// SetDetails replaces the rarer properties. Copies of the page keep the old ones.
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

// Indexed reports whether search engines and machine-readable lists may include the page. all is the site's setting
// IndexAll.
func (p *Page) Indexed(all bool) bool { return !p.Hidden && !p.NoIndex && (p.Listed || all) }
