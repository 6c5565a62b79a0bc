package expand

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Page is an expanded page.
type Page struct {
	File    *ast.File
	Nodes   []ast.Node
	Client  []Client // code that the page's islands need, in order of first use
	Scripts int      // number of calls of author code

	// Files is the sorted list of files in the folder that the page was built from, without its own source. It includes
	// files that were looked for but do not exist. If Code is set, the page also depends on the time that author code
	// sees.
	Files []string
	Code  bool
}

// Client is the code of one source file (a unit) that runs in the browser.
type Client struct {
	Unit   string
	Script []byte
}

// Page expands one page. If the list contains errors, the nodes are incomplete and the page must not be shown. If ctx
// is cancelled, Page stops and the list contains an error.
func (s *Site) Page(ctx context.Context, file *ast.File) (*Page, diag.List) {
	page := s.modules.parse(file)
	x := s.newExpander(ctx, page)
	defer x.scripts.close()
	nodes := x.nodes(&scope{module: page}, page.root.Children)
	x.dependencies.addImports(page)
	return &Page{
		File:    page.file,
		Nodes:   nodes,
		Client:  x.islands.compile(s.compiler.builder),
		Scripts: x.scripts.calls,
		Files:   x.dependencies.sorted(),
		Code:    x.scripts.compiled,
	}, x.findings.list
}

// newExpander creates and connects the steps for one page.
func (s *Site) newExpander(ctx context.Context, page *module) *expander {
	found := &findings{list: slices.Clip(page.findings)}
	limit := &budget{ctx: ctx, findings: found, nodes: maxNodes, bytes: maxBytes}
	used := &dependencies{modules: s.modules, findings: found}
	run := &scripts{
		ctx:          ctx,
		engine:       s.engine,
		compiler:     s.compiler,
		off:          s.off,
		seed:         page.file.Name,
		dependencies: used,
		findings:     found,
		budget:       limit,
	}
	return &expander{
		evaluator:    &evaluator{scripts: run, dependencies: used, findings: found, budget: limit},
		scripts:      run,
		dependencies: used,
		findings:     found,
		budget:       limit,
		islands:      &islands{},
	}
}
