package house

// floor is where a package stands. Stairs only go down: a package imports from lower floors.
type floor int

const (
	material floor = iota // files that others embed or read; knows no room
	words                 // what every floor speaks with
	press                 // pure: bytes and fs.FS in, values out
	ledger                // nouns and rules
	drivers               // the outside world
	work                  // jobs
	doors                 // HTTP, CLI
	wiring                // builds everything and starts it
	entrance              // main packages
	tests                 // only tests import it; may import anything
)

// plan puts every package on its floor. It may name rooms that are still to be built.
var plan = map[string]floor{
	"api": material, "docs": material, "tour": material, "web/theme": material, "web/dashboard": material, "web/island": material, "web/npm": material,
	"client": material, // public: it must stand alone in other people's programs

	"internal/diag": words, "internal/fault": words, "internal/id": words, "internal/slug": words, "internal/markup": words, "internal/nearest": words, "internal/shade": words, "internal/wording": words, "internal/fingerprint": words, "internal/offer": words, "internal/hostname": words,

	"internal/frontmatter": press, "internal/mdx": press, "internal/mdx/ast": press, "internal/mdx/jsx": press, "internal/mdx/expr": press,
	"internal/mdx/esm": press, "internal/mdx/write": press, "internal/docsjson": press, "internal/openapi": press, "internal/apipage": press, "internal/apisample": press,
	"internal/site": press, "internal/jsontree": press, "internal/yamltree": press, "internal/plainfile": press,
	"internal/scan": press, "internal/expand": press, "internal/jsbuild": press,
	"internal/htmlpolicy": press, "internal/utility": press, "internal/sarif": press, "internal/jsrun": press, "internal/highlight": press, "internal/math": press, "internal/icon": press,
	"internal/component": press, "internal/imagesize": press, "internal/cssstyle": press, "internal/layout": press, "internal/render": press, "internal/asset": press, "internal/card": press, "internal/stylesheet": press, "internal/searchindex": press, "internal/pagetext": press, "internal/library": press, "internal/score": press,
	"internal/twin": press, "internal/llms": press, "internal/feed": press, "internal/graph": press, "internal/skill": press,
	"internal/link": press, "internal/hostrule": press, "internal/outtree": press, "internal/sitebuild": press, "internal/move": press, "internal/scaffold": press, "internal/bundle": press, "internal/sourcetree": press,
	"internal/linediff": press, "internal/glob": press, "internal/draft": press, "internal/screen": press, "internal/upkeep": press, "internal/desk": press, "internal/jsonbody": press, "internal/leakreport": press,
	"internal/passhash": press, "internal/sealbox": press, "internal/totp": press, "internal/aistream": press,

	"internal/account": ledger, "internal/project": ledger, "internal/deploy": ledger, "internal/export": ledger, "internal/agentjob": ledger,
	"internal/proposal": ledger, "internal/event": ledger, "internal/task": ledger, "internal/feature": ledger, "internal/audience": ledger, "internal/conversation": ledger,

	"internal/store": drivers, "internal/queue": drivers, "internal/blob": drivers, "internal/blob/disk": drivers, "internal/blob/s3": drivers,
	"internal/gitrepo": drivers, "internal/localdir": drivers, "internal/scratch": drivers, "internal/durable": drivers, "internal/buildcache": drivers, "internal/scriptproc": drivers, "internal/seccomp": drivers, "internal/filewatch": drivers, "internal/fetch": drivers,
	"internal/forge": drivers, "internal/forge/push": drivers, "internal/forge/pull": drivers, "internal/forge/rest": drivers, "internal/forge/github": drivers, "internal/forge/gitlab": drivers,
	"internal/forge/gitea": drivers, "internal/forge/bitbucket": drivers, "internal/forge/local": drivers,
	"internal/llm": drivers, "internal/llm/anthropic": drivers, "internal/llm/openai": drivers, "internal/llm/builtin": drivers, "internal/llm/command": drivers, "internal/llm/wire": drivers, "internal/sandbox": drivers,
	"internal/oidc": drivers, "internal/domainproof": drivers, "internal/credential": drivers,

	"internal/snapshot": work, "internal/worker": work, "internal/publish": work, "internal/exportjob": work, "internal/agent": work, "internal/merge": work, "internal/bundlestore": work, "internal/sweep": work, "internal/backup": work, "internal/doctor": work, "internal/assistant": work, "internal/tally": work, "internal/forward": work,

	"internal/auth": doors, "internal/problem": doors, "internal/adminapi": doors, "internal/webhook": doors,
	"internal/dashboard": doors, "internal/dashboard/diffview": doors, "internal/dashboard/shell": doors, "internal/dashboard/entry": doors, "internal/dashboard/overview": doors, "internal/dashboard/sitepage": doors, "internal/dashboard/jobpage": doors, "internal/dashboard/setting": doors, "internal/dashboard/audiencepage": doors, "internal/dashboard/barchart": doors, "internal/signin": doors, "internal/mcp": doors, "internal/sitehost": doors, "internal/bundlehost": doors, "internal/devserve": doors, "internal/siterule": doors, "internal/sendfile": doors, "internal/sitedoor": doors, "internal/relay": doors, "internal/chat": doors, "internal/beacon": doors, "internal/githost": doors,

	"internal/config": wiring, "internal/telemetry": wiring, "internal/daemon": wiring, "internal/cli": wiring,

	"cmd/lectern": entrance, "bench": entrance, "bench/bare": entrance, "bench/race": entrance, "bench/timed": entrance, "bench/floor": entrance,
	"conformance/corpus": entrance, "tools/claims": entrance, "tools/licences": entrance, "tools/packweb": entrance,

	"internal/house": tests, "internal/testserver": tests, "internal/testserver/postgres": tests, "internal/testserver/s3": tests,
	"internal/testserver/gitea": tests, "internal/testserver/lectern": tests, "internal/testserver/dns": tests, "internal/testserver/powercut": tests, "internal/testserver/kubenode": tests, "internal/worktest": tests, "internal/store/storetest": tests, "internal/blob/blobtest": tests,
	"internal/forge/forgetest": tests, "internal/llm/llmtest": tests, "e2e": tests, "chart": tests, "e2e/cluster": tests, "conformance": tests, "e2e/browser": tests, "e2e/kubernetes": tests, "judges": tests,
}

// sameFloor lists who may import a neighbour, and why. Press rooms import each other, ledger nouns likewise, and a
// family of drivers or doors its own members; everything else is written out, for a family once.
var sameFloor = map[[2]string]string{
	{"internal/gitrepo", "internal/fetch"}:       "Git must go out through the same address checks as every other request",
	{"internal/domainproof", "internal/fetch"}:   "records and files that prove a domain are at addresses that callers choose",
	{"internal/credential", "internal/forge"}:    "a credential may be an App of a code host",
	{"internal/gitrepo", "internal/durable"}:     "repositories of our own survive a power cut",
	{"internal/store", "internal/durable"}:       "so does the embedded database",
	{"internal/blob", "internal/durable"}:        "and so do stored files",
	{"internal/forge/local", "internal/gitrepo"}: "the embedded code host keeps its branches in Git repositories",
	{"internal/scriptproc", "internal/seccomp"}:  "author code runs behind a filter of system calls",
	{"internal/sandbox", "internal/seccomp"}:     "programs in the sandbox run behind one too",
	{"internal/llm/command", "internal/sandbox"}: "the operator's program works in the sandbox",
	{"internal/publish", "internal/snapshot"}:    "publishing starts from a snapshot of the source",
	{"internal/exportjob", "internal/snapshot"}:  "an export starts from the snapshot that was published",
	{"internal/sweep", "internal/publish"}:       "sweep asks publish which stored files a manifest needs",
	{"internal/backup", "internal/publish"}:      "a backup asks publish which stored files a manifest needs",
	{"internal/auth", "internal/problem"}:        "a refusal is an answer",
	{"internal/adminapi", "internal/auth"}:       "every route asks who calls",
	{"internal/adminapi", "internal/problem"}:    "every route answers faults in one shape",
	{"internal/adminapi", "internal/webhook"}:    "the webhook route hands its raw bytes on",
	{"internal/dashboard", "internal/auth"}:      "members call the API by their session, and pages tell the address under which the server was reached",
	{"internal/dashboard", "internal/signin"}:    "every page asks who is signed in",
	{"internal/dashboard", "internal/problem"}:   "an error has the same status on a page",
	{"internal/signin", "internal/auth"}:         "a session is a way to call the API",
	{"internal/daemon", "internal/config"}:       "the daemon is built from the settings",
	{"internal/daemon", "internal/telemetry"}:    "the daemon starts logs, metrics and traces",
	{"internal/cli", "internal/config"}:          "commands read settings",
	{"internal/cli", "internal/daemon"}:          "serve and worker start the daemon",
	{"internal/cli", "internal/telemetry"}:       "commands log",
	{"internal/mcp", "internal/auth"}:            "tools ask who calls",
	{"internal/sitehost", "internal/siterule"}:   "one set of rules for whoever serves a site",
	{"internal/devserve", "internal/siterule"}:   "the preview answers as the site will",
	{"bench", "bench/race"}:                      "one part of the measurements",
	{"internal/bundlehost", "internal/siterule"}: "a bundle answers as the site did",
	{"internal/sitehost", "internal/sendfile"}:   "answers that were made before are sent again",
	{"internal/bundlehost", "internal/sendfile"}: "the same for a bundle's",
	{"internal/sitedoor", "internal/problem"}:    "a refusal on a site has the status it has everywhere",
	{"internal/mcp", "internal/sitedoor"}:        "callers are counted alike on every door of a site",
	{"internal/sitehost", "internal/sitedoor"}:   "programs answer below an address of each site",
	{"internal/chat", "internal/sitedoor"}:       "the assistant answers on each site",
	{"internal/chat", "internal/auth"}:           "questions are counted, by visitor and by site",
	{"internal/adminapi", "internal/chat"}:       "a question has one form, whichever door it comes through",
	{"internal/bundlehost", "internal/sitedoor"}: "and of a bundle",
	{"internal/devserve", "internal/sitedoor"}:   "and of the preview",
	{"internal/beacon", "internal/sitedoor"}:     "the counter of visits is such a program",
	{"internal/beacon", "internal/auth"}:         "messages of one address are limited",
	{"internal/githost", "internal/auth"}:        "repositories are read with a key of the API",
	{"internal/githost", "internal/problem"}:     "a refusal has the status it has everywhere",
	{"internal/relay", "internal/sitedoor"}:      "the playground's proxy is such a program",
	{"internal/relay", "internal/auth"}:          "visitors are counted by their addresses",
}

// climbs lists imports that go up, and why. It should stay empty.
var climbs = map[[2]string]string{}

// libraries lists modules that enter by more than one room, and why. All others have one door.
var libraries = map[string]map[string]string{
	"github.com/evanw/esbuild": {
		"tools/packweb":    "joins the browser's scripts when Lectern is built",
		"internal/jsbuild": "compiles authors' modules when a site is built",
	},
	"github.com/yuin/goldmark": {
		"bench":         "is what our own parser is measured against",
		"internal/feed": "turns our Markdown form of a changelog entry into plain HTML",
	},
	"go.yaml.in/yaml/v3": {
		"api":               "turns our own API description into the JSON it is served as; it stands below every package",
		"internal/yamltree": "reads all YAML of others, within limits",
	},
	"github.com/klauspost/compress": {
		"internal/outtree":   "packs files as archives and servers have them",
		"internal/sitebuild": "shrinks what the build cache keeps of pages, with the format of the library that is quickest to read",
	},
	"golang.org/x/text": {
		"internal/searchindex": "brings words of all scripts into one form",
		"internal/siterule":    "matches languages that a browser asks for with those of a site",
	},
	"golang.org/x/sys": {
		"internal/sandbox":    "mounts and limits of the sandbox",
		"internal/scriptproc": "limits of processes for author code",
		"internal/seccomp":    "writes filters of system calls",
	},
	"golang.org/x/image": {
		"internal/card": "draws letters and scales pictures",
		"tools/packweb": "measures typefaces when Lectern is built",
	},
	"golang.org/x/net": {
		"internal/bundle":     "reads pages of a bundle for what they load and where they lead, with places",
		"internal/htmlpolicy": "takes HTML of authors apart",
		"internal/project":    "knows the suffixes under which unrelated parties have domains",
		"internal/score":      "reads pages of any site as a browser does",
	},
	"github.com/jackc/pgx/v5": {
		"internal/store": "the PostgreSQL driver",
		"internal/queue": "the queue library takes the store's pool and transaction as they are",
	},
}

// clockReaders lists who may read the machine's clock or make randomness by itself; the others are given both.
var clockReaders = map[string]string{
	"cmd/lectern":              "main passes the real clock and randomness in",
	"internal/daemon":          "deadlines of connections are kept by the operating system, by its own clock",
	"bench":                    "it measures",
	"bench/race":               "it measures, and opens a cache as the command does",
	"bench/timed":              "it measures",
	"internal/adminapi":        "socket deadlines and durations are in the machine's own time",
	"internal/blob/disk":       "stamps files as the file system would, and names temporary ones",
	"internal/blob/s3":         "S3 counts a link's life from the moment of signing, by the machine's clock",
	"internal/chat":            "socket deadlines of answers are in the machine's own time",
	"internal/dashboard/shell": "socket deadlines of live pages are in the machine's own time",
	"internal/fetch":           "the proxy's password lives as long as one child process",
}

// environmentReaders lists who may read the environment.
var environmentReaders = map[string]string{
	"internal/config": "the one place where settings come from",
	"cmd/lectern":     "main hands the environment to internal/config as a value",
}

// sqlRooms lists who may touch a SQL engine.
var sqlRooms = map[string]string{
	"internal/store": "the only room with SQL",
	"internal/queue": "hands the engine's transaction to the queue library",
}

// forbiddenNames say nothing about what a package holds.
var forbiddenNames = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "type", "types", "base", "core",
	"misc", "manager", "service", "services", "impl", "lib", "shared", "pkg"}

// maxLines bounds a file that is not a test: longer ones hold more than one thing.
const maxLines = 400
