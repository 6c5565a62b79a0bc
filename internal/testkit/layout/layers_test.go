package layout

import "strings"

// layers lists the folders below internal/, lowest first. A package imports only packages of lower layers. The folder
// testkit is for tests and may import anything.
var layers = []struct {
	name string
	free bool // packages of the layer may import each other; otherwise sideways lists those that may, with the reasons
}{
	{"foundation", true}, // values and small tools that do not depend on documentation
	{"mdx", true},        // MDX text to a tree, and back
	{"script", true},     // authors' JavaScript: compiled, run, confined
	{"site", true},       // a folder of pages and docs.json as a site: addresses, navigation, output files
	{"render", true},     // a page as HTML, as Markdown and as text
	{"build", true},      // a whole site: stages, caches, search index, checks of bundles
	{"domain", true},     // nouns of the platform and their state transitions
	{"store", true},      // database, queue and stored files
	{"source", false},    // where content comes from: Git, folders, code hosts, other servers
	{"ai", false},        // models, agents, the assistant
	{"jobs", false},      // work that a request starts and a worker does
	{"serve", false},     // HTTP: the API, sites, bundles, the preview
	{"dashboard", true},  // the pages for operators
	{"app", true},        // settings, logs, commands, start and stop
}

// outside assigns a position to the packages outside internal/: below every layer, above every layer, or among the
// tests.
var outside = map[string]int{
	"api": below, "client": below, "docs": below, "tour": below, "web": below,
	"bench": above, "cmd": above, "conformance/corpus": above, "tools": above,
	"chart": tests, "conformance": tests, "e2e": tests, "judges": tests,
}

const (
	below = -1
	above = 100
	tests = 200
)

// layerOf returns a package's position in the order. ok is false if it has none.
func layerOf(path string) (int, bool) {
	if strings.HasSuffix(path, "test") && strings.Count(path, "/") > 1 ||
		strings.HasPrefix(path+"/", "internal/testkit/") {
		return tests, true // storetest, blobtest, forgetest and similar packages are next to the packages they test
	}
	if rest, ok := strings.CutPrefix(path, "internal/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		for i, l := range layers {
			if l.name == name {
				return i, true
			}
		}
		return 0, false
	}
	for folder := path; folder != ""; {
		if place, ok := outside[folder]; ok {
			return place, true
		}
		at := strings.LastIndexByte(folder, '/')
		folder = folder[:max(at, 0)]
	}
	return 0, false
}

// sideways lists permitted imports within a layer that is not free, with the reasons. A folder includes all packages
// below it, and packages below one folder (the code hosts, the models) may import each other.
var sideways = map[[2]string]string{
	{"internal/source/git",
		"internal/source/outbound"}: "Git connects through the same address checks as every other request",
	{"internal/source/git", "internal/source/sourcetree"}:      "a commit is read as a tree of source files",
	{"internal/source/localdir", "internal/source/sourcetree"}: "so is a folder",
	{"internal/source/snapshot", "internal/source/sourcetree"}: "a snapshot is such a tree",
	{"internal/source/snapshot", "internal/source/git"}:        "taken from a Git repository",
	{"internal/source/snapshot", "internal/source/localdir"}:   "or from a folder",
	{"internal/source/snapshot", "internal/source/forge"}:      "or from the embedded code host",
	{"internal/source/domainproof",
		"internal/source/outbound"}: "callers choose the addresses of records and files that prove a domain",
	{"internal/source/credential", "internal/source/forge"}: "a credential may be an App of a code host",
	{"internal/source/forge",
		"internal/source/git"}: "the embedded code host keeps its branches in Git repositories",

	{"internal/ai/agent", "internal/ai/llm"}:             "an agent asks a model",
	{"internal/ai/agent", "internal/ai/agenttools"}:      "and runs the tools that the model calls",
	{"internal/ai/agent", "internal/ai/guard"}:           "both pass the guard",
	{"internal/ai/agent", "internal/ai/summarycheck"}:    "what an agent says is compared with what it did",
	{"internal/ai/agenttools", "internal/ai/guard"}:      "tools refuse what the guard refuses",
	{"internal/ai/agenttools", "internal/ai/maintain"}:   "maintenance tasks are a tool",
	{"internal/ai/llm", "internal/ai/maintain"}:          "the rule-based model asks for these tasks",
	{"internal/ai/evaluation", "internal/ai/agent"}:      "agents are measured with the real agent",
	{"internal/ai/evaluation", "internal/ai/llm"}:        "scripted models are models",
	{"internal/ai/evaluation", "internal/ai/agenttools"}: "whose tools need a way to build sites",
	{"internal/ai/assistant", "internal/ai/llm"}:         "the assistant asks a model",
	{"internal/ai/assistant", "internal/ai/guard"}:       "its prompts and answers pass the guard",

	{"internal/jobs/retention", "internal/jobs/publish"}: "publish knows which stored files a manifest needs",
	{"internal/jobs/deadlink", "internal/jobs/publish"}:  "publish knows how the pages of a live site are stored",
	{"internal/jobs/notify", "internal/jobs/deadlink"}:   "an alert about what it found",
	{"internal/jobs/backup", "internal/jobs/publish"}:    "publish knows which stored files a manifest needs",

	{"internal/serve/auth", "internal/serve/apierror"}:       "refusals are API errors",
	{"internal/serve/adminapi", "internal/serve/auth"}:       "every route checks who calls",
	{"internal/serve/adminapi", "internal/serve/apierror"}:   "every route answers errors in one shape",
	{"internal/serve/oidc", "internal/serve/idpfault"}:       "both protocols explain failures of providers alike",
	{"internal/serve/saml", "internal/serve/idpfault"}:       "both protocols explain failures of providers alike",
	{"internal/serve/adminapi", "internal/serve/saml"}:       "identity providers of sites are checked",
	{"internal/serve/adminapi", "internal/serve/oidc"}:       "identity providers of sites are checked",
	{"internal/serve/adminapi", "internal/serve/passhash"}:   "passwords of sites are stored as hashes",
	{"internal/serve/adminapi", "internal/serve/webhook"}:    "the webhook route passes its raw bytes on",
	{"internal/serve/adminapi", "internal/serve/leakreport"}: "one route takes reports of leaked keys",
	{"internal/serve/adminapi",
		"internal/serve/certificate"}: "the state of a domain's certificate is part of the API",
	{"internal/serve/adminapi",
		"internal/serve/assistanthttp"}: "a question has the same form on the API and on a site",
	{"internal/serve/githost", "internal/serve/auth"}:        "repositories are read with a key of the API",
	{"internal/serve/githost", "internal/serve/apierror"}:    "refusals are API errors",
	{"internal/serve/mcp", "internal/serve/auth"}:            "tools check who calls",
	{"internal/serve/mcp", "internal/serve/inprocess"}:       "edits are calls of the API",
	{"internal/serve/mcp", "internal/serve/siteapi"}:         "MCP answers below an address of each site",
	{"internal/serve/signin", "internal/serve/auth"}:         "a session is a way to call the API",
	{"internal/serve/signin", "internal/serve/attempts"}:     "guesses are limited",
	{"internal/serve/signin", "internal/serve/saml"}:         "one way to sign in",
	{"internal/serve/signin", "internal/serve/oidc"}:         "one way to sign in",
	{"internal/serve/signin", "internal/serve/passhash"}:     "passwords are stored as hashes",
	{"internal/serve/signin", "internal/serve/totp"}:         "the second factor",
	{"internal/serve/scim", "internal/serve/auth"}:           "providers call with a key of the API",
	{"internal/serve/scim", "internal/serve/apierror"}:       "an error has the status that it has on the API",
	{"internal/serve/siteaccess", "internal/serve/siteapi"}:  "a protected site is one of these",
	{"internal/serve/siteaccess", "internal/serve/auth"}:     "programs read with a key of the API",
	{"internal/serve/siteaccess", "internal/serve/apierror"}: "an error on a site has the status that it has on the API",
	{"internal/serve/siteaccess", "internal/serve/attempts"}: "guesses at passwords are limited",
	{"internal/serve/siteaccess", "internal/serve/passhash"}: "passwords are stored as hashes",
	{"internal/serve/siteaccess", "internal/serve/saml"}:     "readers sign in at an identity provider",
	{"internal/serve/siteaccess", "internal/serve/oidc"}:     "readers sign in at an identity provider",
	{"internal/serve/siteapi",
		"internal/serve/apierror"}: "an error on a site has the status that it has on the API",
	{"internal/serve/sitehost", "internal/serve/siteapi"}:      "a published site has endpoints of its own",
	{"internal/serve/bundlehost", "internal/serve/siteapi"}:    "so has a served bundle",
	{"internal/serve/devserve", "internal/serve/siteapi"}:      "and the preview",
	{"internal/serve/sitehost", "internal/serve/httpfile"}:     "responses are prepared once and sent often",
	{"internal/serve/bundlehost", "internal/serve/httpfile"}:   "the same for a bundle",
	{"internal/serve/httpfile", "internal/serve/apierror"}:     "a request's id is not kept with a response",
	{"internal/serve/assistanthttp", "internal/serve/siteapi"}: "the assistant answers on each site",
	{"internal/serve/assistanthttp", "internal/serve/auth"}:    "questions are limited by visitor and by site",
	{"internal/serve/analytics", "internal/serve/siteapi"}:     "scripts of each site send their events there",
	{"internal/serve/analytics", "internal/serve/auth"}:        "events of one address are limited",
	{"internal/serve/blockreport", "internal/serve/siteapi"}:   "browsers report to each site what was blocked",
	{"internal/serve/blockreport", "internal/serve/auth"}:      "reports of one address are limited",
	{"internal/serve/sitesearch", "internal/serve/siteapi"}:    "the search dialog asks each site",
	{"internal/serve/apiproxy", "internal/serve/siteapi"}:      "the playground's proxy answers on each site",
	{"internal/serve/apiproxy", "internal/serve/auth"}:         "its calls are limited by address",
}
