package capability

import "fmt"

// Offers lists the dynamic features of pages. Pages built with the zero value contain no button, script or style of
// any feature.
type Offers struct {
	Search     bool
	Playground Playground
	Assistant  Assistant
	Analytics  Analytics
	External   External
}

// Playground lets readers send requests from pages about an API.
type Playground struct {
	On    bool
	Proxy Proxy
	// Closed allows requests only to Origins, regardless of the hosts in the site's API descriptions. The
	// playground of an air-gapped site is closed.
	Closed  bool
	Origins []string // origins that the operator set, such as https://api.internal.example
}

// Proxy says whether the site's own server forwards requests. That is necessary for APIs that browsers may not call
// from another origin.
type Proxy int

// The values of Proxy. A bundle cannot know which server will host it, so its pages find out when the reader opens
// the playground.
const (
	NoProxy Proxy = iota
	HasProxy
	MayHaveProxy
)

// Assistant answers questions about the site.
type Assistant struct {
	On bool
	// the assistant runs in the browser, searches the site's search index and quotes passages; otherwise the site's
	// server answers
	InBrowser bool
	Quotes    bool // the server has no language model, so its answers are quotations; answers in the browser always are
}

// Quoting reports whether answers are quotations, from the server or from the browser.
func (a Assistant) Quoting() bool { return a.Quotes || a.InBrowser }

// Analytics counts page views, searches and similar events.
type Analytics struct {
	On bool
	To string // origin of the site to which pages on another origin send events; "" = the page's own origin
}

// External lets pages load what the author configures from other hosts: integrations, and sources in
// security.allow.
type External struct {
	On bool
	// Without lists integrations whose scripts pages must not load. One reason is that the server itself reports visits
	// to the integration, so that each visit would count twice.
	Without []string
}

// Paths of a site's endpoints. All are below Path. A build writes no files there.
const (
	Path       = "/_lectern/api/"
	ProxyPath  = Path + "request"   // the playground's proxy
	AskPath    = Path + "assistant" // the assistant; its feedback endpoint is below it
	CountPath  = Path + "event"     // visits, searches and other events
	SearchPath = Path + "search"    // answers the search dialog
	ThumbPath  = Path + "feedback"  // readers' feedback about a page
	BlockPath  = Path + "blocked"   // browsers' reports about content that the content security policy blocked
	UserPath   = Path + "user"      // values of the signed-in reader for pages
)

// SignInPath is where readers of a private site sign in. The query parameter next is the page to return to.
const SignInPath = "/login"

// OriginsFile is the file in a built site that lists the origins in its published API descriptions, for the proxy: a
// sorted JSON array. A site without a playground has no such file.
const OriginsFile = "_lectern/api-origins.json"

// LanguagesFile is the file in a built site with several languages that lists the first page of each language. It is
// for servers that choose a language by the Accept-Language header. It contains a JSON array of Language, the default
// language first.
const LanguagesFile = "_lectern/languages.json"

// VersionsFile is the file that lists the versions that readers can choose from, on a site with versions from branches
// and tags. The server generates it for each request; a build does not write it.
const VersionsFile = "_lectern/versions.json"

// SourcesFile is the file in a built site that lists the sources on other hosts that its pages may use (csp.Allow), for
// servers that send a content security policy. A site that allows no sources has no such file.
const SourcesFile = "_lectern/allowed-sources.json"

// RedirectsFile is the file in a bundle that lists the site's redirects with wildcards, for servers that apply them.
// Other redirects are pages of the bundle. A site without wildcard redirects has no such file.
const RedirectsFile = "_lectern/redirects.json"

// Language is one of a site's languages. Page is the path of its first page: "fr/index".
type Language struct {
	Tag  string `json:"language"` // BCP 47
	Page string `json:"page"`
}

// String returns all fields on one line, for comparisons.
func (o Offers) String() string {
	type plain Offers
	return fmt.Sprintf("%+v", plain(o))
}

// Names returns the sorted names of the enabled features, as in bundle manifests.
func (o Offers) Names() []string {
	var list []string
	for _, f := range []struct {
		name string
		on   bool
	}{{"analytics", o.Analytics.On}, {"assistant", o.Assistant.On}, {"playground", o.Playground.On},
		{"search", o.Search}} {
		if f.on {
			list = append(list, f.name)
		}
	}
	return list
}
