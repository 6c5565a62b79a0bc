package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// API configures pages about an API, and holds defaults for pages without a description.
type API struct {
	Playground   string   // "interactive", "simple", "none", "auth"; "" = interactive
	NoProxy      bool     // requests always go from the reader's browser to the API itself
	Credentials  bool     // they carry the browser's cookies for the API; only without a proxy
	Expanded     bool     // nested fields are open at first
	Pills        []string // keys of a schema whose values are shown beside its name
	FullURL      bool     // show the full URL even if there is only one server
	Languages    []string // of generated samples, in order; empty = the defaults
	RequiredOnly bool     // samples leave optional values out
	NoSamples    bool     // samples are not generated
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

// APIRef names the part of an API description that a page shows. It never changes after package load created it.
type APIRef struct {
	Kind       APIKind
	Spec       string // name of the description; "" for APIManual
	Method     string // upper case
	Path       string // path or URL; the name of a webhook, schema or channel
	Playground string // the page's own; "" = the site's
	Auth       string // APIManual: the page's own method, "none" for none; "" = the site's
	Describe   bool   // the description's own text about it is shown in the body
	Missing    bool   // the description could not be read or has no such part
	Written    string // as the author wrote it
	Pos        diag.Pos
}

// Source names API descriptions whose pages belong at a node of navigation. Package load replaces it by pages.
type Source struct {
	Files     []string // paths or URLs, as written
	Directory string   // path prefix of the pages; "" = the default
	Async     bool
	Pos       diag.Pos
}
