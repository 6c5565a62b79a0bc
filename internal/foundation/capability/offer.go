package capability

import "fmt"

// Offers are the dynamic features of pages. The zero value has none: such pages contain no button, script or style of
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
	// Closed allows requests to Origins only, whatever the site's API descriptions name; an air-gapped playground is
	// closed.
	Closed  bool
	Origins []string // the operator's, such as https://api.internal.example
}

// Proxy reports whether the site's own server forwards requests, for APIs that browsers may not call from another
// origin.
type Proxy int

// The values of Proxy. A bundle does not know which server will host it: its pages find out when the reader opens the
// playground.
const (
	NoProxy Proxy = iota
	HasProxy
	MayHaveProxy
)

// Assistant answers questions about the site.
type Assistant struct {
	On bool
	// runs in the browser over the site's search index and quotes passages; otherwise the site's server answers
	InBrowser bool
	Quotes    bool // no language model answers; so it is in the browser
}

// Quoting reports whether answers are quotations, whoever finds them.
func (a Assistant) Quoting() bool { return a.Quotes || a.InBrowser }

// Analytics counts page views, searches and similar events.
type Analytics struct {
	On bool
	To string // origin of the site that counts, for pages that are served elsewhere; "" = their own
}

// External lets pages load from other hosts what the author asks for: integrations, and sources in security.allow.
type External struct {
	On bool
	// Without are integrations whose scripts pages do not load, such as those to which the server itself reports
	// visits: each visit would count twice.
	Without []string
}

// Paths of a site's endpoints. All are below Path; a build writes no file with such a name.
const (
	Path       = "/_lectern/api/"
	ProxyPath  = Path + "request"   // the playground's proxy
	AskPath    = Path + "assistant" // the assistant, and its feedback below it
	CountPath  = Path + "event"     // visits, searches and the like
	SearchPath = Path + "search"    // answers the search dialog
	ThumbPath  = Path + "feedback"  // readers' feedback about a page
	BlockPath  = Path + "blocked"   // reports of browsers about what the content policy blocked
	UserPath   = Path + "user"      // values of the signed-in reader, for pages of the site
)

// SignInPath is where readers of a private site sign in; next in its query is where they go after that.
const SignInPath = "/login"

// OriginsFile lists, in a built site, the origins that its published API descriptions name, for the proxy: a sorted
// JSON array. A site without a playground has no such file.
const OriginsFile = "_lectern/api-origins.json"

// LanguagesFile lists, in a built site with several languages, the first page of each, for servers that choose by the
// browser's Accept-Language header: a JSON array of Language, the default one first.
const LanguagesFile = "_lectern/languages.json"

// VersionsFile lists, on a site with versions from branches and tags, the versions that readers can choose from. The
// server makes it for each request; a build writes no file with this name.
const VersionsFile = "_lectern/versions.json"

// SourcesFile lists, in a built site, the sources that its pages may use on other hosts (csp.Allow), for servers that
// send a content policy. A site that allows none has no such file.
const SourcesFile = "_lectern/allowed-sources.json"

// RedirectsFile lists, in a bundle, the site's redirects with wildcards, for servers that apply them: other redirects are
// pages of the bundle. A site without such redirects has no such file.
const RedirectsFile = "_lectern/redirects.json"

// Language is one of a site's languages. Page is a page's path: "fr/index".
type Language struct {
	Tag  string `json:"language"` // BCP 47
	Page string `json:"page"`
}

// String returns all fields in one line, for comparisons.
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
