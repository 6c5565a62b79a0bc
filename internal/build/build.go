package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/ogimage"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/render/tailwind"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// builder is one run of Build.
type builder struct {
	src     fs.FS
	opt     Options
	out     *output.Ledger
	report  *Report
	site    *site.Site
	specs   *openapi.Set
	bundle  *asset.Bundle
	table   *link.Table
	sizes   *imageSizes
	tools   *Tools
	expand  *expand.Site
	render  *render.Renderer
	utility *tailwind.Generator
	frame   *layout.Frame
	cards   *ogimage.Maker // nil: none are drawn
	home    *site.Page
	// lostDigest names the script inside of 404.html, as content policies do; "" before notFound, and where it has none
	lostDigest string
	entries    []entry                  // summaries of written pages, in page order
	capped     bool                     // diagMax was met
	told       map[diag.Diagnostic]bool // findings about files that several pages share

	siteFiles []string  // docs.json and its parts
	search    *segments // nil outside of a whole build, and without search
	closing   *closing  // nil before the last page is written
	reader    *searchindex.Preparer
	spots     map[string]*spot // of pages with several places in navigation

	packing    bool              // the output takes files packed: they are, where they are made
	shared     *sharedFiles      // digests of files that pages include
	sums       *load.Sums        // of the pages' sources; nil without a cache, and where sources change
	described  [sha256.Size]byte // of the API descriptions; zero = not known
	keys       keys
	assetNames []string // what all pages load

	trails trails              // the first place of each page in navigation
	firsts map[*site.Node]bool // the languages and versions that readers see first
	spool  *output.Spool       // Markdown forms of listed pages; nil outside of a whole build
	marks  *output.Spool       // what marks has of each page; nil outside of a whole build

	order  map[variant][]*entry // listed pages by variant, in the order of the lists; nil before they are made
	joiner *joiner              // makes the lists; nil when it is not at work
}

// Build reads src and writes the site to out. The error is for failures of the sink or the context only; what authors did wrong is
// in the report. A site without a page is an error diagnostic and writes nothing.
func Build(ctx context.Context, src fs.FS, opt Options, out output.Sink) (*Report, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.Progress == nil {
		opt.Progress = func(Progress) {}
	}
	b := &builder{src: src, opt: opt, out: output.NewLedger(out, opt.Scratch), report: &Report{}, tools: opt.Tools, told: map[diag.Diagnostic]bool{}}
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
	if ready, err := b.load(ctx); err != nil || !ready {
		return err
	}
	return b.build(ctx)
}

// build makes a site that is loaded.
func (b *builder) build(ctx context.Context) error {
	defer b.expand.Close() // also ends code of pages that were given up
	defer b.out.Close()
	defer b.closeSpool()
	defer b.closeMarks()
	defer b.dropSearch()
	for _, stage := range slices.Concat(b.before(), b.making(), b.after()) {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stage is one step of a build.
type stage = func(context.Context) error

// before lists the stages that need no rendered page; a preview has them done before the first page is asked for.
func (b *builder) before() []stage {
	return []stage{
		b.chrome, // addresses of the site file are checked
		b.theme,  // the platform's styles and scripts
		b.author, // the author's own
	}
}

// making lists the stages around the pages: what fills while they are written is opened before them.
func (b *builder) making() []stage {
	return []stage{
		b.spoolTwins, // Markdown forms wait here for llms-full.txt
		b.openMarks,  // and their headings for references to them
		b.openSearch,
		b.pages, // window.go, and page.go for each
		b.startLists,
		b.endSearch,
	}
}

// after lists the stages that follow the pages.
func (b *builder) after() []stage {
	return []stage{
		b.unread, // pages that could not be read, where they are shown
		b.index,  // index.html, if no page is
		b.notFound,
		b.redirects,
		b.machine, // sitemap, lists, skills, .well-known: a list of stages of its own
		b.origins, // what the playground's proxy may call
		b.languageList,
		b.hosting, // rules for hosts, in hosting.go
		b.closeSearch,
		b.assets, // files of the author's
		b.finish, // anchors, manifest.json
	}
}

// load reads the folder and makes what all pages share. ready is false when there is no page; whoever gets true closes b.expand.
func (b *builder) load(ctx context.Context) (ready bool, err error) {
	if ready, err = b.read(ctx); err != nil || !ready {
		return false, err
	}
	return true, b.prepare()
}

// read reads the folder; ready is false when there is no page.
func (b *builder) read(ctx context.Context) (ready bool, err error) {
	b.opt.Progress(Progress{Stage: StageScan})
	loaded, list, err := load.Load(ctx, unwatched(b.src), load.Options{Workers: b.opt.Workers, Fetch: b.opt.Fetch, Kept: b.opt.Kept, Memo: b.opt.heads, Sums: b.opt.Cache != nil && b.opt.heads == nil})
	if err != nil {
		return false, err
	}
	s := loaded.Site
	b.site, b.specs, b.report.Diagnostics = s, loaded.Specs, list
	s.Repository = b.opt.Repository
	b.report.TrailingSlash = s.SEO.TrailingSlash
	b.report.Name, b.report.Redirects, b.report.Failed = s.Name, s.Redirects, len(s.Failed)
	b.report.Integrations = s.Integrations
	b.report.Copies, b.report.Unread, b.report.Broken = loaded.Specs.Copies(), loaded.Unread, loaded.Broken
	b.siteFiles, b.sums, b.described, b.shared = loaded.Files, loaded.Sums, loaded.Described, &sharedFiles{}
	b.choose()
	if len(b.site.Pages) == 0 {
		b.report.Diagnostics.Errorf(diag.Pos{}, "no-pages", "The site has no page to write.")
		b.report.Diagnostics.Hint("Add an index.mdx to the docs folder.")
		return false, nil
	}
	return true, nil
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
			if near := didyoumean.Word(p, b.site.Paths()); near != "" {
				b.report.Diagnostics.Hint(fmt.Sprintf("Did you mean %q?", near))
			}
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
	digest := b.digestSite()
	if b.bundle, err = b.newBundle(); err != nil {
		return err
	}
	b.home, b.reader = home(b.site), &searchindex.Preparer{}
	b.trails, b.firsts = survey(b.site), defaults(b.site.Nav)
	b.spots = spots(b.site.Nav, b.trails)
	if b.sizes = b.opt.sizes; b.sizes == nil {
		b.sizes = newImageSizes(unwatched(b.src), b.site)
	}
	b.table = link.New(b.site, b.opt.Links, b.opt.BaseURL, b.home.Path)
	src := b.src
	if b.opt.Cache != nil {
		src = b.shared.watch(src)
	}
	b.expand = expand.New(expand.Options{Src: src, Variables: b.site.Variables, Now: b.opt.Now, Platform: platform, Scripts: b.opt.Scripts, Workers: b.opt.Workers})
	icons := b.tools.icons.Set(b.site.IconLibrary)
	c := b.site.Colors
	b.utility = tailwind.New(tailwind.Theme{Primary: c.Primary, PrimaryLight: c.Light, PrimaryDark: c.Dark})
	b.render = render.New(render.Options{Icons: icons, Code: b.tools.code, Math: b.formulas(), Class: b.utility.Meaning})
	assets := layout.Assets{Style: b.bundle.Style, Site: b.bundle.Site, Boot: b.bundle.Boot, Script: b.bundle.Script}
	assets.Origin, assets.Canonical, assets.Llms = strings.TrimRight(b.opt.BaseURL, "/"), b.table.Canonical, "llms.txt"
	if b.site.SEO.NoIndex {
		assets.Llms = ""
	}
	if b.opt.Offers.Search {
		assets.Search, assets.Index = b.bundle.Search, searchindex.Folder+"/"+searchindex.EntryName
	}
	if err := b.prepareAssistant(&assets); err != nil {
		return err
	}
	if assets.Count, err = b.counting(); err != nil {
		return err
	}
	assets.Fonts, assets.Styles, assets.Scripts, assets.MCP = b.bundle.Fonts, b.site.Styles, b.site.Scripts, b.opt.MCP
	b.note(b.bundle.Findings)
	if err := b.prepareCards(); err != nil {
		return err
	}
	signs := layout.NewSigns(b.site, icons)
	if sheet := signs.Sheet(); len(sheet) > 0 {
		assets.Icons = b.bundle.Add("icons.css", sheet)
	}
	b.frame = layout.New(b.site, assets, signs)
	b.packing = output.WantsPacked(b.out)
	b.assetNames = slices.Concat([]string{
		assets.Style, assets.Site, assets.Boot, assets.Script, assets.Icons, assets.Search, assets.Index, assets.Assistant.Script, assets.Assistant.Style, assets.Count.Script, assets.Count.Sheet, assets.Llms, assets.MCP, assets.Origin,
	}, assets.Fonts)
	b.prepareKeys(<-digest)
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

// putMade writes a file that a worker made.
func (b *builder) putMade(ctx context.Context, path string, p payload) error {
	return b.out.Put(ctx, output.File{Path: path, ContentType: output.ContentType(path), Data: p.data, Packed: p.packed})
}

func (b *builder) put(ctx context.Context, path string, data []byte) error {
	return b.out.Put(ctx, output.File{Path: path, ContentType: output.ContentType(path), Data: data})
}
