package deploy

// AgentPath is the path of a published site's MCP endpoint.
const AgentPath = "/mcp"

// Manifest maps a published site's paths to stored bytes. It is written once and never changed, so a reader who holds
// one sees one version of the site, never a mix (D4).
type Manifest struct {
	Name   string `json:"name,omitempty"`   // the site's own
	Origin string `json:"origin,omitempty"` // canonical, without a slash at its end; "" = unknown
	Base   string `json:"base,omitempty"`   // path that links of its pages begin with, such as /docs; "" = none
	Commit string `json:"commit"`
	// TrailingSlash is whether canonical addresses of pages end in a slash, so that readers who come there stay.
	TrailingSlash bool            `json:"trailingSlash,omitempty"`
	Packs         []string        `json:"packs"` // blob keys of the packs that hold the files
	Files         map[string]File `json:"files"` // by path without leading slash, e.g. guides/start.html
	Redirects     []Redirect      `json:"redirects"`
	// Pages are the site's pages, ordered by path, without those that failed; nil in manifests of earlier releases.
	// Source is the digest of the settings that say where they came from, and Copies the SHA-256, in hex, of each API
	// description that another host answered with, by address.
	Pages  []Page            `json:"pages,omitempty"`
	Source string            `json:"source,omitempty"`
	Copies map[string]string `json:"copies,omitempty"`
	// Groups are all groups of readers that pages and API operations of the source name, ordered.
	Groups []string `json:"groups,omitempty"`
	// View is whose site this is, as reader.View.Key; "" = readers in no group.
	View string `json:"view,omitempty"`
	// Views are the other views of the same version that were built; only in the manifest of readers in no group.
	Views []View `json:"views,omitempty"`
	// Versions are the site's versions from branches and tags; only in the manifest of the default one. nil = none.
	Versions *Versions `json:"versions,omitempty"`
	// Notes are the authors' notes to the assistant, likewise for the server alone; may be empty.
	Notes string `json:"notes,omitempty"`
	// Integrations are analytics tools that the author named, for the server alone: readers never get a manifest.
	Integrations []Integration `json:"integrations,omitempty"`
}

// View is a version of a site for other readers.
type View struct {
	View     string `json:"view"`     // as reader.View.Key
	Manifest string `json:"manifest"` // blob key; "" = there is no page for these readers
}

// Integration is a third-party program to which the server may report visits.
type Integration struct {
	Tool string `json:"tool"`           // plausible, posthog …
	Key  string `json:"key"`            // by which it knows the site; public, since other products put it into pages
	Host string `json:"host,omitempty"` // where it answers; "" = its own
}

// File is one file of a site and where its bytes are.
type File struct {
	SHA256      string `json:"sha256"` // hex, of the file as readers get it; also the ETag
	Size        int64  `json:"size"`   // bytes of the file as readers get it
	ContentType string `json:"contentType"`
	Immutable   bool   `json:"immutable,omitempty"` // its name changes with its content
	Gzip        bool   `json:"gzip,omitempty"`      // it is stored compressed
	Pack        int    `json:"pack"`                // index into Packs
	Offset      int64  `json:"offset"`              // in the pack
	Length      int64  `json:"length"`              // stored bytes
	Versioned   bool   `json:"versioned,omitempty"` // it may contain VersionSegment
}

// Page is a page of a site.
type Page struct {
	Path string `json:"path"`
	Spec string `json:"spec,omitempty"` // the API description that it shows a part of; "" = none
	Made bool   `json:"made,omitempty"` // it has no file of its own: it is made from the description
}

// Redirect sends readers of an old path to a new one.
type Redirect struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
	Permanent   bool   `json:"permanent"`
}
