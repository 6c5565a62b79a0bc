package site

import "github.com/lectern-docs/lectern/internal/foundation/diag"

// API is how pages about an API look, and what pages without a description use.
type API struct {
	Playground   string   // "interactive", "simple", "none", "auth"; "" = interactive
	NoProxy      bool     // requests always go from the reader's browser to the API itself
	Credentials  bool     // they carry the browser's cookies for the API; only without a proxy
	Expanded     bool     // nested fields are open at first
	Pills        []string // keys of a schema whose values are shown beside its name
	FullURL      bool     // the address is shown whole even if there is one server only
	Languages    []string // of made-up samples, in order; empty = the usual ones
	RequiredOnly bool     // samples leave optional values out
	NoSamples    bool     // samples are not made up
	Servers      []string // for pages with `api:`
	AuthMethod   string   // for pages with `api:`: "bearer", "basic", "key", "cobo" or ""
	AuthName     string
}

// APIKind is what a page about an API shows.
type APIKind string

const (
	APIOperation APIKind = "operation"
	APIWebhook   APIKind = "webhook"
	APISchema    APIKind = "schema"
	APIChannel   APIKind = "channel"
	APIManual    APIKind = "manual" // described by the page itself
)

// APIRef says which part of which API description a page shows. It never changes after scan made it.
type APIRef struct {
	Kind       APIKind
	Spec       string // name of the description; "" for APIManual
	Method     string // upper case
	Path       string // path or address; the name of a webhook, schema or channel
	Playground string // the page's own; "" = the site's
	Auth       string // APIManual: the page's own method, "none" for none; "" = the site's
	Describe   bool   // the description's own text about it is shown in the body
	Missing    bool   // the description could not be read or has no such part
	Written    string // as the author wrote it
	Pos        diag.Pos
}

// Source names API descriptions whose pages belong at a node of navigation. scan replaces it by pages.
type Source struct {
	Files     []string // paths or addresses, as written
	Directory string   // where the pages stand; "" = the default
	Async     bool
	Pos       diag.Pos
}
