package load

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// apiRef returns the API reference in a page's front matter, or nil. The reference is resolved after all pages are
// read.
func apiRef(f frontmatter.Fields) *site.APIRef {
	ref := &site.APIRef{Playground: strings.Clone(f.Playground), Auth: strings.Clone(f.AuthMethod), Pos: f.APIPos}
	for _, k := range []struct {
		kind    site.APIKind
		written string
	}{{site.APIOperation, f.OpenAPI}, {site.APISchema, f.OpenAPISchema}, {site.APIChannel, f.AsyncAPI},
		{site.APIManual, f.API}} {
		if k.written != "" {
			ref.Kind, ref.Written = k.kind, strings.Clone(k.written)
			return ref
		}
	}
	return nil
}

// apiScan connects pages and navigation with API descriptions.
type apiScan struct {
	src      fs.FS
	cfg      *docsjson.Config
	site     *site.Site
	set      *openapi.Set
	defaults []string            // descriptions that the "api" key names
	prefer   map[string][]string // page path → descriptions of the navigation nodes around it
	taken    map[string]bool     // page paths in lower case
	made     map[string]string   // directory, description and operation → page path
	numbers  map[string]int      // page path in lower case → the number last appended to it
	hints    int                 // number of searches for suggestions so far
	places   map[string]diag.Pos // description → first position where the site names it
	unread   map[string]bool     // descriptions that the site names but that could not be used
	added    []*site.Page
	list     diag.List
}

// apiPages reads the site's API descriptions, resolves the pages that show parts of them, and creates the pages that
// the navigation names.
func apiPages(ctx context.Context, src fs.FS, o Options, cfg *docsjson.Config, candidates []string,
	s *site.Site) (set *openapi.Set, unread []string, list diag.List) {
	a := &apiScan{src: src, cfg: cfg, site: s, prefer: map[string][]string{}, taken: map[string]bool{},
		made: map[string]string{}, numbers: map[string]int{},
		places: map[string]diag.Pos{}, unread: map[string]bool{}}
	for _, source := range cfg.Specs.Sources {
		a.defaults = append(a.defaults, source.Files...)
	}
	if names, search := a.names(); names != nil || search {
		a.load(ctx, o, names, search, candidates)
	}
	a.walk(cfg.Nav, nil)
	for _, p := range s.Pages {
		a.taken[strings.ToLower(p.Path)] = true
		if p.API != nil {
			a.page(p)
		}
	}
	cfg.Nav = a.expand(cfg.Nav, cfg.Specs.Root, nil)
	s.Pages = append(s.Pages, a.added...)
	slices.SortFunc(s.Pages, func(x, y *site.Page) int { return strings.Compare(x.Path, y.Path) })
	return a.set, slices.Sorted(maps.Keys(a.unread)), a.list
}

// load reads the descriptions.
func (a *apiScan) load(ctx context.Context, o Options, names []string, search bool, candidates []string) {
	asked := map[string]bool{}
	for _, n := range names {
		asked[n] = true
	}
	if search {
		names = append(names, sniff(ctx, a.src, o.Memo, candidates)...)
	}
	var found diag.List
	kept := o.Kept
	if kept == nil {
		kept = o.Memo.kept()
	}
	a.set, found = openapi.LoadSet(ctx,
		&openapi.Loader{FS: a.src, Fetch: o.Fetch, Kept: kept, Known: o.Memo.known(ctx)}, names, o.Workers)
	o.Memo.keep(a.set)
	// the site does not name this file, so it may be something other than a description
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return a.set.Failed(d.File) && !asked[d.File]
	})
	for _, d := range found {
		if openapi.Remote(d.File) && d.Line == 0 { // about the whole response: report it where the site names the URL
			at := a.places[d.File]
			d.File, d.Line, d.Column = cmp.Or(at.File, d.File), at.Line, at.Column
		}
		a.list = append(a.list, d)
	}
	for name := range asked {
		if a.set.Failed(name) {
			a.unread[name] = true
		}
	}
}

// names returns the descriptions that the site names. search is true if an operation is named without a file. Other
// files must then be searched for it.
func (a *apiScan) names() (names []string, search bool) {
	add := func(written string, pos, named diag.Pos) {
		name := openapi.FileName(written)
		if _, ok := a.places[name]; !ok {
			a.places[name] = named
		}
		if openapi.Remote(name) {
			names = append(names, name)
		} else if _, err := fs.Stat(a.src, name); err == nil {
			names = append(names, name)
		} else {
			search = true
			if pos.File != "" {
				a.unread[name] = true
				a.list.Errorf(pos, "spec-missing", "API description not found: %q.", written)
				a.list.Hint("Write its path relative to the docs folder, such as /openapi.json.")
			}
		}
	}
	for _, sources := range [][]site.Source{a.cfg.Specs.Sources, a.cfg.Specs.Root} {
		for _, s := range sources {
			for _, f := range s.Files {
				add(f, s.Pos, s.Pos)
			}
		}
	}
	site.Walk(a.cfg.Nav, func(n *site.Node) bool {
		more := n.Details()
		for _, s := range more.Sources {
			for _, f := range s.Files {
				add(f, s.Pos, s.Pos)
			}
		}
		if e, ok := openapi.ParseEntry(more.Operation); ok && e.File != "" {
			add(e.File, diag.Pos{}, n.Pos)
		} else if more.Operation != "" {
			search = true
		}
		return true
	})
	for _, p := range a.site.Pages {
		switch {
		case p.API == nil || p.API.Kind == site.APIManual:
		default:
			search = true
			e, ok := openapi.ParseEntry(p.API.Written)
			if p.API.Kind != site.APIOperation {
				e, ok = openapi.ParseName(p.API.Written), true
			}
			if ok && e.File != "" {
				add(e.File, diag.Pos{}, p.API.Pos)
			}
		}
	}
	return names, search
}

// maxSniff limits the total size of files that are read to detect descriptions, in bytes.
const maxSniff = 256 << 20

// sniff returns the files that look like API descriptions.
func sniff(ctx context.Context, src fs.FS, memo *Memo, candidates []string) (out []string) {
	left := int64(maxSniff)
	for _, name := range candidates {
		info, err := fs.Stat(src, name)
		if err != nil || info.Size() > left || ctx.Err() != nil {
			continue
		}
		left -= info.Size()
		if memo.sniff(src, name) {
			out = append(out, name)
		}
	}
	return out
}

// walk records which descriptions the navigation prefers for each page below it.
func (a *apiScan) walk(nodes []*site.Node, around []string) {
	for _, n := range nodes {
		inner := around
		if own := n.Details().Sources; len(own) > 0 {
			inner = nil
			for _, s := range own {
				inner = append(inner, s.Files...)
			}
		}
		if n.Page != "" && len(inner) > 0 {
			a.prefer[n.Page] = inner
		}
		a.walk(n.Children, inner)
	}
}

// page resolves the API reference of an author's page and fills in fields that the page does not set itself.
func (a *apiScan) page(p *site.Page) {
	defer func() {
		if p.Title == "" {
			p.Title = slug.Words(p.Path)
		}
	}()
	ref := p.API
	prefer := append(slices.Clone(a.prefer[p.Path]), a.defaults...)
	switch ref.Kind {
	case site.APIOperation, site.APIManual:
		e, ok := openapi.ParseEntry(ref.Written)
		if !ok {
			a.list.Warnf(ref.Pos, "api-entry", "%q is not an operation.", ref.Written)
			a.list.Hint(`Write a method and a path, such as "GET /pets".`)
			p.API = nil
			return
		}
		ref.Method, ref.Path = e.Method, e.Path
		if ref.Kind == site.APIOperation {
			a.operation(p, e, prefer)
		}
	case site.APISchema:
		e := openapi.ParseName(ref.Written)
		ref.Path = e.Path
		if spec := a.set.Schema(e.File, e.Path, prefer...); spec != nil {
			ref.Spec, ref.Describe = spec.Name, p.Description == ""
			if p.Title == "" {
				p.Title = e.Path
			}
			return
		}
		a.missing(ref, e, prefer, "schema-missing", "No API description has the schema %q.")
	case site.APIChannel:
		e := openapi.ParseName(ref.Written)
		ref.Path = e.Path
		if c := a.set.Channel(e.File, e.Path, prefer...); c != nil {
			ref.Spec, ref.Path, ref.Describe = c.Spec().Name, c.Name, p.Description == ""
			if p.Title == "" {
				p.Title = c.Title
			}
			return
		}
		a.missing(ref, e, prefer, "channel-missing", "No API description has the channel %q.")
	}
}

func (a *apiScan) operation(p *site.Page, e openapi.Entry, prefer []string) {
	ref := p.API
	op := a.set.Operation(e.File, e.Method, e.Path, prefer...)
	if op == nil {
		a.missing(ref, e, prefer, "operation-missing", "No API description has the operation %q.")
		return
	}
	ref.Spec, ref.Method, ref.Path = op.Spec().Name, op.Method, op.Path
	if op.Method == openapi.Webhook {
		ref.Kind = site.APIWebhook
	}
	if p.Title == "" {
		p.Title = op.Title()
	}
	p.Deprecated = p.Deprecated || op.Deprecated
	readers(p, op)
	describe(p, op.Description)
}

// readers restricts the page of an operation to the readers of the operation, unless the page sets its own groups. It
// also uses the groups in the operation's metadata: if one page about an operation is restricted, no other page may
// show the operation by default.
func readers(p *site.Page, op *openapi.Operation) {
	groups := op.Mint.Groups
	if len(groups) == 0 {
		groups = op.Visibility().Groups
	}
	if more := p.Details(); len(more.Groups) == 0 && len(groups) > 0 {
		more.Groups = groups
		p.SetDetails(more)
	}
}

// describe uses the description's text for the page if it is a single plain line. The body shows longer text.
func describe(p *site.Page, text string) {
	text = strings.TrimSpace(text)
	switch {
	case p.Description != "" || text == "":
	case len(text) <= 300 && !strings.ContainsAny(text, "\n`*_[<#|\\&"):
		p.Description = text
	default:
		p.API.Describe = true
	}
}

// maxHints limits the searches for suggestions. Each search examines every operation on the site.
const maxHints = 20

// missing reports that the operation or other part that a page refers to does not exist. It does not report this if a
// description that may contain the part could not be fetched, because that failure has already been reported.
func (a *apiScan) missing(ref *site.APIRef, e openapi.Entry, prefer []string, code, format string) {
	ref.Missing = true
	if e.File != "" {
		prefer = []string{e.File}
	}
	for _, name := range prefer {
		if openapi.Remote(name) && a.set.Failed(name) {
			ref.Spec = name
			return
		}
	}
	if away := a.set.Unfetched(); e.File == "" && away != "" { // it may contain the operation
		ref.Spec = away
		return
	}
	a.list.Warnf(ref.Pos, code, format, ref.Written)
	if e.Method == "" || a.hints == maxHints {
		return
	}
	a.hints++
	if near := a.set.Nearest(e.File, e.Method, e.Path); near != "" {
		a.list.Hint("Did you mean " + near + "?")
	}
}
