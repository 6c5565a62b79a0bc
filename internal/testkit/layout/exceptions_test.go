package layout

// libraries lists modules that more than one package imports, with the reasons. Every other module is imported by only
// one package.
var libraries = map[string]map[string]string{
	"github.com/evanw/esbuild": {
		"tools/packweb":           "joins the browser's scripts when Lectern is built",
		"internal/script/jsbuild": "compiles authors' modules when a site is built",
	},
	"github.com/chromedp/chromedp": {
		"bench":              "times the first result of a search in a browser with a slow network",
		"conformance/corpus": "looks at pages of real sites as readers see them",
	},
	"github.com/chromedp/cdproto": {
		"bench":              "times the first result of a search in a browser with a slow network",
		"conformance/corpus": "looks at pages of real sites as readers see them",
	},
	"github.com/yuin/goldmark": {
		"bench":               "is what our own parser is measured against",
		"internal/build/feed": "turns our Markdown form of a changelog entry into plain HTML",
	},
	"go.yaml.in/yaml/v3": {
		"api":                          "turns our own API description into the JSON it is served as; it stands below every package",
		"internal/foundation/yamltree": "reads all YAML of others, within limits",
	},
	"github.com/klauspost/compress": {
		"internal/site/output":   "packs files as archives and servers have them",
		"internal/build/ogimage": "compresses the pixels of preview images",
		"internal/build":         "shrinks what the build cache keeps of pages, with the format of the library that is quickest to read",
	},
	"golang.org/x/text": {
		"internal/build/searchindex": "brings words of all scripts into one form",
		"internal/site/route":        "matches languages that a browser asks for with those of a site",
	},
	"golang.org/x/sys": {
		"internal/foundation/filestamp": "examines a file in an open folder with one system call",
		"internal/script/sandbox":       "mounts and limits of the sandbox",
		"internal/script/scriptproc":    "limits of processes for author code",
		"internal/script/seccomp":       "writes filters of system calls",
	},
	"golang.org/x/image": {
		"internal/build/ogimage":      "draws letters and scales pictures",
		"internal/build/imagevariant": "scales pictures for narrow screens",
		"tools/packweb":               "measures typefaces when Lectern is built",
	},
	"golang.org/x/net": {
		"conformance/corpus":         "reads the parts of built pages, as score does",
		"internal/build/bundlecheck": "reads pages of a bundle for what they load and where they lead, with places",
		"internal/render/htmlpolicy": "takes HTML of authors apart",
		"internal/domain/project":    "knows the suffixes under which unrelated parties have domains",
		"internal/build/score":       "reads pages of any site as a browser does",
		"internal/build/pagediff":    "takes built pages apart into blocks and words",
	},
	"github.com/jackc/pgx/v5": {
		"internal/store":       "the PostgreSQL driver",
		"internal/store/queue": "sends notifications in the store's transactions and listens for them",
	},
}

// clockReaders lists the packages that may read the clock or generate randomness themselves. All others receive both
// from their callers.
var clockReaders = map[string]string{
	"cmd/lectern":                  "main passes the real clock and randomness in",
	"internal/app/daemon":          "deadlines of connections are kept by the operating system, by its own clock",
	"bench":                        "it measures",
	"bench/agents":                 "main passes the real clock in",
	"bench/race":                   "it measures, and opens a cache as the command does",
	"bench/timed":                  "it measures",
	"internal/serve/adminapi":      "socket deadlines and durations are in the machine's own time",
	"internal/store/blob/disk":     "stamps files as the file system would, and names temporary ones",
	"internal/store/blob/s3":       "S3 counts a link's life from the moment of signing, by the machine's clock",
	"internal/serve/assistanthttp": "socket deadlines of answers are in the machine's own time",
	"internal/dashboard/shell":     "socket deadlines of live pages are in the machine's own time",
	"internal/source/outbound":     "the proxy's password lives as long as one child process",
}

// environmentReaders lists the packages that may read the environment.
var environmentReaders = map[string]string{
	"internal/app/config": "the one place where settings come from",
	"cmd/lectern":         "main passes the environment to internal/app/config as a value",
	"bench/agents":        "main passes the environment to internal/app/config as a value",
}

// sqlPackages lists the packages that may use a SQL engine.
var sqlPackages = map[string]string{
	"internal/store":       "the only package with SQL",
	"internal/store/queue": "knows how each engine announces a change",
}

// forbiddenNames lists package names that say nothing about a package's content.
var forbiddenNames = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "type", "types",
	"base", "core",
	"misc", "manager", "service", "services", "impl", "lib", "shared", "pkg"}

// maxLines limits files other than tests: longer ones contain more than one thing.
const maxLines = 400
