package expand

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// Page is an expanded page.
type Page struct {
	File    *ast.File
	Nodes   []ast.Node
	Client  []Client // code that the page's islands need, in order of first use
	Scripts int      // how many pieces of author code ran to make it

	// Files are those of the folder, beside its own source, that the page was made from or that were looked for in vain; ordered. With
	// Code it also depends on the time that author code sees.
	Files []string
	Code  bool
}

// Client is the browser's part of one unit.
type Client struct {
	Unit   string
	Script []byte
}

// run is the work on one page.
type run struct {
	ctx          context.Context // of the one call of Site.Page that made the run
	site         *Site
	page         *Page
	list         diag.List
	js           *jsrun.Page       // opened when first needed
	budget       int               // nodes that may still be made
	bytes        int               // of values and snippets that may still be put in
	spent        bool              // exceeding either budget was reported
	used         map[string]bool   // snippets whose findings were reported
	client       map[*module][]int // islands' thunks by unit
	order        []*module
	dependencies map[string]bool // see depend.go
	walked       map[string]bool // modules whose imports are in asked
}

// maxNodes bounds an expanded page: snippets that include snippets twice each would grow without end.
const maxNodes = 400_000

// maxBytes bounds the text of an expanded page: one long text may be shown many times.
const maxBytes = 32 << 20

// maxFindings bounds what is kept of one page's findings.
const maxFindings = 100

// Page expands one page. A page whose list has errors is not fit to be shown; its nodes are what could be made of it. When ctx ends, so
// does the work, and the list has an error.
func (s *Site) Page(ctx context.Context, file *ast.File) (*Page, diag.List) {
	m := s.parse(file)
	r := &run{ctx: ctx, site: s, page: &Page{File: m.file}, list: slices.Clip(m.list), budget: maxNodes, bytes: maxBytes}
	defer r.close()
	r.page.Nodes = r.nodes(&frame{m: m}, m.root.Children)
	r.clients()
	r.depend(m)
	return r.page, r.list
}

func (r *run) close() {
	if r.js != nil {
		r.js.Close()
	}
}

// frame is the scope in which a module's content is expanded: the page itself, or one use of a snippet.
type frame struct {
	m     *module
	props *ast.Object // nil on the page
	up    *frame
	depth int
}

// Lookup implements expr.Scope: names of the module, then the props it was given, bare or as props.
func (f *frame) Lookup(name string) (ast.Value, bool) {
	if d, ok := f.m.names[name]; ok {
		return d.value, d.kind == constant
	}
	if f.props == nil {
		if name == "props" {
			return &ast.Object{}, true
		}
		return nil, false
	}
	if name == "props" {
		return f.props, true
	}
	v, ok := f.props.Values[name]
	return v, ok
}

func (r *run) warn(f *frame, at ast.Span, code, hint, format string, args ...any) {
	if len(r.list) < maxFindings {
		r.list.Warnf(f.m.file.Pos(at.Start), code, format, args...)
		r.list.Hint(hint)
	}
}

func (r *run) fail(f *frame, at ast.Span, code, hint, format string, args ...any) {
	if len(r.list) < 2*maxFindings {
		r.list.Errorf(f.m.file.Pos(at.Start), code, format, args...)
		r.list.Hint(hint)
	}
}
