package capability

import "fmt"

// Offers are what pages offer beyond reading. The zero value offers nothing: such pages hold no button, no script and no style of it.
type Offers struct {
	Search     bool
	Playground Playground
	Assistant  Assistant
	Analytics  Analytics
}

// Playground lets readers send requests from pages about an API.
type Playground struct {
	On    bool
	Proxy Proxy
	// Closed: only Origins may be called, whatever the site's descriptions name; an air-gapped playground is closed.
	Closed  bool
	Origins []string // the operator's, such as https://api.internal.example
}

// Proxy says whether the site's own server passes requests on, for APIs that browsers may not call from another origin.
type Proxy int

// The answers. A bundle does not know where it will be served: its pages ask when the reader opens the playground.
const (
	NoProxy Proxy = iota
	HasProxy
	MayHaveProxy
)

// Assistant answers questions about the site.
type Assistant struct {
	On        bool
	InBrowser bool // it runs in the reader's browser, over the site's search index, and quotes passages; else the site's server answers
}

// Analytics counts what readers do.
type Analytics struct {
	On bool
	To string // origin of the site that counts, for pages that are served elsewhere; "" = their own
}

// Where a site answers that is no file. All are below Path; none is the name of a file that a build writes.
const (
	Path      = "/_lectern/api/"
	ProxyPath = Path + "request"   // the playground's proxy
	AskPath   = Path + "assistant" // the assistant, and its feedback below it
	CountPath = Path + "event"     // visits, searches and the like
	ThumbPath = Path + "feedback"  // what readers say about a page
)

// OriginsFile lists, in a built site, the origins that its published API descriptions name, for the proxy: a sorted JSON array. A site
// without a playground has no such file.
const OriginsFile = "_lectern/api-origins.json"

// LanguagesFile lists, in a built site with several languages, the first page of each, for servers that choose by what the
// reader's browser asks for: a JSON array of Language, the default one first.
const LanguagesFile = "_lectern/languages.json"

// Language is one of a site's languages. Page is a page's path: "fr/index".
type Language struct {
	Tag  string `json:"language"` // as BCP 47 has it
	Page string `json:"page"`
}

// String is all of it in one line, to be compared.
func (o Offers) String() string {
	type plain Offers
	return fmt.Sprintf("%+v", plain(o))
}

// Names are what is on, as manifests of bundles call it, sorted.
func (o Offers) Names() []string {
	var list []string
	for _, f := range []struct {
		name string
		on   bool
	}{{"analytics", o.Analytics.On}, {"assistant", o.Assistant.On}, {"playground", o.Playground.On}, {"search", o.Search}} {
		if f.on {
			list = append(list, f.name)
		}
	}
	return list
}
