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
	Origins []string // set by the operator, such as https://api.internal.example
}

// Proxy states whether the site's own server forwards requests, for APIs that browsers may not call from another
// origin.
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
	// runs in the browser on the site's search index and quotes passages; otherwise the site's server answers
	InBrowser bool
	Quotes    bool // there is no language model, so answers are quotations, as they always are with InBrowser
}

// Quoting reports whether answers are quotations, from the server or from the browser.
func (a Assistant) Quoting() bool { return a.Quotes || a.InBrowser }

// Analytics counts page views, searches and similar events.
type Analytics struct {
	On bool
	To string // origin of the site that counts, for pages served from another origin; "" = the page's own origin
}

// External lets pages load what the author configures from other hosts: integrations, and sources in
// security.allow.
type External struct {
	On bool
	// Without lists integrations whose scripts pages must not load. An example is an integration to which the
	// server itself reports visits, because each visit would count twice.
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

// OriginsFile lists, in a built site, the origins that its published API descriptions name, for the proxy: a sorted
// JSON array. A site without a playground has no such file.
const OriginsFile = "_lectern/api-origins.json"

// LanguagesFile lists, in a built site with several languages, the first page of each language, for servers that
// choose by the Accept-Language header: a JSON array of Language, the default language first.
const LanguagesFile = "_lectern/languages.json"

// VersionsFile lists, on a site with versions from branches and tags, the versions that readers can choose from.
// The server generates it for each request; a build writes no file with this name.
const VersionsFile = "_lectern/versions.json"

// SourcesFile lists, in a built site, the sources on other hosts that its pages may use (csp.Allow), for servers
// that send a content security policy. A site that allows none has no such file.
const SourcesFile = "_lectern/allowed-sources.json"

// RedirectsFile lists, in a bundle, the site's redirects with wildcards, for servers that apply them. Other
// redirects are pages of the bundle. A site without wildcard redirects has no such file.
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
