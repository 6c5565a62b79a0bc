package sitebuild

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/asset"
	"github.com/lectern-docs/lectern/internal/component"
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/expand"
	"github.com/lectern-docs/lectern/internal/jsrun"
	"github.com/lectern-docs/lectern/internal/layout"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/openapi"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/scan"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/slug"
	"github.com/lectern-docs/lectern/internal/utility"
	"github.com/lectern-docs/lectern/web/theme"
)

// Options say what to build. The zero value builds every page with clean addresses.
type Options struct {
	BaseURL string     // canonical origin, no trailing slash; "" = unknown
	Links   link.Style // how pages link to each other
	Version string     // labels for manifest.json
	Commit  string
	Tool    string
	Paths   []string      // page paths to write; nil = every page
	Workers int           // 0 = GOMAXPROCS
	Fetch   openapi.Fetch // gets API descriptions from other hosts; nil = they are left out, with a finding
	Tools   *Tools        // shared with other builds; nil = made for this one
	Scripts jsrun.Host    // where author code runs, if it does; zero = inside this process
	Now     time.Time     // what author code takes for the time; a date of the source keeps output the same
	// ErrorPages writes a page that failed as one that says why, for its author; it counts as failed all the same.
	ErrorPages bool
	Manifest   bool           // write manifest.json (per-file sha256) last
	Progress   func(Progress) // called from one goroutine; Done never falls
}

// Day is the start of a moment's day: fine enough for "new Date()" in author code, and the same in every build of that day.
func Day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// Stages of a build, in order.
const (
	StageScan   = "scan"
	StagePages  = "pages"
	StageAssets = "assets"
	StageDone   = "done"
)

// Progress is a moment of a build. Done and Total count pages; Total is 0 while the folder is being read.
type Progress struct {
	Stage       string
	Done, Total int
}

// Report is what came of a build.
type Report struct {
	Pages       int   // written
	Failed      int   // pages that an error kept from being written
	Files       int   // written, manifest.json included
	Bytes       int64 // in those files
	TreeHash    string
	Redirects   []site.Redirect
	Diagnostics diag.List
}

// builder is one run of Build.
type builder struct {
	src     fs.FS
	opt     Options
	out     *outtree.Ledger
	report  *Report
	site    *site.Site
	specs   *openapi.Set
	bundle  *asset.Bundle
	table   *link.Table
	tools   *Tools
	expand  *expand.Site
	render  *render.Renderer
	utility *utility.Generator
	frame   *layout.Frame
	home    *site.Page
	entries []entry                  // summaries of written pages, in page order
	capped  bool                     // diagMax was met
	told    map[diag.Diagnostic]bool // findings about files that several pages share
}

// Build reads src and writes the site to out. The error is for failures of the sink or the context only; what authors did wrong is
// in the report. A site without a page is an error diagnostic and writes nothing.
func Build(ctx context.Context, src fs.FS, opt Options, out outtree.Sink) (*Report, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.Progress == nil {
		opt.Progress = func(Progress) {}
	}
	b := &builder{src: src, opt: opt, out: outtree.NewLedger(out), report: &Report{}, tools: opt.Tools, told: map[diag.Diagnostic]bool{}}
	if b.tools == nil {
		tools, err := NewTools()
		if err != nil {
			return nil, fmt.Errorf("build site: %w", err)
		}
		defer func() { _ = tools.Close() }() // it only frees memory
		b.tools = tools
	}
	if err := b.run(ctx); err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	return b.report, nil
}

func (b *builder) run(ctx context.Context) error {
	b.opt.Progress(Progress{Stage: StageScan})
	loaded, list, err := scan.Load(ctx, b.src, scan.Options{Workers: b.opt.Workers, Fetch: b.opt.Fetch})
	if err != nil {
		return err
	}
	s := loaded.Site
	b.site, b.specs, b.report.Diagnostics = s, loaded.Specs, list
	b.report.Redirects, b.report.Failed = s.Redirects, len(s.Failed)
	b.choose()
	if len(b.site.Pages) == 0 {
		b.report.Diagnostics.Errorf(diag.Pos{}, "no-pages", "The site has no page to write.")
		b.report.Diagnostics.Hint("Add an index.mdx to the docs folder.")
		return nil
	}
	if err := b.prepare(); err != nil {
		return err
	}
	defer b.expand.Close() // also ends code of pages that were given up
	for _, stage := range []func(context.Context) error{b.chrome, b.theme, b.pages, b.unread, b.index, b.notFound, b.redirects, b.machine, b.assets, b.finish} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// choose applies Options.Paths.
func (b *builder) choose() {
	if b.opt.Paths == nil {
		return
	}
	var want []string
	for _, written := range b.opt.Paths {
		p, ok := slug.Clean(written)
		if ok && b.site.Find(p) == nil && b.site.Find(p+"/index") != nil {
			p += "/index"
		}
		switch {
		case ok && b.site.Find(p) != nil:
			want = append(want, p)
		case ok && slices.Contains(b.site.Failed, p): // told already
		default:
			b.report.Diagnostics.Errorf(diag.Pos{}, "unknown-path", "There is no page %q.", written)
		}
	}
	b.report.Failed = 0
	for _, p := range b.site.Failed {
		if slices.ContainsFunc(b.opt.Paths, func(w string) bool { c, _ := slug.Clean(w); return c == p }) {
			b.report.Failed++
		}
	}
	b.site = b.site.Only(want)
}

// platform tells whether a component is the platform's own.
func platform(name string) bool {
	_, ok := component.Find(name)
	return ok
}

// prepare makes what all pages share.
func (b *builder) prepare() (err error) {
	b.bundle, err = asset.NewBundle(asset.Theme{FS: theme.FS(), Styles: theme.Styles(), Boot: theme.Boot(), Script: theme.Scripts()}, b.site)
	if err != nil {
		return err
	}
	b.home = home(b.site)
	b.table = link.New(b.site, b.opt.Links, b.opt.BaseURL, b.home.Path)
	b.expand = expand.New(expand.Options{Src: b.src, Variables: b.site.Variables, Now: b.opt.Now, Platform: platform, Scripts: b.opt.Scripts, Workers: b.opt.Workers})
	icons := b.tools.icons.Set(b.site.IconLibrary)
	b.render = render.New(render.Options{Icons: icons, Code: b.tools.code, Math: b.tools.math})
	c := b.site.Colors
	b.utility = utility.New(utility.Theme{Primary: c.Primary, PrimaryLight: c.Light, PrimaryDark: c.Dark})
	assets := layout.Assets{Style: b.bundle.Style, Site: b.bundle.Site, Boot: b.bundle.Boot, Script: b.bundle.Script}
	signs := layout.NewSigns(b.site, icons)
	if sheet := signs.Sheet(); len(sheet) > 0 {
		assets.Icons = b.bundle.Add("icons.css", sheet)
	}
	b.frame = layout.New(b.site, assets, signs)
	return nil
}

// home is the page that index.html shows: the index page, else the first of navigation, else the first.
func home(s *site.Site) *site.Page {
	if p := s.Find("index"); p != nil {
		return p
	}
	for _, n := range s.Nav {
		if p := s.Find(n.First()); p != nil {
			return p
		}
	}
	return s.Pages[0]
}

func (b *builder) putPage(ctx context.Context, path string, r result) error {
	return b.out.Put(ctx, outtree.File{Path: path, ContentType: outtree.ContentType(path), Data: r.html, Drawn: r.drawn})
}

func (b *builder) put(ctx context.Context, path string, data []byte) error {
	return b.out.Put(ctx, outtree.File{Path: path, ContentType: outtree.ContentType(path), Data: data})
}
