package bundlecheck

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Contact is an address on another host that a file of the bundle would make a browser contact. Links are not
// included; their hosts are in Hosts. A page that redirects readers automatically is included.
type Contact struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Column  int     `json:"column"`
	Address string  `json:"address"` // as written, shortened
	Host    string  `json:"host"`
	Reason  Purpose `json:"reason"`
	When    When    `json:"when"`
	Allowed bool    `json:"allowed"` // the caller permits the host
}

// Purpose is what the browser uses an address for.
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
	ForConnection Purpose = "preconnect" // a connection is opened, or a name is resolved
	ForForm       Purpose = "form"
	ForPing       Purpose = "ping"
	ForRedirect   Purpose = "redirect" // the page redirects readers automatically
	ForAPI        Purpose = "api"      // the playground's requests
	ForFile       Purpose = "file"
)

// When is the event that makes the browser contact the address.
type When string

// The events.
const (
	OnLoad   When = "load"   // automatically, when the page is shown
	OnAction When = "action" // when the reader acts: sends a form, follows a link, calls an API
	// an author's script contains the address: only running the script would show whether and when it is contacted
	IfRun  When = "named"
	OnOpen When = "open" // when the file, such as an image, is opened directly
)

// maxContacts limits the list for one bundle. All contacts are counted.
const maxContacts = 10_000

// purposes maps the nouns for references in findings to purposes.
var purposes = map[string]Purpose{
	"script": ForScript, "style sheet": ForStyle, "font": ForFont, "picture": ForImage, "icon": ForImage,
	"recording": ForMedia, "frame": ForFrame, "object": ForFrame,
	"counter": ForFetch, "address": ForConnection, "form": ForForm, "ping": ForPing, "redirect": ForRedirect,
	"API": ForAPI,
}

// purposeOf returns the purpose of a reference. A style sheet does not say what kind of file it refers to, so the
// file's name is used.
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

// contact records an address on another host. It does nothing in the second pass.
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

// addContacts adds the contacts in one file.
func (r *Report) addContacts(t *tally) {
	r.ContactCount += t.contacted
	r.Contacts = append(r.Contacts, t.contacts[:min(len(t.contacts), maxContacts-len(r.Contacts))]...)
}

// closeContacts sorts contacts by position and removes duplicates.
func (r *Report) closeContacts() {
	slices.SortFunc(r.Contacts, func(a, b Contact) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Address, b.Address), cmp.Compare(a.Reason, b.Reason))
	})
	once := slices.Compact(r.Contacts)
	r.ContactCount -= len(r.Contacts) - len(once)
	r.Contacts = append([]Contact{}, once...)
}
