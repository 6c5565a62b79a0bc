package bundlecheck

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Contact is an address at another host that a file of the bundle would make a browser contact. Links are none: they
// are Hosts. A page that sends readers on by itself is one.
type Contact struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Column  int     `json:"column"`
	Address string  `json:"address"` // as written, shortened
	Host    string  `json:"host"`
	Reason  Purpose `json:"reason"`
	When    When    `json:"when"`
	Allowed bool    `json:"allowed"` // the caller allows the host
}

// Purpose is what the address is for.
type Purpose string

// The purposes.
const (
	ForScript     Purpose = "script"
	ForStyle      Purpose = "style"
	ForFont       Purpose = "font"
	ForImage      Purpose = "image"
	ForMedia      Purpose = "media"
	ForFrame      Purpose = "frame"
	ForFetch      Purpose = "fetch"      // requested by a script
	ForConnection Purpose = "preconnect" // a connection is opened, or a name is looked up
	ForForm       Purpose = "form"
	ForPing       Purpose = "ping"
	ForRedirect   Purpose = "redirect" // the page sends readers there by itself
	ForAPI        Purpose = "api"      // the playground's requests
	ForFile       Purpose = "file"
)

// When says what makes the browser contact it.
type When string

// The moments.
const (
	OnLoad   When = "load"   // by itself, when the page is shown
	OnAction When = "action" // when the reader does something: sends a form, follows a link, tries an API
	// an author's script names it: only running the script would report whether and when it is contacted
	IfRun  When = "named"
	OnOpen When = "open" // when the file, such as a picture, is opened by itself
)

// maxContacts bounds what is listed of one bundle. Everything is counted.
const maxContacts = 10_000

// purposes are the nouns for references in findings.
var purposes = map[string]Purpose{
	"script": ForScript, "style sheet": ForStyle, "font": ForFont, "picture": ForImage, "icon": ForImage,
	"recording": ForMedia, "frame": ForFrame, "object": ForFrame,
	"counter": ForFetch, "address": ForConnection, "form": ForForm, "ping": ForPing, "redirect": ForRedirect,
	"API": ForAPI,
}

// purposeOf returns the reason of a reference; style sheets do not say what a file is, but its name does.
func purposeOf(what, value string) Purpose {
	if r := purposes[what]; r != "" {
		return r
	}
	name, _, _ := strings.Cut(value, "?")
	switch strings.ToLower(path.Ext(name)) {
	case ".woff", ".woff2", ".ttf", ".otf", ".eot":
		return ForFont
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico":
		return ForImage
	case ".js", ".mjs":
		return ForScript
	case ".css":
		return ForStyle
	}
	return ForFile
}

// contact notes an address at another host. It is reported when the file is first read.
func (f *file) contact(at placer, value, host, what string, when When) {
	if f.second {
		return
	}
	f.t.contacted++
	if len(f.t.contacts) >= maxTold {
		return
	}
	if f.bare {
		when = OnOpen
	}
	pos := at()
	f.t.contacts = append(f.t.contacts,
		Contact{File: f.path, Line: pos.Line, Column: pos.Column, Address: shown(browsersReading(value)), Host: host,
			Reason: purposeOf(what, value), When: when, Allowed: f.allowed(host)})
}

// addContacts takes over what was found in one file.
func (r *Report) addContacts(t *tally) {
	r.ContactCount += t.contacted
	r.Contacts = append(r.Contacts, t.contacts[:min(len(t.contacts), maxContacts-len(r.Contacts))]...)
}

// closeContacts orders them by place, once each.
func (r *Report) closeContacts() {
	slices.SortFunc(r.Contacts, func(a, b Contact) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Address, b.Address), cmp.Compare(a.Reason, b.Reason))
	})
	once := slices.Compact(r.Contacts)
	r.ContactCount -= len(r.Contacts) - len(once)
	r.Contacts = append([]Contact{}, once...)
}
