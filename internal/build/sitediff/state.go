package sitediff

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Recorder is the sink of a build for a comparison. It stores the ids of pages and the search index, and discards
// everything else.
type Recorder struct {
	site    *site.Site
	specs   *openapi.Set
	anchors map[string]anchors           // by page path
	index   map[string][]byte            // files of the search index by name
	twins   map[string][sha256.Size]byte // digests of Markdown forms by page path
}

// NewRecorder returns an empty Recorder, for one build.
func NewRecorder() *Recorder {
	return &Recorder{anchors: map[string]anchors{}, index: map[string][]byte{}, twins: map[string][sha256.Size]byte{}}
}

// Into returns the options with the callbacks that the Recorder needs.
func (r *Recorder) Into(opt build.Options) build.Options {
	opt.Loaded = r.Load
	opt.Offers.Search = true
	return opt
}

// Load records what a build read from its folder. Use it instead of Into for a build whose site may have no search
// index. Ranks are not compared then.
func (r *Recorder) Load(s *site.Site, specs *openapi.Set) { r.site, r.specs = s, specs }

// Put implements output.Sink.
func (r *Recorder) Put(_ context.Context, f output.File) error {
	page, html := strings.CutSuffix(f.Path, ".html")
	switch {
	case strings.HasSuffix(f.Path, ".md"):
		r.twins[strings.TrimSuffix(f.Path, ".md")] = f.Digest()
	case html:
		data, err := f.Bytes()
		if err != nil {
			return fmt.Errorf("read page: %w", err)
		}
		r.anchors[page] = readAnchors(data)
	case path.Dir(f.Path) == searchindex.Folder:
		data, err := f.Bytes()
		if err != nil {
			return fmt.Errorf("read search index: %w", err)
		}
		r.index[path.Base(f.Path)] = slices.Clone(data)
	}
	return nil
}

// State is one state of a site.
type State struct {
	*Recorder
	src       fs.FS
	report    *build.Report
	pages     map[string]*site.Page // published pages, by path
	table     *link.Table
	home      link.From
	redirects *link.Redirects
}

// State returns the state that a build recorded. src is the folder that it read.
func (r *Recorder) State(src fs.FS, report *build.Report) *State {
	s := &State{Recorder: r, src: src, report: report, pages: map[string]*site.Page{}}
	for _, w := range report.Written {
		if p := r.site.Find(w.Path); p != nil {
			s.pages[w.Path] = p
		}
	}
	s.table = link.New(r.site, link.Clean, "", "index")
	s.redirects = link.NewRedirects(r.site.Redirects)
	s.home = s.table.From("index", "index")
	return s
}

// answers reports whether readers get a page or a file at an address, directly or through a redirect. A page with an
// error counts too, because it still exists and has its own finding.
func (s *State) answers(address string) bool {
	switch s.home.Resolve(address).Kind {
	case link.Broken, link.Unsafe:
		p := strings.Trim(link.SourcePath(address), "/")
		return slices.Contains(s.site.Failed, p) || slices.Contains(s.site.Failed, p+"/index")
	}
	return true
}

// exists reports whether there is a page with this path, including pages with errors.
func (s *State) exists(page string) bool {
	return s.site.Find(page) != nil || slices.Contains(s.site.Failed, page)
}
