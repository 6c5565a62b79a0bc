package deploy

// AgentPath is the path of a published site's MCP endpoint.
const AgentPath = "/mcp"

// Manifest maps a published site's paths to stored bytes. It never changes after it is written, so a reader always sees
// one version of the site and never a mix of versions (D4).
type Manifest struct {
	Name   string `json:"name,omitempty"`   // the site's name
	Origin string `json:"origin,omitempty"` // canonical origin without a trailing slash; "" = unknown
	Base   string `json:"base,omitempty"`   // prefix of links in its pages, such as /docs; "" = none
	Commit string `json:"commit"`
	// TrailingSlash is whether canonical page addresses end with a slash, so that requests for them are not
	// redirected.
	TrailingSlash bool            `json:"trailingSlash,omitempty"`
	Packs         []string        `json:"packs"` // blob keys of the packs that contain the files
	Files         map[string]File `json:"files"` // by path without leading slash, e.g. guides/start.html
	Redirects     []Redirect      `json:"redirects"`
	// Pages are the site's pages, ordered by path, without those that failed; nil in manifests of earlier releases.
	// Source is the digest of the settings that define where the pages came from. Copies maps the address of each API
	// description that was fetched from another host to its SHA-256, in hex.
	Pages  []Page            `json:"pages,omitempty"`
	Source string            `json:"source,omitempty"`
	Copies map[string]string `json:"copies,omitempty"`
	// Groups are all reader groups that the source's pages and API operations refer to, sorted.
	Groups []string `json:"groups,omitempty"`
	// View is the key (see reader.View.Key) of the readers for whom the site was built; "" = readers in no group.
	View string `json:"view,omitempty"`
	// Views are the other views of the same version. They are only set in the manifest for readers in no group.
	Views []View `json:"views,omitempty"`
	// Versions are the site's versions from branches and tags. They are only set in the manifest of the default
	// version. nil = none.
	Versions *Versions `json:"versions,omitempty"`
	// Notes are the notes that the authors wrote for the assistant. They are not sent to readers. May be empty.
	Notes string `json:"notes,omitempty"`
	// Integrations are the analytics tools that the author configured. Only the server uses them: readers never
	// receive a manifest.
	Integrations []Integration `json:"integrations,omitempty"`
}

// View is a variant of a site for other readers.
type View struct {
	View     string `json:"view"`     // as reader.View.Key
	Manifest string `json:"manifest"` // blob key; "" = these readers may see no page
}

// Integration is a third-party tool to which the server may report visits.
type Integration struct {
	Tool string `json:"tool"`           // plausible, posthog …
	Key  string `json:"key"`            // identifies the site to the tool; not secret: other products put it into pages
	Host string `json:"host,omitempty"` // host of the tool's API; "" = its default
}

// File is a file of a site and the location of its bytes.
type File struct {
	SHA256      string `json:"sha256"` // hex, of the file as sent to readers; also the ETag
	Size        int64  `json:"size"`   // bytes of the file as sent to readers
	ContentType string `json:"contentType"`
	Immutable   bool   `json:"immutable,omitempty"` // its name changes with its content
	Gzip        bool   `json:"gzip,omitempty"`      // stored compressed
	Pack        int    `json:"pack"`                // index into Packs
	Offset      int64  `json:"offset"`              // offset in the pack
	Length      int64  `json:"length"`              // stored bytes
	Versioned   bool   `json:"versioned,omitempty"` // it may contain VersionSegment
}

// Page is a page of a site.
type Page struct {
	Path string `json:"path"`
	Spec string `json:"spec,omitempty"` // the API description whose content it shows; "" = none
	Made bool   `json:"made,omitempty"` // it has no file: it is generated from the description
}

// Redirect redirects readers from an old path to a new one.
type Redirect struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
	Permanent   bool   `json:"permanent"`
}
