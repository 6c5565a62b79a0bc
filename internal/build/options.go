package build

import (
	"crypto/ed25519"
	"runtime"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Options configures a build. The zero value builds every page with clean addresses.
type Options struct {
	BaseURL string // canonical origin, no trailing slash; "" = unknown
	// BasePath is the prefix of clean links if the site is served below a path of its host, such as /docs. "" = links
	// begin at the root, even if BaseURL has a path, as in a preview.
	BasePath string
	Links    link.Style // how pages link to each other
	// Repository is the repository of the sources, for links to it; zero = unknown.
	Repository site.Repository
	// VersionName is the name of this version from a branch or tag, for the menu of versions; "" = none.
	VersionName string
	Version     string // labels for manifest.json
	Commit      string
	Tool        string
	View        reader.View       // the readers for whom the site is built: the output does not contain what they may not see
	Paths       []string          // page paths to write; nil = every page
	Workers     int               // 0 = GOMAXPROCS
	Fetch       openapi.Fetch     // fetches API descriptions from other hosts; nil = they are left out, with a finding
	Kept        openapi.Kept      // the last usable copies of these descriptions, in case a host fails; nil = none
	Tools       *Tools            // shared with other builds; nil = created for this one
	Scripts     jsrun.Host        // where author code runs; zero = in this process
	Now         time.Time         // current time for author code; a date from the source makes the output reproducible
	MCP         string            // address of the site's MCP server; "" = none
	Offers      capability.Offers // dynamic features of pages
	Scratch     string            // folder for a temporary file; "" = the system's
	Cache       Cache             // results of earlier builds; nil = none. The output does not depend on it
	// Sum returns the digest of a file in the docs folder if it is known without reading the file; nil = never known.
	// It is called from several goroutines.
	Sum     func(file string) (sum [32]byte, ok bool)
	Program [32]byte // digest of this program: results of other programs are never reused
	// Modified returns when a file in the docs folder last changed, or zero if unknown; nil = always unknown. It is
	// called from several goroutines, and must always return the same time for the same source, because dates are
	// written to the output.
	Modified func(file string) time.Time
	// ErrorPages writes a failed page with its errors, for its author. The page still counts as failed.
	ErrorPages bool
	// ResponsiveImages creates narrower copies of the images on pages, for narrow screens.
	ResponsiveImages bool
	Cards            bool               // draw the preview image that other sites show with a link to a page; needs BaseURL
	Manifest         bool               // write manifest.json (per-file sha256) last
	Signer           ed25519.PrivateKey // signs manifest.json, in manifest.sig; nil = unsigned
	// Loaded is called once with the loaded site and API descriptions, before a page is rendered; may be nil. It
	// must not change the site.
	Loaded   func(*site.Site, *openapi.Set)
	Progress func(Progress) // called from one goroutine; Done never decreases
	// SourceRead is called once the build no longer reads the source, before it writes the manifest. It is not called
	// if the build fails before that.
	SourceRead func()

	pageTime time.Duration // time limit for one page; 0 = pageTimeLimit
}

// withDefaults returns the options with defaults for unset values.
func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.SourceRead == nil {
		o.SourceRead = func() {}
	}
	if o.Loaded == nil {
		o.Loaded = func(*site.Site, *openapi.Set) {}
	}
	if o.Offers.Analytics.To == "" && o.Links != link.Clean { // a bundle served elsewhere has no server to report to
		o.Offers.Analytics = capability.Analytics{}
	}
	return o
}

// known returns the data with which load skips files that earlier builds have read.
func (o Options) known() load.Known {
	if o.Cache == nil {
		return load.Known{}
	}
	return load.Known{Sum: o.Sum, Cache: o.Cache, Program: o.Program}
}

// Day returns the start of t's day. It is precise enough for "new Date()" in author code, and is the same in every
// build on that day.
func Day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// Stages of a build, in order.
const (
	StageScan   = "scan"
	StagePages  = "pages"
	StageAssets = "assets"
	StageDone   = "done"
)

// Progress is a snapshot of a running build. Done and Total count pages; Total is 0 while the folder is being read.
// File and Files count the site's own files, which are copied after the pages; they are 0 before.
type Progress struct {
	Stage       string
	Done, Total int
	File, Files int
}

// Report is the result of a build.
type Report struct {
	Name          string // of the site
	Pages         int    // written
	Failed        int    // pages that were not written because of an error
	Files         int    // written, manifest.json included
	Bytes         int64  // in those files
	TreeHash      string
	Redirects     []site.Redirect
	TrailingSlash bool               // canonical addresses end in a slash
	Integrations  []site.Integration // third-party services that the author configured
	Diagnostics   diag.List
	Written       []Written      // the pages, sorted by path, without those that failed
	Copies        []openapi.Copy // the API descriptions from other hosts that were used
	Unread        []string       // API descriptions of the site that could not be used
	Broken        bool           // the site file is invalid
	Groups        []string       // all groups that pages and API operations name, sorted
	// Withheld and WithheldFiles list the paths of pages and files that readers of the view may not see; sorted.
	Withheld, WithheldFiles []string
}

// Written is a page that a build wrote.
type Written struct {
	Path string
	Spec string // name of the API description that it shows a part of; "" = none
	Made bool   // it has no source file, because it is generated from the description
}
