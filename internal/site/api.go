package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// API configures the pages about an API. It also holds defaults for API pages that have no description.
type API struct {
	Playground   string   // "interactive", "simple", "none", "auth"; "" = interactive
	NoProxy      bool     // requests always go directly from the reader's browser to the API
	Credentials  bool     // requests include the browser's cookies for the API; only without a proxy
	Expanded     bool     // nested fields are initially expanded
	Pills        []string // schema keys whose values are shown next to the name
	FullURL      bool     // show the full URL even if there is only one server
	Languages    []string // languages of generated samples, in order; empty = the defaults
	RequiredOnly bool     // samples omit optional values
	NoSamples    bool     // do not generate samples
	Servers      []string // for pages with `api:`
	AuthMethod   string   // for pages with `api:`: "bearer", "basic", "key", "cobo" or ""
	AuthName     string
}

// APIKind is the kind of object that a page about an API shows.
type APIKind string

const (
	APIOperation APIKind = "operation"
	APIWebhook   APIKind = "webhook"
	APISchema    APIKind = "schema"
	APIChannel   APIKind = "channel"
	APIManual    APIKind = "manual" // described by the page itself
)

// APIRef identifies the part of an API description that a page shows. Package load creates it; it never changes
// afterwards.
type APIRef struct {
	Kind       APIKind
	Spec       string // name of the description; "" for APIManual
	Method     string // upper case
	Path       string // path or URL; the name of a webhook, schema or channel
	Playground string // the page's own setting; "" = the site's
	Auth       string // APIManual: the page's own authentication method, "none" for no authentication; "" = the site's
	Describe   bool   // the body shows the description's own text
	Missing    bool   // the description could not be read or does not contain this part
	Written    string // as the author wrote it
	Pos        diag.Pos
}

// Source lists API descriptions whose pages belong to a navigation node. Package load replaces a Source with the pages.
type Source struct {
	Files     []string // paths or URLs, as written
	Directory string   // path prefix for the pages; "" = the default
	Async     bool
	Pos       diag.Pos
}
