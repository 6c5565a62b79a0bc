package site

import "reflect"

// Page is the metadata of a page, without its body. A site may have a hundred thousand pages, which are all in memory
// during a build. Rare properties are therefore in PageDetails.
type Page struct {
	Path string // "guides/start"
	File string // "guides/start.mdx"; "" for a page generated from an API description

	Title        string
	SidebarTitle string // "" = Title
	Description  string
	Icon         string
	Boost        float64 // weight in search; 0 = the weight of the nearest group that has one, otherwise 1
	Hidden       bool
	NoIndex      bool
	Deprecated   bool
	NoPagination bool
	Unsearchable bool // the site's own search and the assistant exclude the page
	Feed         bool // the page has an RSS feed
	NoMark       bool // the navigation does not show the page's API method
	Public       bool // everyone may read the page, even on a protected site
	TitleInBody  bool // Title is the first heading of the body and must not be shown twice
	Listed       bool // a navigation entry names the page

	API     *APIRef      // the part of an API description that the page shows; nil for other pages
	details *PageDetails // replaced, but never modified; nil = no details
}

// PageDetails holds properties that few pages have.
type PageDetails struct {
	IconType  string // style of the icon; "" = the library's default
	Tag       string
	Mode      string // "" = default
	Canonical string
	Robots    string
	External  string // the page is only a link to this URL
	Updated   string // the author's date of the last change, as the author wrote it
	Keywords  []string
	Meta      []Meta
	Menu      *Menu    // the page's own menu; nil = the site's
	Related   []string // pages that the author lists as further reading
	Timestamp *bool    // whether the page shows the time of its last change; nil = the site's setting
	// NotPublic means that the author has declared the page not public. This overrides the navigation.
	NotPublic bool
	Groups    []string // groups that may read the page; empty in a loaded site, because package load selects the pages
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

// SetDetails replaces the rarer properties. Copies of the page keep the old properties.
func (p *Page) SetDetails(d PageDetails) {
	p.details = nil
	if !reflect.ValueOf(d).IsZero() {
		p.details = &d
	}
}

// Label returns the name that the navigation shows for the page.
func (p *Page) Label() string {
	if p.SidebarTitle != "" {
		return p.SidebarTitle
	}
	return p.Title
}

// Indexed reports whether search engines and machine-readable lists may include the page. all is the site's setting
// IndexAll.
func (p *Page) Indexed(all bool) bool { return !p.Hidden && !p.NoIndex && (p.Listed || all) }
